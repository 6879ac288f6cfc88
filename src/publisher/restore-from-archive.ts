// Restores the state after the archive's newest block into a new table when the publisher restarts.
import { decodeHeader } from '../chain/block/header.js';
import { LIMITS } from '../limits/index.js';
import type { ArchiveWriter } from '../state/archive/writer.js';
import type { AncestorBlock } from '../state/complete-block.js';
import { NO_STATE_CHANGES, type StateDiff } from '../state/state-diff.js';

/**
 * Largest number of changes that are published together. It limits the memory that a restart takes in addition to the
 * table.
 */
const CHUNK_CHANGES = 100_000;

/** Yields the state after the archive's newest block as diffs, in order; none if the archive is empty. */
export function* restoreDiffs(archive: ArchiveWriter): IterableIterator<StateDiff> {
  const head = archive.head();
  const heads = archive.reader.heads();
  const record = head === null ? null : archive.reader.record(head.number);
  if (head === null || heads === null || record === null) return;
  const { parentHash } = decodeHeader(head.header);
  const coordinates = { block: head.number, index: 0, hash: head.hash, parentHash };
  const position = { ...NO_STATE_CHANGES, coordinates, env: record.env, heads };
  yield { ...position, codes: [...archive.codes()] };
  for (const accounts of chunks(archive.accounts())) yield { ...position, accounts };
  for (const slots of chunks(archive.slots())) yield { ...position, slots };
}

function* chunks<T>(items: Iterable<T>): IterableIterator<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < CHUNK_CHANGES) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Returns the blocks before the archive's newest block that BLOCKHASH can read, oldest first. */
export function recentAncestors(archive: ArchiveWriter): AncestorBlock[] {
  const head = archive.head()?.number ?? 0;
  const blocks: AncestorBlock[] = [];
  for (let number = Math.max(0, head - LIMITS.blockHashesKept); number < head; number++) {
    const record = archive.reader.record(number);
    if (record !== null) blocks.push({ number, hash: record.hash, parentHash: decodeHeader(record.header).parentHash });
  }
  return blocks;
}
