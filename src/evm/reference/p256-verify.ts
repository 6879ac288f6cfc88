// P256VERIFY (RIP-7212) in JavaScript: verifies signatures on the curve P-256, which passkeys use.
import { EVMError, type ExecResult, type PrecompileInput } from '@ethereumjs/evm';
import { p256 } from '@noble/curves/nist.js';
import { precompileFailed, precompileSucceeded } from '../precompiles/make-precompile-result.js';

/** Gas of P256VERIFY in RIP-7212; EIP-7951 doubles it. */
export const P256_VERIFY_GAS = 3450n;
const INPUT_BYTES = 160;
const VALID = Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 1 : 0));
const INVALID = new Uint8Array(0);

/**
 * Runs P256VERIFY. Input: hash, r, s, x and y, 32 bytes each. Output: the word 1 for a valid signature, otherwise
 * empty. An invalid signature is no failure of the call.
 */
export function referenceP256Verify({ data, gasLimit }: PrecompileInput): ExecResult {
  if (gasLimit < P256_VERIFY_GAS) return precompileFailed(EVMError.errorMessages.OUT_OF_GAS, gasLimit);
  return precompileSucceeded(isValid(data) ? VALID : INVALID, P256_VERIFY_GAS);
}

function isValid(data: Uint8Array): boolean {
  if (data.length !== INPUT_BYTES) return false;
  const publicKey = Uint8Array.from([0x04, ...data.subarray(96)]);
  try {
    return p256.verify(data.subarray(32, 96), data.subarray(0, 32), publicKey, { lowS: false, prehash: false });
  } catch {
    // @noble/curves has thrown: a number is out of range, or the point is not on the curve.
    return false;
  }
}
