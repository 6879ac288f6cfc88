// Reads the payload (value) that a key had at a state version, without locks and without ever waiting.
//
// To replace a value, the writer copies the old payload to a record, links it to the entry, stores the new version word
// in the entry, and overwrites the payload. The state version is published after that. A reader of version v loads the
// entry's version word. If it is at most v, the reader copies the payload, which is right if the version word has not
// changed meanwhile. If it is above v, the reader follows the link to records of older values, which never change.
// Whenever a writer dies, every published version can still be read.
//
// In an incomplete table, a bucket may be reused for another key. The writer raises `reclaimed` above the old entry's
// version and makes its tag a tombstone. It then writes the new key in the order version word, link, key, payload, tag,
// with a version not below `reclaimed`. So the version word of a bucket only grows. A reader loads the version word,
// then tag and key, then payload or link, then the version word again. If this is still the same, the bucket was not
// reused in between, and the tag belonged to a complete entry; otherwise the reader retries. On processors that reorder
// loads (seqlock-word-copy.ts), each of these loads is atomic, and so is every store of an entry to a bucket.
//
// A key that is not in an incomplete table has not changed since version `reclaimed`, because only entries of lower
// versions are evicted. If a reader of an older version finds no entry, it gets an error: the key may have changed
// after that version, so a value that is now fetched from the node might be too new.
import {
  ACCOUNT_ENTRY_LAYOUT,
  ENTRY_FIELDS,
  TABLE_HEADER,
  CLOCK_MARK_BIT,
  OLDER_VALUE_RECORD,
  RECORD_ORDINAL_MASK,
  SLOT_ENTRY_LAYOUT,
} from '../layout/table-layout.js';
import { IS_TSO, copyPayloadFromShared } from '../../seqlock-word-copy.js';
import { VersionNotKept } from '../../views/state-miss.js';
import { findAccount, findSlot, type Table } from '../layout/table.js';

/** The result of one attempt to read an entry. `changed`: the entry was written or evicted during the attempt. */
const READ_RESULT = { changed: 0, absent: 1, read: 2 } as const;

/**
 * Copies the payload that an account had at `version` into `out`. Returns false if the table has no value of the
 * account at that version. Throws VersionNotKept if the value was freed, which cannot happen to a pinned version.
 */
export function readAccount(
  table: Table,
  key: Uint32Array,
  address: number,
  version: number,
  out: Int32Array,
): boolean {
  for (;;) {
    const entry = findAccount(table, key, address);
    const result =
      entry === 0 ? absent(table, version) : readPayload(table, entry, ACCOUNT_ENTRY_LAYOUT.payload, version, out);
    if (result !== READ_RESULT.changed) return result === READ_RESULT.read;
  }
}

/** Copies the word that a storage slot had at `version`. Returns and throws the same as `readAccount`. */
export function readSlot(
  table: Table,
  key: Uint32Array,
  address: number,
  slot: number,
  version: number,
  out: Int32Array,
): boolean {
  for (;;) {
    const entry = findSlot(table, key, address, slot);
    const result =
      entry === 0 ? absent(table, version) : readPayload(table, entry, SLOT_ENTRY_LAYOUT.payload, version, out);
    if (result !== READ_RESULT.changed) return result === READ_RESULT.read;
  }
}

function absent(table: Table, version: number): number {
  if (!table.isComplete && Atomics.load(table.words, TABLE_HEADER.reclaimed) > version)
    throw new VersionNotKept(version);
  return READ_RESULT.absent;
}

function readPayload(table: Table, entry: number, payload: number, version: number, out: Int32Array): number {
  const { words } = table;
  const seen = table.found.version;
  const link = IS_TSO ? words[entry + ENTRY_FIELDS.link]! : Atomics.load(words, entry + ENTRY_FIELDS.link);
  if (seen <= version) copyPayloadFromShared(words, entry + payload, out);
  if (Atomics.load(words, entry + ENTRY_FIELDS.version) !== seen) return READ_RESULT.changed;
  if (link >= 0) Atomics.compareExchange(words, entry + ENTRY_FIELDS.link, link, link | CLOCK_MARK_BIT);
  return seen <= version ? READ_RESULT.read : readOlder(table, link & RECORD_ORDINAL_MASK, version, out);
}

function readOlder(table: Table, first: number, version: number, out: Int32Array): number {
  const { words, olderMask } = table;
  const { older } = table.regions;
  let above = Infinity;
  let result: number = READ_RESULT.absent;
  for (let link = first; link !== 0;) {
    const record = older + (link & olderMask) * OLDER_VALUE_RECORD.words;
    const seen = IS_TSO
      ? words[record + OLDER_VALUE_RECORD.version]!
      : Atomics.load(words, record + OLDER_VALUE_RECORD.version);
    if (seen <= version) {
      copyPayloadFromShared(words, record + OLDER_VALUE_RECORD.payload, out);
      result = READ_RESULT.read;
      break;
    }
    // Along the links, versions decrease, unless a record was overwritten during the read. In that case `reclaimed` was
    // raised before, which is checked after the loop.
    if (seen >= above) break;
    above = seen;
    // A record whose version is above ours was also replaced after our version, so it is not freed while our version is
    // retained. This is also true for the target of a jump, so the jump can be followed.
    const jumpVersion = IS_TSO
      ? words[record + OLDER_VALUE_RECORD.jumpVersion]!
      : Atomics.load(words, record + OLDER_VALUE_RECORD.jumpVersion);
    const step = jumpVersion > version ? OLDER_VALUE_RECORD.jump : OLDER_VALUE_RECORD.link;
    link = IS_TSO ? words[record + step]! : Atomics.load(words, record + step);
  }
  if (Atomics.load(words, TABLE_HEADER.reclaimed) > version) throw new VersionNotKept(version);
  return result;
}
