// Public keys from signatures: 50 to 75 us by libsecp256k1, 1600 by JavaScript where its part of the addon is not built. Runs on
// publisher, estimators and senders.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { nativePart } from '../load.js';

/** 65 bytes, the prefix first. Throws where no key has made the signature, which is r and s. */
export type Recover = (hash: Uint8Array, parity: 0 | 1, signature: Uint8Array) => Uint8Array;

const WORD_BYTES = 32;
const KEY_BYTES = 65;

/** Recovery in JavaScript, which every platform has. */
export const recoverInJavaScript: Recover = (hash, parity, signature) => {
  const { r, s } = secp256k1.Signature.fromBytes(signature, 'compact');
  return new secp256k1.Signature(r, s, parity).recoverPublicKey(hash).toBytes(false);
};

/** Recovery by libsecp256k1; `null` where it was not built. */
export const recoverNatively: Recover | null = native();

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

function native(): Recover | null {
  const { part } = nativePart('secp256k1');
  if (part === null) return null;
  return (hash, parity, signature) => {
    const key = new Uint8Array(KEY_BYTES);
    if (!part.recover(hash, parity, signature, key)) throw new Error('no key has made the signature');
    return key;
  };
}
