// A ring of records of complete blocks. Each record contains a link to the record of the block's parent. So every state
// version sees the chain on which it was published, even after a reorganization. Read on every thread, written by the
// publisher.
//
// A record does not change until it is overwritten; a reader notices that by its ordinal. Records of consecutive blocks
// that are adjacent in the ring form a run. Within a run, the record of a block is found by one subtraction. Each
// reorganization in between costs one more step.
import type { AncestorBlock } from '../../complete-block.js';
import { BLOCK_RECORD, BLOCK_RING_RECORDS, TABLE_HEADER } from './table-layout.js';
import { nextOrdinal, ordinalMinus, ordinalDistance, type Table } from './table.js';

interface BlockRingRecord extends AncestorBlock {
  /** The version that holds the state after the block. */
  readonly completedAt: number;
}

/**
 * Appends the record of a block, linked to that of its parent with ordinal `previous` (0 if the parent is unknown).
 * Returns the new record's ordinal.
 */
export function appendBlockRecord(table: Table, block: BlockRingRecord, previous: number): number {
  const { words } = table;
  const ordinal = nextOrdinal(words[TABLE_HEADER.blocks]!);
  const at = recordAt(table, ordinal);
  const continues =
    previous !== 0 && nextOrdinal(previous) === ordinal && numberOf(table, previous) + 1 === block.number;
  const run = continues ? words[recordAt(table, previous) + BLOCK_RECORD.run]! : ordinal;
  Atomics.store(words, at + BLOCK_RECORD.ordinal, 0);
  Atomics.store(words, at + BLOCK_RECORD.completedAt, block.completedAt);
  Atomics.store(words, at + BLOCK_RECORD.previous, previous);
  Atomics.store(words, at + BLOCK_RECORD.run, run);
  Atomics.store(words, at + BLOCK_RECORD.number, (block.number % 2 ** 32) | 0);
  Atomics.store(words, at + BLOCK_RECORD.number + 1, Math.floor(block.number / 2 ** 32));
  storeHash(words, at + BLOCK_RECORD.hash, block.hash);
  storeHash(words, at + BLOCK_RECORD.parentHash, block.parentHash);
  Atomics.store(words, at + BLOCK_RECORD.ordinal, ordinal);
  words[TABLE_HEADER.blocks] = ordinal;
  return ordinal;
}

/** Returns the ordinal of block `number` on the chain whose newest block has the record `top`; 0 if it is not known. */
export function findBlockRecord(table: Table, top: number, number: number): number {
  let ordinal = top;
  while (isThere(table, ordinal)) {
    const back = numberOf(table, ordinal) - number;
    const run = Atomics.load(table.words, recordAt(table, ordinal) + BLOCK_RECORD.run);
    if (!isThere(table, ordinal) || back < 0) return 0;
    if (back === 0) return ordinal;
    if (back <= ordinalDistance(ordinal, run)) ordinal = ordinalMinus(ordinal, back);
    else ordinal = isThere(table, run) ? previousOf(table, run) : 0;
  }
  return 0;
}

/**
 * Returns the ordinal of the newest block below `number` on the chain whose newest block has the record `top`; 0 if
 * there is none.
 */
export function findBlockRecordBelow(table: Table, top: number, number: number): number {
  let ordinal = top;
  while (isThere(table, ordinal) && numberOf(table, ordinal) >= number) ordinal = previousOf(table, ordinal);
  return isThere(table, ordinal) ? ordinal : 0;
}

/**
 * Yields the ordinals of the records with this block hash (32 bytes), canonical or not, newest first. A block has
 * several records if it became canonical several times: a reorganization has removed it, and another has restored it.
 */
export function* findBlockRecordsByHash(table: Table, hash: Uint8Array): Generator<number> {
  const first = new DataView(hash.buffer, hash.byteOffset).getInt32(0, true);
  const newest = Atomics.load(table.words, TABLE_HEADER.blocks);
  for (let back = 0; back < BLOCK_RING_RECORDS; back++) {
    const at = table.regions.blocks + ((newest - back) & (BLOCK_RING_RECORDS - 1)) * BLOCK_RECORD.words;
    if (table.words[at + BLOCK_RECORD.hash] !== first) continue;
    const ordinal = Atomics.load(table.words, at + BLOCK_RECORD.ordinal);
    const known = ordinal === 0 ? null : blockHashAtOrdinal(table, ordinal);
    if (known !== null && Buffer.compare(known, hash) === 0) yield ordinal;
  }
}

/** Returns the number of a block; -1 if its record was overwritten. */
export function blockNumberAt(table: Table, ordinal: number): number {
  const number = numberOf(table, ordinal);
  return isThere(table, ordinal) ? number : -1;
}

/** Returns the version with the state after a block; 0 if the block's record was overwritten. */
export function versionOfBlockAt(table: Table, ordinal: number): number {
  const version = Atomics.load(table.words, recordAt(table, ordinal) + BLOCK_RECORD.completedAt);
  return isThere(table, ordinal) ? version : 0;
}

/** Returns the hash of a block, 32 bytes; `null` if its record was overwritten. */
export function blockHashAtOrdinal(table: Table, ordinal: number): Uint8Array | null {
  const hash = loadHash(table.words, recordAt(table, ordinal) + BLOCK_RECORD.hash);
  return isThere(table, ordinal) ? hash : null;
}

function isThere(table: Table, ordinal: number): boolean {
  return ordinal !== 0 && Atomics.load(table.words, recordAt(table, ordinal) + BLOCK_RECORD.ordinal) === ordinal;
}

function recordAt({ regions }: Table, ordinal: number): number {
  return regions.blocks + (ordinal & (BLOCK_RING_RECORDS - 1)) * BLOCK_RECORD.words;
}

function numberOf(table: Table, ordinal: number): number {
  const at = recordAt(table, ordinal) + BLOCK_RECORD.number;
  return (Atomics.load(table.words, at) >>> 0) + Atomics.load(table.words, at + 1) * 2 ** 32;
}

function previousOf(table: Table, ordinal: number): number {
  const previous = Atomics.load(table.words, recordAt(table, ordinal) + BLOCK_RECORD.previous);
  return isThere(table, ordinal) ? previous : 0;
}

function storeHash(words: Int32Array, at: number, hash: Uint8Array): void {
  const view = new DataView(hash.buffer, hash.byteOffset, 32);
  for (let i = 0; i < 8; i++) Atomics.store(words, at + i, view.getInt32(i * 4, true));
}

function loadHash(words: Int32Array, at: number): Uint8Array {
  const hash = new Uint8Array(32);
  const view = new DataView(hash.buffer);
  for (let i = 0; i < 8; i++) view.setInt32(i * 4, Atomics.load(words, at + i), true);
  return hash;
}
