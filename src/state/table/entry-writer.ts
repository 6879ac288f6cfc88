// Writes entries of the shared table in the order that keeps every published version readable; see entry-reader.ts. Runs
// on the publisher.
import { LIMITS } from '../../limits.js';
import { hashAddress, hashSlot } from './key-hash.js';
import { ACCOUNT, ENTRY, PAYLOAD_WORDS, SLOT } from './layout.js';
import type { OlderRing } from './older-ring.js';
import { copyIn } from '../ordered.js';
import { findAccount, findSlot, type Table } from './table.js';

/** Keys lie so far from their place that reads would become slow: the table needs another hash key. */
export class ProbesExceeded extends Error {
  override readonly name = 'ProbesExceeded';
}

/** A key and its new payload, outside of shared memory. */
export interface Change {
  /** Address in words 0-4, slot in words 5-12. */
  readonly key: Uint32Array;
  readonly payload: Int32Array;
}

/** Writes an account's payload as of `version`; true when the account is new to the table. */
export function writeAccount(table: Table, older: OlderRing, change: Change, version: number): boolean {
  const entry = findAccount(table, change.key, 0);
  if (entry !== 0) supersede(table, older, entry, ACCOUNT.payload, change, version);
  else insertAccount(table, change, version, 0);
  return entry === 0;
}

/** Writes a slot's payload as of `version`; true when the slot is new to the table. */
export function writeSlot(table: Table, older: OlderRing, change: Change, version: number): boolean {
  const entry = findSlot(table, change.key, 0, 5);
  if (entry !== 0) supersede(table, older, entry, SLOT.payload, change, version);
  else insertSlot(table, change, version, 0);
  return entry === 0;
}

/** Adds an account that the table does not have. `link`: the record behind its payload. */
export function insertAccount(table: Table, { key, payload }: Change, version: number, link: number): void {
  const tag = hashAddress(table.hashKey, key, 0);
  const place = emptyPlace(table, table.regions.accounts, ACCOUNT.words, table.accountMask, tag);
  const entry = table.regions.accounts + place * ACCOUNT.words;
  fill(table, entry, key, 5, payload, ACCOUNT.payload, version, link);
  Atomics.store(table.words, entry + ENTRY.tag, tag);
}

/** Adds a slot that the table does not have. `link`: the record behind its payload. */
export function insertSlot(table: Table, { key, payload }: Change, version: number, link: number): void {
  const tag = hashSlot(table.hashKey, key, 0, 5);
  const place = emptyPlace(table, table.regions.slots, SLOT.words, table.slotMask, tag);
  const entry = table.regions.slots + place * SLOT.words;
  fill(table, entry, key, 13, payload, SLOT.payload, version, link);
  Atomics.store(table.words, entry + ENTRY.tag, tag);
}

function supersede(
  table: Table,
  older: OlderRing,
  entry: number,
  payload: number,
  change: Change,
  version: number,
): void {
  const { words } = table;
  if (words[entry + ENTRY.version] === version) {
    throw new Error(`a key is changed twice in one diff: ${Buffer.from(change.key.buffer).toString('hex')}`);
  }
  // This order is what readers rely on: link, version word, payload.
  Atomics.store(words, entry + ENTRY.link, older.push(entry, payload, version));
  Atomics.store(words, entry + ENTRY.version, version);
  copyIn(words, entry + payload, change.payload, PAYLOAD_WORDS);
}

/** Everything of a new entry but its tag, without which no reader looks at it. */
function fill(
  { words }: Table,
  entry: number,
  key: Uint32Array,
  keyWords: number,
  payload: Int32Array,
  payloadAt: number,
  version: number,
  link: number,
): void {
  words[entry + ENTRY.version] = version;
  words[entry + ENTRY.link] = link;
  for (let i = 0; i < keyWords; i++) words[entry + ENTRY.address + i] = key[i]!;
  for (let i = 0; i < PAYLOAD_WORDS; i++) words[entry + payloadAt + i] = payload[i]!;
}

function emptyPlace({ words }: Table, region: number, entryWords: number, mask: number, tag: number): number {
  let place = tag & mask;
  for (let probes = 0; probes < LIMITS.tableProbesMax; probes++) {
    if (words[region + place * entryWords + ENTRY.tag] === 0) return place;
    place = (place + 1) & mask;
  }
  throw new ProbesExceeded(`no free place within ${LIMITS.tableProbesMax} of its own`);
}
