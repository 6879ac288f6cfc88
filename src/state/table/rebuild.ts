// Copies the shared table into another one: larger, with another hash key, or free of what a dead writer left half done.
// Versions, older values and ordinals stay what they are. Runs on the publisher.
import { LIMITS } from '../../limits.js';
import { codeBytes, codeHash, appendCode } from './codes.js';
import { insertAccount, insertSlot, type Change } from './entry-writer.js';
import {
  ACCOUNT,
  ACCOUNT_PAYLOAD,
  BLOCK,
  BLOCK_RING,
  ENTRY,
  HALF_WORDS,
  HEADER,
  NO_ACCOUNT,
  OLDER,
  PAYLOAD_WORDS,
  SLOT,
  VERSION,
  type Capacities,
} from './layout.js';
import { createTable, nextOrdinal, type Table } from './table.js';

/** A copy of a table. */
export interface Rebuilt {
  readonly table: Table;
  /** Entries in it. */
  readonly accounts: number;
  readonly slots: number;
}

/** A table with these capacities that answers as `source` does for every version from its floor to its newest. */
export function rebuildTable(source: Table, capacities: Capacities, hashKey: Int32Array): Rebuilt {
  const generation = source.words[HEADER.generation]! + 1;
  const target = createTable({ capacities, generation, isComplete: source.isComplete, hashKey });
  copyRings(source, target);
  copyCodes(source, target);
  copyOlder(source, target);
  const accounts = copyEntries(source, target, 'accounts');
  const slots = copyEntries(source, target, 'slots');
  Atomics.store(target.words, HEADER.newest, source.words[HEADER.newest]!);
  return { table: target, accounts, slots };
}

const COPIED = ['floor', 'olderHead', 'olderTail', 'halves', 'blocks'] as const;

function copyRings(source: Table, target: Table): void {
  for (const name of COPIED) target.words[HEADER[name]] = source.words[HEADER[name]]!;
  // Entries and links that only versions below the floor need are left behind.
  target.words[HEADER.reclaimed] = source.words[HEADER.floor]!;
  copyRegion(source, target, 'versions', LIMITS.versionsKeptMax * VERSION.words);
  copyRegion(source, target, 'blocks', BLOCK_RING * BLOCK.words);
  copyRegion(source, target, 'halves', (source.words[HEADER.halves]! + 1) * HALF_WORDS);
}

function copyRegion(source: Table, target: Table, name: 'versions' | 'blocks' | 'halves', length: number): void {
  const from = source.regions[name];
  target.words.set(source.words.subarray(from, from + length), target.regions[name]);
}

function copyCodes(source: Table, target: Table): void {
  for (let id = 1; id <= source.words[HEADER.codes]!; id++) {
    appendCode(target, codeHash(source, id), codeBytes(source, id));
  }
}

function copyOlder(source: Table, target: Table): void {
  const end = source.words[HEADER.olderHead]!;
  for (let ordinal = source.words[HEADER.olderTail]!; ordinal !== end; ordinal = nextOrdinal(ordinal)) {
    const from = source.regions.older + (ordinal & source.olderMask) * OLDER.words;
    const to = target.regions.older + (ordinal & target.olderMask) * OLDER.words;
    for (let i = 0; i < OLDER.words; i++) target.words[to + i] = source.words[from + i]!;
  }
}

/** Copies the entries of one kind and returns how many there are. */
function copyEntries(source: Table, target: Table, kind: 'accounts' | 'slots'): number {
  const shape = kind === 'accounts' ? ACCOUNT : SLOT;
  const insert = kind === 'accounts' ? insertAccount : insertSlot;
  const change = { key: new Uint32Array(13), payload: new Int32Array(PAYLOAD_WORDS) };
  const end = source.regions[kind] + source.capacities[kind] * shape.words;
  let count = 0;
  for (let entry = source.regions[kind]; entry < end; entry += shape.words) {
    if (source.words[entry + ENTRY.tag] === 0) continue;
    const from = published(source, entry, entry + shape.payload);
    if (from === null) continue;
    for (let i = 0; i < shape.payload - ENTRY.address; i++) change.key[i] = source.words[entry + ENTRY.address + i]!;
    for (let i = 0; i < PAYLOAD_WORDS; i++) change.payload[i] = source.words[from.payload + i]!;
    if (source.isComplete && from.link === 0 && isAbsent(change, kind)) continue;
    insert(target, change, from.version, from.link);
    count++;
  }
  return count;
}

interface Origin {
  readonly version: number;
  readonly link: number;
  /** First word of the payload. */
  readonly payload: number;
}

/** Where the newest published payload of an entry is; `null` for an entry that was never published. */
function published(source: Table, entry: number, inline: number): Origin | null {
  const { words } = source;
  const version = words[entry + ENTRY.version]!;
  const link = words[entry + ENTRY.link]!;
  const record = source.regions.older + (link & source.olderMask) * OLDER.words;
  if (version > words[HEADER.newest]!) {
    return link === 0 ? null : origin(source, record, record + OLDER.payload);
  }
  // A writer that died between link and version word left a record that says the same as the entry.
  const isHalfDone = link !== 0 && words[record + OLDER.version] === version;
  return isHalfDone ? origin(source, record, inline) : origin(source, entry, inline);
}

/** `at`: an entry or a record. What lies behind a version at or below the floor is read by nobody. */
function origin({ words }: Table, at: number, payload: number): Origin {
  const version = words[at + ENTRY.version]!;
  return { version, link: version <= words[HEADER.floor]! ? 0 : words[at + ENTRY.link]!, payload };
}

function isAbsent({ payload }: Change, kind: 'accounts' | 'slots'): boolean {
  if (kind === 'accounts') return payload[ACCOUNT_PAYLOAD.code] === NO_ACCOUNT;
  return payload.every((word) => word === 0);
}
