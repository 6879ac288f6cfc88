// Decides which logs of future blocks a subscriber gets: by content, by block number or hash, and whether blocks are
// complete or pre-confirmed.
import { toHex } from '../../lib/bytes/hex.js';
import type { ExecutedBlock } from '../view/executed-block-types.js';
import type { LogFilter } from './log-filter.js';

/** Which logs are sent, of which blocks, and when they are sent. */
export interface FutureLogFilter {
  readonly filter: LogFilter;
  /** When logs are sent: when their block is complete, when they are pre-confirmed, or both. */
  readonly kind: 'complete' | 'preConfirmed' | 'all';
  /** Number of the first block whose logs are sent. */
  readonly first?: bigint | undefined;
  /** Number of the last block whose logs are sent. */
  readonly last?: bigint | undefined;
  /** 32-byte hash of the only block whose logs are sent. */
  readonly blockHash?: Uint8Array;
}

/** True if the logs of this block are sent. */
export function filterIncludesBlock(
  { first, last, blockHash }: FutureLogFilter,
  { number, hash }: ExecutedBlock,
): boolean {
  if (blockHash !== undefined) return hash !== null && Buffer.compare(hash, blockHash) === 0;
  return (first === undefined || number >= first) && (last === undefined || number <= last);
}

/** Returns a key that is the same for equal criteria. It starts with the topic's name. */
export function futureLogFilterKey({ filter, kind, first, last, blockHash }: FutureLogFilter): string {
  const range = [first, last, blockHash && toHex(blockHash)].some((end) => end !== undefined)
    ? ` ${first}-${last} ${blockHash && toHex(blockHash)}`
    : '';
  return `${kind === 'preConfirmed' ? 'pendingLogs' : 'logs'} ${kind === 'all' ? 'all ' : ''}${filter.key}${range}`;
}
