// The three BLS12-381 functions that verify blob proofs: the addon's, or the library's under the same names.
import { NobleBLS } from '@ethereumjs/evm';
import { toHex } from '../../lib/bytes/hex.js';
import { KZG } from '../reference/kzg.js';
import { STATUS, type BlsFunctions, type PrecompileStatus } from '../../native/precompiles/functions.js';
import { NATIVE } from './native.js';

/** The functions used to verify blob proofs. */
export type BlobFunctions = Pick<BlsFunctions, 'blsG1Msm' | 'blsPairing' | 'kzgVerify'>;

const library = new NobleBLS();

/** The library's functions; whatever makes them throw is reported as a point outside of the subgroup. */
export const LIBRARY_BLOB_FUNCTIONS: BlobFunctions = {
  blsG1Msm: (input, output) =>
    statusOf(() => {
      output.set(library.msmG1(input));
      return true;
    }),
  blsPairing: (input) => statusOf(() => library.pairingCheck(input)[31] === 1),
  kzgVerify: (input) =>
    statusOf(() => {
      const [z, y] = [toHex(input.subarray(0, 32)), toHex(input.subarray(32, 64))];
      return KZG.verifyProof(toHex(input.subarray(64, 112)), z, y, toHex(input.subarray(112, 160)));
    }),
};

/** The functions of this build. */
export const BLOB_FUNCTIONS: BlobFunctions = NATIVE.bls ?? LIBRARY_BLOB_FUNCTIONS;

function statusOf(compute: () => boolean): PrecompileStatus {
  try {
    return compute() ? STATUS.done : STATUS.false;
  } catch {
    return STATUS.notOnCurve;
  }
}
