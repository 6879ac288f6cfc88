// Access to the memory of the shared state table: creates and opens its buffer, and finds the entry of a key.
import { LIMITS } from '../../../limits/index.js';
import {
  ACCOUNT_ENTRY_LAYOUT,
  ENTRY_FIELDS,
  TABLE_HEADER,
  LAYOUT_VERSION,
  OLDER_VALUE_RECORD,
  RECORD_ORDINAL_MASK,
  SLOT_ENTRY_LAYOUT,
  codeIndexBuckets,
  readCapacities,
  computeRegionOffsets,
  writeCapacities,
  type Capacities,
  type RegionWordOffsets,
} from './table-layout.js';
import { EMPTY_BUCKET_TAG, HASH_KEY_WORDS, hashAddress, hashSlot } from './key-hash.js';
import { IS_TSO } from '../../seqlock-word-copy.js';

/** An opened table. `words` is signed, because Atomics would allocate a heap number for an unsigned word above 2^31. */
export interface Table {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly regions: RegionWordOffsets;
  readonly capacities: Capacities;
  readonly accountMask: number;
  readonly slotMask: number;
  readonly olderMask: number;
  readonly codeIndexMask: number;
  /** The secrets of the hash function, copied out of shared memory. */
  readonly hashKey: Int32Array;
  readonly isComplete: boolean;
  /** What this thread's last search has found. */
  readonly found: FoundEntry;
}

/**
 * The entry that a search has found. Its bucket may be reused for another key at any time. Readers detect this by the
 * version word (see entry-reader.ts).
 */
export interface FoundEntry {
  /** The entry's version word, which was loaded before the tag. */
  version: number;
}

/** Largest size of a table in bytes. V8 must be able to represent the indices of its 32-bit words as small integers. */
export const TABLE_BYTES_MAX = 2 ** 33 - 2 ** 16;

export interface NewTableOptions extends Pick<Table, 'capacities' | 'hashKey' | 'isComplete'> {
  readonly generation: number;
}

/** Creates an empty table. Its memory is only reserved: the kernel commits a page when it is first written. */
export function createTable({ capacities, generation, isComplete, hashKey }: NewTableOptions): Table {
  const bytes = computeRegionOffsets(capacities).end * 4;
  if (bytes > TABLE_BYTES_MAX) throw new RangeError(`a table of ${bytes} bytes is more than ${TABLE_BYTES_MAX}`);
  const buffer = new SharedArrayBuffer(bytes);
  const words = new Int32Array(buffer);
  words[TABLE_HEADER.layoutVersion] = LAYOUT_VERSION;
  words[TABLE_HEADER.generation] = generation;
  words[TABLE_HEADER.complete] = isComplete ? 1 : 0;
  words[TABLE_HEADER.floor] = 1;
  words[TABLE_HEADER.olderHead] = 1;
  words[TABLE_HEADER.olderTail] = 1;
  words.set(hashKey, TABLE_HEADER.hashKey);
  writeCapacities(words, capacities);
  return openTable(buffer);
}

/** Opens a table that another thread may have created. */
export function openTable(buffer: SharedArrayBuffer): Table {
  const words = new Int32Array(buffer);
  if (words[TABLE_HEADER.layoutVersion] !== LAYOUT_VERSION) throw new Error('not a table of this build');
  const capacities = readCapacities(words);
  return {
    buffer,
    words,
    regions: computeRegionOffsets(capacities),
    capacities,
    accountMask: capacities.accounts - 1,
    slotMask: capacities.slots - 1,
    olderMask: capacities.older - 1,
    codeIndexMask: codeIndexBuckets(capacities) - 1,
    hashKey: new Int32Array(words.subarray(TABLE_HEADER.hashKey, TABLE_HEADER.hashKey + HASH_KEY_WORDS)),
    isComplete: words[TABLE_HEADER.complete] === 1,
    found: { version: 0 },
  };
}

/**
 * Returns the first word of an account's entry; 0 if the table has none. `key` contains the address at word `address`.
 */
export function findAccount(table: Table, key: Uint32Array, address: number): number {
  const tag = hashAddress(table.hashKey, key, address);
  const { words, accountMask: mask } = table;
  const { accounts } = table.regions;
  let bucket = tag & mask;
  for (let probes = 0; probes < LIMITS.tableProbesMax; probes++) {
    const entry = accounts + bucket * ACCOUNT_ENTRY_LAYOUT.words;
    const version = IS_TSO ? words[entry]! : Atomics.load(words, entry);
    const seen = IS_TSO ? words[entry + ENTRY_FIELDS.tag]! : Atomics.load(words, entry + ENTRY_FIELDS.tag);
    if (seen === EMPTY_BUCKET_TAG) return 0;
    if (seen === tag && isAccount(words, entry, key, address)) {
      table.found.version = version;
      return entry;
    }
    bucket = (bucket + 1) & mask;
  }
  return 0;
}

