// P256VERIFY (RIP-7212, EIP-7951).
import { EVMError, type PrecompileFunc } from '@ethereumjs/evm';
import { P256_VERIFY_GAS } from '../reference/p256-verify.js';
import { PRECOMPILE_STATUS, type NonBlsFunctions } from '../../native/precompiles/function-types.js';
import { precompileFailed, precompileSucceeded } from './make-precompile-result.js';

const { OUT_OF_GAS } = EVMError.errorMessages;
const INPUT_BYTES = 160;

/**
 * Creates P256VERIFY. Input: hash, r, s, x, y. Output: the word 1 for a valid signature, otherwise empty. An invalid
 * signature is no failure of the call.
 */
export function createP256Verify(functions: NonBlsFunctions): PrecompileFunc {
  return ({ data, gasLimit, common }) => {
    const gas = common.isActivatedEIP(7951) ? 2n * P256_VERIFY_GAS : P256_VERIFY_GAS;
    if (gasLimit < gas) return precompileFailed(OUT_OF_GAS, gasLimit);
    const isValid = data.length === INPUT_BYTES && functions.p256Verify(data) === PRECOMPILE_STATUS.done;
    const output = new Uint8Array(isValid ? 32 : 0);
    if (isValid) output[31] = 1;
    return precompileSucceeded(output, gas);
  };
}
