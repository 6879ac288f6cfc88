// Reads the payload that an entry had at a version, without locks and without ever waiting. Runs on every thread.
//
// The writer links the old payload behind the entry, then stores the new version word, then overwrites the payload, and
// publishes the version last. A reader of version v therefore finds the version word either at most v, and copies the
// payload, which is its own if the word has not changed meanwhile; or above v, and then the link leads to records that
// nobody changes. A writer that dies at any point leaves every published version readable.
import { ENTRY, HEADER, OLDER } from './layout.js';
import { IS_TSO, copyPayload } from '../ordered.js';
import { VersionNotKept } from '../state-miss.js';
import type { Table } from './table.js';

/**
 * Copies the payload that the entry had at `version` into `out`; false when it did not exist then. Throws VersionNotKept
 * when records it would have needed were reclaimed, which a pin prevents.
 */
export function readPayload(table: Table, entry: number, payload: number, version: number, out: Int32Array): boolean {
  const { words } = table;
  const seen = IS_TSO ? words[entry + ENTRY.version]! : Atomics.load(words, entry + ENTRY.version);
  if (seen <= version) {
    copyPayload(words, entry + payload, out);
    if (Atomics.load(words, entry + ENTRY.version) === seen) return true;
  }
  return readOlder(table, Atomics.load(words, entry + ENTRY.link), version, out);
}

function readOlder(table: Table, first: number, version: number, out: Int32Array): boolean {
  const { words, olderMask } = table;
  const { older } = table.regions;
  let above = Infinity;
  let found = false;
  for (let link = first; link !== 0;) {
    const record = older + (link & olderMask) * OLDER.words;
    const seen = IS_TSO ? words[record + OLDER.version]! : Atomics.load(words, record + OLDER.version);
    if (seen <= version) {
      copyPayload(words, record + OLDER.payload, out);
      found = true;
      break;
    }
    // Only a record that was reclaimed under an unprotected reader breaks the order; the check below tells.
    if (seen >= above) break;
    above = seen;
    // A record with a version above ours was superseded above ours too, so it is still there and can be jumped to.
    const jumpVersion = IS_TSO ? words[record + OLDER.jumpVersion]! : Atomics.load(words, record + OLDER.jumpVersion);
    const step = jumpVersion > version ? OLDER.jump : OLDER.link;
    link = IS_TSO ? words[record + step]! : Atomics.load(words, record + step);
  }
  if (Atomics.load(words, HEADER.reclaimed) > version) throw new VersionNotKept(version);
  return found;
}