/** Returns the first word of a storage slot's entry; 0 if the table has none. */
export function findSlot(table: Table, key: Uint32Array, address: number, slot: number): number {
  const tag = hashSlot(table.hashKey, key, address, slot);
  const { words, slotMask: mask } = table;
  const { slots } = table.regions;
  let bucket = tag & mask;
  for (let probes = 0; probes < LIMITS.tableProbesMax; probes++) {
    const entry = slots + bucket * SLOT_ENTRY_LAYOUT.words;
    const version = IS_TSO ? words[entry]! : Atomics.load(words, entry);
    const seen = IS_TSO ? words[entry + ENTRY_FIELDS.tag]! : Atomics.load(words, entry + ENTRY_FIELDS.tag);
    if (seen === EMPTY_BUCKET_TAG) return 0;
    if (seen === tag && isSlot(words, entry, key, address, slot)) {
      table.found.version = version;
      return entry;
    }
    bucket = (bucket + 1) & mask;
  }
  return 0;
}

/** Returns the first word of the record of an older value. */
export function olderValueAt({ regions, olderMask }: Table, ordinal: number): number {
  return regions.older + (ordinal & olderMask) * OLDER_VALUE_RECORD.words;
}

/** Returns the ordinal of the record after that with `ordinal`. Ordinals wrap around, and are never 0. */
export function nextOrdinal(ordinal: number): number {
  const next = (ordinal + 1) & RECORD_ORDINAL_MASK;
  return next === 0 ? 1 : next;
}

/** Returns by how many records `earlier` is before `ordinal`. */
export function ordinalDistance(ordinal: number, earlier: number): number {
  return ordinal >= earlier ? ordinal - earlier : ordinal - earlier + RECORD_ORDINAL_MASK;
}

/** Returns the ordinal that is `count` before `ordinal`. `count` is at most the number of ordinals. */
export function ordinalMinus(ordinal: number, count: number): number {
  return ordinal > count ? ordinal - count : ordinal - count + RECORD_ORDINAL_MASK;
}

/**
 * Returns true if an entry has the address in `key`. The words are compared without a branch for each of them, because
 * they nearly always match.
 */
function isAccount(words: Int32Array, entry: number, key: Uint32Array, address: number): boolean {
  if (!IS_TSO) return isSame(words, entry + ENTRY_FIELDS.address, key, address, 5);
  return (
    ((words[entry + 3]! ^ key[address]!) |
      (words[entry + 4]! ^ key[address + 1]!) |
      (words[entry + 5]! ^ key[address + 2]!) |
      (words[entry + 6]! ^ key[address + 3]!) |
      (words[entry + 7]! ^ key[address + 4]!)) ===
    0
  );
}

/**
 * Returns true if an entry has the slot and address in `key`. Written without a loop, which would take 15 ns more.
 */
function isSlot(words: Int32Array, entry: number, key: Uint32Array, address: number, slot: number): boolean {
  if (!IS_TSO)
    return isSame(words, entry + SLOT_ENTRY_LAYOUT.slot, key, slot, 8) && isAccount(words, entry, key, address);
  return (
    ((words[entry + 8]! ^ key[slot]!) |
      (words[entry + 9]! ^ key[slot + 1]!) |
      (words[entry + 10]! ^ key[slot + 2]!) |
      (words[entry + 11]! ^ key[slot + 3]!) |
      (words[entry + 12]! ^ key[slot + 4]!) |
      (words[entry + 13]! ^ key[slot + 5]!) |
      (words[entry + 14]! ^ key[slot + 6]!) |
      (words[entry + 15]! ^ key[slot + 7]!) |
      (words[entry + 3]! ^ key[address]!) |
      (words[entry + 4]! ^ key[address + 1]!) |
      (words[entry + 5]! ^ key[address + 2]!) |
      (words[entry + 6]! ^ key[address + 3]!) |
      (words[entry + 7]! ^ key[address + 4]!)) ===
    0
  );
}

/** Returns true if `count` words are equal. Used on processors that reorder loads. */
function isSame(words: Int32Array, at: number, key: Uint32Array, keyAt: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (Atomics.load(words, at + i) !== (key[keyAt + i]! | 0)) return false;
  return true;
}
