// Keyed hash of addresses, slots and code hashes. Runs on every thread.
//
// Whoever sends transactions chooses slots, so the hash must not be predictable: with murmur or xxHash, sets of keys
// exist that collide under every seed. Here word i is multiplied by a secret odd number, its halves are swapped, and it
// is multiplied by a second secret odd number of its own; the sum is mixed once more. Two keys that differ collide with
// at most some 2^-16 over the choice of secrets, whatever the difference. All products are independent of each other,
// so a storage key of 13 words costs about 10 ns.
import { getRandomValues } from 'node:crypto';

/** First multiplier of all words, then one second multiplier per word of the longest key: 5 + 8. */
export const HASH_KEY_WORDS = 14;

/** New secrets. */
export function randomHashKey(): Int32Array {
  return getRandomValues(new Int32Array(HASH_KEY_WORDS)).map((word) => word | 1);
}

/** Hash of an address, 5 words at `at`. Never 0. */
export function hashAddress(key: Int32Array, words: Uint32Array, at: number): number {
  return finish(sum(key, 1, words, at, 5));
}

/** Hash of a storage key: address, 5 words, and slot, 8 words. Never 0. */
export function hashSlot(key: Int32Array, words: Uint32Array, address: number, slot: number): number {
  return finish((sum(key, 1, words, address, 5) + sum(key, 6, words, slot, 8)) | 0);
}

/** Hash of a code hash, 8 words at `at`. Never 0. */
export function hashCodeHash(key: Int32Array, words: Uint32Array, at: number): number {
  return finish(sum(key, 6, words, at, 8));
}

function sum(key: Int32Array, keyAt: number, words: Uint32Array, at: number, count: number): number {
  const first = key[0]!;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const product = Math.imul(words[at + i]!, first);
    total = (total + Math.imul((product << 16) | (product >>> 16), key[keyAt + i]!)) | 0;
  }
  return total;
}

function finish(total: number): number {
  let hash = Math.imul(total ^ (total >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35 | 0);
  hash ^= hash >>> 16;
  return hash === 0 ? 1 : hash;
}
