// A keyed hash of addresses, slots and code hashes.
//
// An attacker can choose which slots a transaction uses, so the hash must not be predictable. A seeded murmur or xxHash
// would not be enough, because there are sets of keys that collide under every seed. Here each word is multiplied by a
// secret odd number, its halves are swapped, and it is multiplied by a second secret odd number, which is different for
// each word. The sum of all words is mixed once more. Any two different keys collide with a probability of at most
// about 2^-16 over the choice of the secrets. The products do not depend on each other, so hashing a storage key of 13
// words takes about 10 ns.
import { getRandomValues } from 'node:crypto';

/** Tag of an empty bucket, at which a search ends. No hash has this value. */
export const EMPTY_BUCKET_TAG = 0;
/** Tag of a bucket whose entry was evicted. A search continues past it. No hash has this value. */
export const TOMBSTONE_TAG = 1;

/** Words of the secret key: the first multiplier for all words, then one for each word of the longest key (5 + 8). */
export const HASH_KEY_WORDS = 14;

/** Returns new random secrets. */
export function randomHashKey(): Int32Array {
  return getRandomValues(new Int32Array(HASH_KEY_WORDS)).map((word) => word | 1);
}

/** Returns the hash of an address, whose 5 words start at `at`. It never equals EMPTY_BUCKET_TAG or TOMBSTONE_TAG. */
export function hashAddress(key: Int32Array, words: Uint32Array, at: number): number {
  return finish(sum(key, 1, words, at, 5));
}

/**
 * Returns the hash of a storage key: an address of 5 words and a slot of 8 words. It never equals EMPTY_BUCKET_TAG or
 * TOMBSTONE_TAG. Written without a loop: otherwise V8 would not inline the comparison of keys in `findSlot`, and a
 * look-up would take 20 ns more.
 */
export function hashSlot(key: Int32Array, words: Uint32Array, address: number, slot: number): number {
  const first = key[0]!;
  let total = 0;
  total = (total + mix(words[address]!, first, key[1]!)) | 0;
  total = (total + mix(words[address + 1]!, first, key[2]!)) | 0;
  total = (total + mix(words[address + 2]!, first, key[3]!)) | 0;
  total = (total + mix(words[address + 3]!, first, key[4]!)) | 0;
  total = (total + mix(words[address + 4]!, first, key[5]!)) | 0;
  total = (total + mix(words[slot]!, first, key[6]!)) | 0;
  total = (total + mix(words[slot + 1]!, first, key[7]!)) | 0;
  total = (total + mix(words[slot + 2]!, first, key[8]!)) | 0;
  total = (total + mix(words[slot + 3]!, first, key[9]!)) | 0;
  total = (total + mix(words[slot + 4]!, first, key[10]!)) | 0;
  total = (total + mix(words[slot + 5]!, first, key[11]!)) | 0;
  total = (total + mix(words[slot + 6]!, first, key[12]!)) | 0;
  total = (total + mix(words[slot + 7]!, first, key[13]!)) | 0;
  return finish(total);
}

/** Returns the hash of a code hash, whose 8 words start at `at`. It is never one of the two tags above. */
export function hashCodeHash(key: Int32Array, words: Uint32Array, at: number): number {
  return finish(sum(key, 6, words, at, 8));
}

function sum(key: Int32Array, keyAt: number, words: Uint32Array, at: number, count: number): number {
  let total = 0;
  for (let i = 0; i < count; i++) total = (total + mix(words[at + i]!, key[0]!, key[keyAt + i]!)) | 0;
  return total;
}

function mix(word: number, first: number, second: number): number {
  const product = Math.imul(word, first);
  return Math.imul((product << 16) | (product >>> 16), second);
}

function finish(total: number): number {
  let hash = Math.imul(total ^ (total >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35 | 0);
  hash ^= hash >>> 16;
  return hash >>> 0 <= TOMBSTONE_TAG ? TOMBSTONE_TAG + 1 : hash;
}
