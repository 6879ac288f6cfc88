// Writes entries of the shared table in an order that keeps every published state version readable; see
// entry-reader.ts.
import { LIMITS } from '../../../limits/index.js';
import { EMPTY_BUCKET_TAG, TOMBSTONE_TAG, hashAddress, hashSlot } from '../layout/key-hash.js';
import {
  ACCOUNT_ENTRY_LAYOUT,
  ENTRY_FIELDS,
  CLOCK_MARK_BIT,
  PAYLOAD_WORDS,
  SLOT_ENTRY_LAYOUT,
} from '../layout/table-layout.js';
import type { OlderValuesRing } from './older-values-ring.js';
import { copyToShared } from '../../seqlock-word-copy.js';
import { findAccount, findSlot, type Table } from '../layout/table.js';

/**
 * Thrown if there is no free bucket near a key's home bucket, so that reads would become slow. The table must then be
 * copied with another hash key.
 */
export class ProbesExceeded extends Error {
  override readonly name = 'ProbesExceeded';
}

/** A key and its new payload, encoded outside of shared memory. */
export interface EntryChange {
  /** The address in words 0 to 4, the slot in words 5 to 12. */
  readonly key: Uint32Array;
  readonly payload: Int32Array;
}

/** The layout of one kind of entries in a table: accounts or slots. */
export interface EntryLayout {
  readonly name: 'accounts' | 'slots';
  readonly words: number;
  readonly keyWords: number;
  /** Word of an entry at which its payload starts. */
  readonly payload: number;
  readonly maskOf: (table: Table) => number;
  readonly tagOf: (table: Table, key: Uint32Array) => number;
  /** Returns the first word of a key's entry; 0 if the table has none. */
  readonly find: (table: Table, key: Uint32Array) => number;
}

export const ACCOUNT_ENTRIES: EntryLayout = {
  name: 'accounts',
  ...ACCOUNT_ENTRY_LAYOUT,
  keyWords: 5,
  maskOf: ({ accountMask }) => accountMask,
  tagOf: ({ hashKey }, key) => hashAddress(hashKey, key, 0),
  find: (table, key) => findAccount(table, key, 0),
};

export const SLOT_ENTRIES: EntryLayout = {
  name: 'slots',
  ...SLOT_ENTRY_LAYOUT,
  keyWords: 13,
  maskOf: ({ slotMask }) => slotMask,
  tagOf: ({ hashKey }, key) => hashSlot(hashKey, key, 0, 5),
  find: (table, key) => findSlot(table, key, 0, 5),
};

/** Replaces the payload of an existing entry at `version`. The old payload moves to the ring of older values. */
export function replaceEntryKeepingOlder(
  { words }: Table,
  older: OlderValuesRing,
  { payload }: EntryLayout,
  entry: number,
  change: EntryChange,
  version: number,
): void {
  if (words[entry + ENTRY_FIELDS.version] === version) {
    throw new Error(`a key is changed twice in one diff: ${Buffer.from(change.key.buffer).toString('hex')}`);
  }
  // Readers rely on the order of these three stores: link, version word, payload.
  Atomics.store(words, entry + ENTRY_FIELDS.link, older.push(entry, payload, version) | CLOCK_MARK_BIT);
  Atomics.store(words, entry + ENTRY_FIELDS.version, version);
  copyToShared(words, entry + payload, change.payload, PAYLOAD_WORDS);
}

/**
 * Adds a key that the table lacks. Returns its entry. `link` refers to the record of the older value, and includes
 * CLOCK_MARK_BIT.
 */
export function insertEntry(
  table: Table,
  kind: EntryLayout,
  change: EntryChange,
  version: number,
  link: number,
): number {
  const { words } = table;
  const tag = kind.tagOf(table, change.key);
  const entry = table.regions[kind.name] + freeBucket(table, kind, tag) * kind.words;
  // A reader may still be reading the evicted entry in this bucket. It detects the change by the version word, which is
  // therefore written first.
  Atomics.store(words, entry + ENTRY_FIELDS.version, version);
  Atomics.store(words, entry + ENTRY_FIELDS.link, link);
  copyToShared(words, entry + ENTRY_FIELDS.address, change.key, kind.keyWords);
  copyToShared(words, entry + kind.payload, change.payload, PAYLOAD_WORDS);
  Atomics.store(words, entry + ENTRY_FIELDS.tag, tag);
  return entry;
}

/** Returns the distance of an entry from its home bucket, in buckets. */
export function probeDistance(table: Table, kind: EntryLayout, entry: number): number {
  const bucket = (entry - table.regions[kind.name]) / kind.words;
  return (bucket - table.words[entry + ENTRY_FIELDS.tag]!) & kind.maskOf(table);
}

function freeBucket(table: Table, kind: EntryLayout, tag: number): number {
  const { words } = table;
  const region = table.regions[kind.name];
  const mask = kind.maskOf(table);
  let bucket = tag & mask;
  for (let probes = 0; probes < LIMITS.tableProbesMax; probes++) {
    const seen = words[region + bucket * kind.words + ENTRY_FIELDS.tag]!;
    if (seen === EMPTY_BUCKET_TAG || seen === TOMBSTONE_TAG) return bucket;
    bucket = (bucket + 1) & mask;
  }
  throw new ProbesExceeded(`no free place within ${LIMITS.tableProbesMax} of its own`);
}
