// Records of complete blocks in a ring. Each is linked to the canonical block before it, so that every version sees the
// chain on which it was published, whatever reorganizations came later. Read on every thread, written by the publisher.
//
// A record never changes, and its ordinal shows whether it has been overwritten. Records of an unbroken run of blocks
// are adjacent, so a block of the same run is found with one subtraction. Each reorganization in between costs one more
// step.
import { BLOCK, BLOCK_RING, HEADER } from './layout.js';
import { nextOrdinal, ordinalBefore, ordinalsBehind, type Table } from './table.js';

export interface CompletedBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parentHash: Uint8Array;
  /** The version with the state after it. */
  readonly completedAt: number;
}

/** Appends a block's record after ordinal `previous` (0 if the parent is unknown); returns its ordinal. */
export function appendBlockRecord(table: Table, block: CompletedBlock, previous: number): number {
  const { words } = table;
  const ordinal = nextOrdinal(words[HEADER.blocks]!);
  const at = recordAt(table, ordinal);
  const continues =
    previous !== 0 && nextOrdinal(previous) === ordinal && numberOf(table, previous) + 1 === block.number;
  const run = continues ? words[recordAt(table, previous) + BLOCK.run]! : ordinal;
  Atomics.store(words, at + BLOCK.ordinal, 0);
  Atomics.store(words, at + BLOCK.completedAt, block.completedAt);
  Atomics.store(words, at + BLOCK.previous, previous);
  Atomics.store(words, at + BLOCK.run, run);
  Atomics.store(words, at + BLOCK.number, (block.number % 2 ** 32) | 0);
  Atomics.store(words, at + BLOCK.number + 1, Math.floor(block.number / 2 ** 32));
  storeHash(words, at + BLOCK.hash, block.hash);
  storeHash(words, at + BLOCK.parentHash, block.parentHash);
  Atomics.store(words, at + BLOCK.ordinal, ordinal);
  words[HEADER.blocks] = ordinal;
  return ordinal;
}

/** Ordinal of block `number` on the chain that ends with the record `top`; 0 if it is not known. */
export function findBlock(table: Table, top: number, number: number): number {
  let ordinal = top;
  while (isThere(table, ordinal)) {
    const back = numberOf(table, ordinal) - number;
    const run = Atomics.load(table.words, recordAt(table, ordinal) + BLOCK.run);
    if (!isThere(table, ordinal) || back < 0) return 0;
    if (back === 0) return ordinal;
    if (back <= ordinalsBehind(ordinal, run)) ordinal = ordinalBefore(ordinal, back);
    else ordinal = isThere(table, run) ? previousOf(table, run) : 0;
  }
  return 0;
}

/** Ordinal of the newest block below `number` on the chain that ends with the record `top`; 0 if there is none. */
export function findBelow(table: Table, top: number, number: number): number {
  let ordinal = top;
  while (isThere(table, ordinal) && numberOf(table, ordinal) >= number) ordinal = previousOf(table, ordinal);
  return isThere(table, ordinal) ? ordinal : 0;
}

/**
 * Ordinals of the records with this block hash (32 bytes), whether canonical or not, the newest first. A block has one
 * record for each time that it became complete, for example because a reorganization left it and another one came back
 * to it.
 */
export function* findHash(table: Table, hash: Uint8Array): Generator<number> {
  const first = new DataView(hash.buffer, hash.byteOffset).getInt32(0, true);
  const newest = Atomics.load(table.words, HEADER.blocks);
  for (let back = 0; back < BLOCK_RING; back++) {
    const at = table.regions.blocks + ((newest - back) & (BLOCK_RING - 1)) * BLOCK.words;
    if (table.words[at + BLOCK.hash] !== first) continue;
    const ordinal = Atomics.load(table.words, at + BLOCK.ordinal);
    const known = ordinal === 0 ? null : hashOf(table, ordinal);
    if (known !== null && Buffer.compare(known, hash) === 0) yield ordinal;
  }
}

/** Number of a block; -1 if its record was overwritten. */
export function numberAt(table: Table, ordinal: number): number {
  const number = numberOf(table, ordinal);
  return isThere(table, ordinal) ? number : -1;
}

/** The version with the state after a block; 0 if its record was overwritten. */
export function completedAt(table: Table, ordinal: number): number {
  const version = Atomics.load(table.words, recordAt(table, ordinal) + BLOCK.completedAt);
  return isThere(table, ordinal) ? version : 0;
}

/** Hash of a block, 32 bytes; `null` if its record was overwritten. */
export function hashOf(table: Table, ordinal: number): Uint8Array | null {
  const hash = loadHash(table.words, recordAt(table, ordinal) + BLOCK.hash);
  return isThere(table, ordinal) ? hash : null;
}

function isThere(table: Table, ordinal: number): boolean {
  return ordinal !== 0 && Atomics.load(table.words, recordAt(table, ordinal) + BLOCK.ordinal) === ordinal;
}

function recordAt({ regions }: Table, ordinal: number): number {
  return regions.blocks + (ordinal & (BLOCK_RING - 1)) * BLOCK.words;
}

function numberOf(table: Table, ordinal: number): number {
  const at = recordAt(table, ordinal) + BLOCK.number;
  return (Atomics.load(table.words, at) >>> 0) + Atomics.load(table.words, at + 1) * 2 ** 32;
}

function previousOf(table: Table, ordinal: number): number {
  const previous = Atomics.load(table.words, recordAt(table, ordinal) + BLOCK.previous);
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
