// Recovers public keys from signatures: with libsecp256k1, or in JavaScript if that part of the addon was not built.
// One signature takes some 40 us, or 25 us if several are recovered together; JavaScript takes 1600 us.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { loadNativeModule } from '../load-addon.js';
import { WORD_BYTES } from '../../lib/bytes/big-endian.js';

export interface HashSignature {
  /** Hash of the signed message, 32 bytes. */
  readonly hash: Uint8Array;
  readonly parity: 0 | 1;
  /** Numbers r and s, up to 32 bytes each; leading zeros may be left out. */
  readonly r: Uint8Array;
  readonly s: Uint8Array;
}

/**
 * Recovers the public keys of signatures, in the same order; 64 bytes each without a prefix, `null` for an invalid
 * signature.
 */
export type RecoverPublicKeys = (signatures: readonly HashSignature[]) => (Uint8Array | null)[];

const SIGNATURE_BYTES = 2 * WORD_BYTES;
/** Length of an uncompressed public key, including its prefix. */
const KEY_BYTES = 65;
/** Largest number of signatures recovered together; the same as PRESTATE_SIGNATURES_MAX in libsecp256k1.h. */
const TOGETHER_MAX = 16;

/** Recovers public keys in JavaScript, on every platform. */
export const recoverPublicKeysInJavaScript: RecoverPublicKeys = (signatures) =>
  signatures.map((signature) => {
    try {
      const { r, s } = secp256k1.Signature.fromBytes(numbersOf([signature]), 'compact');
      return new secp256k1.Signature(r, s, signature.parity).recoverPublicKey(signature.hash).toBytes(false).slice(1);
    } catch {
      // The signature is invalid. This is no bug, but @noble/curves can only report it by throwing.
      return null;
    }
  });

/** Recovers public keys with libsecp256k1; `null` if that part of the addon was not built. */
export const recoverPublicKeysNatively: RecoverPublicKeys | null = native();

/** Recovers public keys with libsecp256k1 if possible, otherwise in JavaScript. */
export const recoverPublicKeys = recoverPublicKeysNatively ?? recoverPublicKeysInJavaScript;

function native(): RecoverPublicKeys | null {
  const { part: module } = loadNativeModule('secp256k1');
  if (module === null) return null;
  const together = (signatures: readonly HashSignature[]): (Uint8Array | null)[] => {
    if (signatures.length === 0) return [];
    const hashes = new Uint8Array(WORD_BYTES * signatures.length);
    const parities = Uint8Array.from(signatures, ({ parity }) => parity);
    for (const [at, { hash }] of signatures.entries()) hashes.set(hash, WORD_BYTES * at);
    const keys = new Uint8Array(KEY_BYTES * signatures.length);
    module.recover(hashes, parities, numbersOf(signatures), keys);
    return signatures.map((_, at) => keyAt(keys, KEY_BYTES * at));
  };
  return (signatures) =>
    signatures.length <= TOGETHER_MAX ? together(signatures) : groupsOf(signatures).flatMap(together);
}

function groupsOf(signatures: readonly HashSignature[]): HashSignature[][] {
  const groups: HashSignature[][] = [];
  for (let at = 0; at < signatures.length; at += TOGETHER_MAX) groups.push(signatures.slice(at, at + TOGETHER_MAX));
  return groups;
}

function numbersOf(signatures: readonly HashSignature[]): Uint8Array {
  const numbers = new Uint8Array(SIGNATURE_BYTES * signatures.length);
  for (const [at, { r, s }] of signatures.entries()) {
    numbers.set(r, SIGNATURE_BYTES * at + WORD_BYTES - r.length);
    numbers.set(s, SIGNATURE_BYTES * (at + 1) - s.length);
  }
  return numbers;
}

function keyAt(keys: Uint8Array, at: number): Uint8Array | null {
  return keys[at] === 0 ? null : keys.slice(at + 1, at + KEY_BYTES);
}
