// Public keys from signatures, by libsecp256k1 in WebAssembly: 0.25 ms instead of 1.4 in JavaScript. Runs on publisher,
// estimators and senders.
import { recover } from 'tiny-secp256k1';

const WORD_BYTES = 32;

/**
 * The public key (64 bytes, without prefix) that has signed `hash`; `r` and `s` may lack leading zeros. Throws where there
 * is none.
 */
export function recoverKey(hash: Uint8Array, parity: 0 | 1, r: Uint8Array, s: Uint8Array): Uint8Array {
  const signature = new Uint8Array(2 * WORD_BYTES);
  signature.set(r, WORD_BYTES - r.length);
  signature.set(s, 2 * WORD_BYTES - s.length);
  const key = recover(hash, signature, parity, false);
  if (key === null) throw new Error('no key has made this signature');
  return key.subarray(1);
}
