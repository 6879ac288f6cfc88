// Public keys from signatures, by libsecp256k1: its native build in 70 us where npm has one for the platform, else
// WebAssembly in 270; JavaScript takes 1400. Runs on publisher, estimators and senders.
import { createRequire } from 'node:module';
import { recover } from 'tiny-secp256k1';

/** 65 bytes, the prefix first; `null` or an exception where no key has made the signature, which is r and s. */
type Recover = (hash: Uint8Array, parity: 0 | 1, signature: Uint8Array) => Uint8Array | null;

interface NativeLibrary {
  ecdsaRecover(signature: Uint8Array, parity: number, hash: Uint8Array, compressed: boolean): Uint8Array;
}

const WORD_BYTES = 32;

/** `null` where there is no build for this platform. */
export const recoverNatively: Recover | null = loadNative();

/** Recovery in WebAssembly, which every platform has. */
export const recoverInWasm: Recover = (hash, parity, signature) => recover(hash, signature, parity, false);

const recoverHere = recoverNatively ?? recoverInWasm;

/**
 * The public key (64 bytes, without prefix) that has signed `hash`; `r` and `s` may lack leading zeros. Throws where
 * there is none.
 */
export function recoverKey(hash: Uint8Array, parity: 0 | 1, r: Uint8Array, s: Uint8Array): Uint8Array {
  const signature = new Uint8Array(2 * WORD_BYTES);
  signature.set(r, WORD_BYTES - r.length);
  signature.set(s, 2 * WORD_BYTES - s.length);
  const key = recoverHere(hash, parity, signature);
  if (key === null) throw new Error('no key has made this signature');
  return key.subarray(1);
}

function loadNative(): Recover | null {
  const require = createRequire(import.meta.url);
  try {
    const library = require('secp256k1/bindings.js') as NativeLibrary;
    return (hash, parity, signature) => library.ecdsaRecover(signature, parity, hash, false);
  } catch {
    return null;
  }
}
