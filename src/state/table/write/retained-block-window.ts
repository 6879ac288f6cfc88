// Tracks the blocks that are retained because their timestamps are recent. This is in addition to a fixed number of
// newest blocks, which are retained regardless of their timestamps.
import { LIMITS } from '../../../limits/index.js';

interface Complete {
  readonly number: number;
  /** The timestamp in the block's header, in seconds. */
  readonly timestamp: bigint;
}

/** Tracks the blocks in a time window. Must be notified of every complete block when it becomes the newest. */
export class RetainedBlockWindow {
  readonly #windowMs: number;
  #blocks: Complete[] = [];

  /** `windowMs` is the length of the window; 0 if there is none. */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Number of the oldest block in the window; `Infinity` if there is none. */
  get first(): number {
    return this.#blocks[0]?.number ?? Infinity;
  }

  /** Adds a block. It replaces the blocks from its number on. */
  note(number: number, timestamp: bigint): void {
    if (this.#windowMs === 0) return;
    while (this.#blocks.length > 0 && this.#blocks.at(-1)!.number >= number) this.#blocks.pop();
    this.#blocks.push({ number, timestamp });
    const isOver = (oldest: Complete): boolean => Number(timestamp - oldest.timestamp) * 1000 > this.#windowMs;
    while (this.#blocks.length > LIMITS.blocksInWindowMax || isOver(this.#blocks[0]!)) this.#blocks.shift();
  }
}
