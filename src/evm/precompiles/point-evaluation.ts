// The point evaluation precompile for KZG proofs (EIP-4844).
import { createHash } from 'node:crypto';
import { EVMError, type PrecompileFunc } from '@ethereumjs/evm';
import { fromHex } from '../../lib/bytes/hex.js';
import { toBytes } from '../../lib/bytes/big-endian.js';
import { BLS_ORDER, KZG_SETUP_G2 } from './kzg-trusted-setup-point.js';
import { PRECOMPILE_STATUS, type BlsFunctions } from '../../native/precompiles/function-types.js';
import { precompileFailed, precompileSucceeded } from './make-precompile-result.js';

const { OUT_OF_GAS, INVALID_INPUT_LENGTH, INVALID_COMMITMENT, INVALID_PROOF, INVALID_INPUTS } = EVMError.errorMessages;
const INPUT_BYTES = 192;
const SETUP = fromHex(`0x${KZG_SETUP_G2}`);

/**
 * Creates the precompile. Input: versioned hash, z, y, commitment, proof. Output: number of field elements in a blob,
 * and the order of the field.
 */
export function createPointEvaluation(functions: BlsFunctions): PrecompileFunc {
  return ({ data, gasLimit, common }) => {
    const gas = common.param('kzgPointEvaluationPrecompileGas');
    if (gasLimit < gas) return precompileFailed(OUT_OF_GAS, gasLimit);
    if (data.length !== INPUT_BYTES) return precompileFailed(INVALID_INPUT_LENGTH, gasLimit);
    const version = Number(common.param('blobCommitmentVersionKzg'));
    if (!isHashOf(data.subarray(0, 32), data.subarray(96, 144), version))
      return precompileFailed(INVALID_COMMITMENT, gasLimit);
    const status = functions.kzgVerify(data.subarray(32), SETUP);
    if (status === PRECOMPILE_STATUS.false) return precompileFailed(INVALID_PROOF, gasLimit);
    if (status !== PRECOMPILE_STATUS.done) return precompileFailed(INVALID_INPUTS, gasLimit);
    const output = new Uint8Array(64);
    output.set(toBytes(common.param('fieldElementsPerBlob'), 32));
    output.set(toBytes(BLS_ORDER, 32), 32);
    return precompileSucceeded(output, gas);
  };
}

function isHashOf(versionedHash: Uint8Array, commitment: Uint8Array, version: number): boolean {
  const hash = createHash('sha256').update(commitment).digest();
  hash[0] = version;
  return hash.equals(versionedHash);
}
