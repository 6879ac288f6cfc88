// BLAKE2F (EIP-152).
import { EVMError, type PrecompileFunc } from '@ethereumjs/evm';
import type { NonBlsFunctions } from '../../native/precompiles/function-types.js';
import { precompileFailed, precompileSucceeded } from './make-precompile-result.js';

const { OUT_OF_GAS, OUT_OF_RANGE } = EVMError.errorMessages;
const INPUT_BYTES = 213;
const OUTPUT_BYTES = 64;

/** Creates BLAKE2F. Its input has rounds, h, m, t, and the final block flag, which must be 0 or 1. */
export function createBlake2f(functions: NonBlsFunctions): PrecompileFunc {
  return ({ data, gasLimit, common }) => {
    if (data.length !== INPUT_BYTES || data[INPUT_BYTES - 1]! > 1) return precompileFailed(OUT_OF_RANGE, gasLimit);
    const rounds = new DataView(data.buffer, data.byteOffset).getUint32(0);
    const gas = BigInt(rounds) * common.param('blake2RoundGas');
    if (gasLimit < gas) return precompileFailed(OUT_OF_GAS, gasLimit);
    const output = new Uint8Array(OUTPUT_BYTES);
    functions.blake2f(data, output);
    return precompileSucceeded(output, gas);
  };
}
