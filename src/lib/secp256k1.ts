// Public keys from signatures: 75 us by the native build of libsecp256k1 where npm has one for the platform, 1600 by JavaScript
// elsewhere. Runs on publisher, estimators and senders.
import { createRequire } from 'node:module';
import { secp256k1 } from '@noble/curves/secp256k1.js';

/** 65 bytes, the prefix first. Throws where no key has made the signature, which is r and s. */
type Recover = (hash: Uint8Array, parity: 0 | 1, signature: Uint8Array) => Uint8Array;

interface NativeLibrary {
  ecdsaRecover(signature: Uint8Array, parity: number, hash: Uint8Array, compressed: boolean): Uint8Array;
}

const WORD_BYTES = 32;

/** `null` where there is no build for this platform. */
export const recoverNatively: Recover | null = loadNative();

/** Recovery in JavaScript, which every platform has. */
export const recoverInJavaScript: Recover = (hash, parity, signature) => {
  const { r, s } = secp256k1.Signature.fromBytes(signature, 'compact');
  return new secp256k1.Signature(r, s, parity).recoverPublicKey(hash).toBytes(false);
};

const recoverHere = recoverNatively ?? recoverInJavaScript;

/**
 * The public key (64 bytes, without prefix) that has signed `hash`; `r` and `s` may lack leading zeros. Throws where
 * there is none.
 */
export function recoverKey(hash: Uint8Array, parity: 0 | 1, r: Uint8Array, s: Uint8Array): Uint8Array {
  const signature = new Uint8Array(2 * WORD_BYTES);
  signature.set(r, WORD_BYTES - r.length);
  signature.set(s, 2 * WORD_BYTES - s.length);
  return recoverHere(hash, parity, signature).subarray(1);
}

function loadNative(): Recover | null {
  const require = createRequire(import.meta.url);
  try {
    // The package's own entry loads another library where there is no build.
    const library = require('secp256k1/bindings.js') as NativeLibrary;
    return (hash, parity, signature) => library.ecdsaRecover(signature, parity, hash, false);
  } catch {
    return null;
  }
}
