// Contract code in the shared table. Each code is stored once, and is found by its hash or its id. It never changes, so
// it is the same for all state versions. Codes are never evicted from a table. But when an incomplete table is copied,
// codes to which no account refers are left out, and the others get new ids. Read on every thread, written by the
// publisher.
import { hashCodeHash } from './key-hash.js';
import { CODE_DIRECTORY_ENTRY, TABLE_HEADER } from './table-layout.js';
import type { Table } from './table.js';
import { EMPTY_CODE_HASH } from '../../views/state-view.js';

const key = new Uint32Array(8);
const keyBytes = new Uint8Array(key.buffer);

/** Returns the id of the code with this hash (32 bytes); 0 for the empty code, -1 if it is not in the table. */
export function findCode(table: Table, hash: Uint8Array): number {
  keyBytes.set(hash);
  if (isEmptyHash()) return 0;
  const bucket = findBucket(table);
  const id = Atomics.load(table.words, table.regions.codeIndex + bucket);
  return id === 0 ? -1 : id;
}

/**
 * Returns a code's bytes without copying them out of shared memory. They are never overwritten, but a caller that
 * retains them must copy them, because a view keeps the whole table in memory.
 */
export function codeBytes(table: Table, id: number): Uint8Array {
  if (id <= 0) return NO_CODE;
  const entry = table.regions.codes + id * CODE_DIRECTORY_ENTRY.words;
  const offset = (table.regions.codeBytes + table.words[entry + CODE_DIRECTORY_ENTRY.offset]!) * 4;
  return new Uint8Array(table.buffer, offset, table.words[entry + CODE_DIRECTORY_ENTRY.length]);
}

/** Returns the hash of a code, 32 bytes. */
export function codeHash(table: Table, id: number): Uint8Array {
  if (id <= 0) return EMPTY_CODE_HASH;
  const entry = table.regions.codes + id * CODE_DIRECTORY_ENTRY.words;
  return new Uint8Array(new Uint32Array(table.words.subarray(entry, entry + 8)).buffer);
}

/** Returns the size of a code in 32-bit words. */
export function codeSizeWords(bytes: Uint8Array): number {
  return Math.ceil(bytes.length / 4);
}

/**
 * Adds a code that `findCode` does not find, and returns its id. The caller must have made sure that there is space.
 */
export function appendCode(table: Table, hash: Uint8Array, bytes: Uint8Array): number {
  const { words, regions } = table;
  keyBytes.set(hash);
  const bucket = findBucket(table);
  const id = words[TABLE_HEADER.codes]! + 1;
  const entry = regions.codes + id * CODE_DIRECTORY_ENTRY.words;
  const offset = words[TABLE_HEADER.codeWords]!;
  new Uint8Array(table.buffer).set(bytes, (regions.codeBytes + offset) * 4);
  words.set(key, entry + CODE_DIRECTORY_ENTRY.hash);
  words[entry + CODE_DIRECTORY_ENTRY.offset] = offset;
  words[entry + CODE_DIRECTORY_ENTRY.length] = bytes.length;
  words[TABLE_HEADER.codes] = id;
  words[TABLE_HEADER.codeWords] = offset + codeSizeWords(bytes);
  // Written last: readers find the code by this word of the index, and everything else must then be complete.
  return Atomics.store(words, regions.codeIndex + bucket, id);
}

const NO_CODE = new Uint8Array();
const emptyHash = new Uint32Array(EMPTY_CODE_HASH.slice().buffer);

function isEmptyHash(): boolean {
  return key.every((word, index) => word === emptyHash[index]);
}

/** Returns the bucket of `key` in the code index, or the empty bucket into which the key would be inserted. */
function findBucket(table: Table): number {
  const { words, regions, codeIndexMask: mask } = table;
  for (let bucket = hashCodeHash(table.hashKey, key, 0) & mask; ; bucket = (bucket + 1) & mask) {
    const id = Atomics.load(words, regions.codeIndex + bucket);
    if (id === 0 || isHashOf(table, id)) return bucket;
  }
}

function isHashOf({ words, regions }: Table, id: number): boolean {
  const entry = regions.codes + id * CODE_DIRECTORY_ENTRY.words;
  return key.every((word, index) => words[entry + CODE_DIRECTORY_ENTRY.hash + index] === (word | 0));
}
