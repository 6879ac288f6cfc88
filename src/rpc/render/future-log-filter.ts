// Selects the logs of future blocks that a subscriber gets: by content, and by block, complete or pre-confirmed.
import { toHex } from '../../lib/bytes/hex.js';
import type { ExecutedBlock } from '../view/executed-block.js';
import type { LogFilter } from './log-filter.js';

/** Which logs are sent, of which blocks, and when. */
export interface FutureLogFilter {
  readonly filter: LogFilter;
  /** Logs of complete blocks, logs when they are pre-confirmed, or both. */
  readonly kind: 'complete' | 'preConfirmed' | 'all';
  /** Number of the first block, and of the last one. */
  readonly first?: bigint | undefined;
  readonly last?: bigint | undefined;
  /** Hash of the only block, 32 bytes. */
  readonly blockHash?: Uint8Array;
}

/** True if logs of this block are sent. */
export function filterIncludesBlock(
  { first, last, blockHash }: FutureLogFilter,
  { number, hash }: ExecutedBlock,
): boolean {
  if (blockHash !== undefined) return hash !== null && Buffer.compare(hash, blockHash) === 0;
  return (first === undefined || number >= first) && (last === undefined || number <= last);
}

/** A key that is equal for equal criteria. It starts with the topic's name. */
export function futureLogFilterKey({ filter, kind, first, last, blockHash }: FutureLogFilter): string {
  const range = [first, last, blockHash && toHex(blockHash)].some((end) => end !== undefined)
    ? ` ${first}-${last} ${blockHash && toHex(blockHash)}`
    : '';
  return `${kind === 'preConfirmed' ? 'pendingLogs' : 'logs'} ${kind === 'all' ? 'all ' : ''}${filter.key}${range}`;
}
