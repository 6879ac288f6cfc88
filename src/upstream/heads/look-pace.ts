// The pace at which a head is looked for where nobody tells of it: a few times a block, as blocks are seen to come. Runs on
// the publisher.
import { LIMITS } from '../../limits/index.js';

/** Share of the newest time between blocks in what is taken for it. */
const WEIGHT = 1 / 4;

/** One per chain of looks. */
export class LookPace {
  readonly #slowestMs: number;
  /** The newest block, and when it was first seen. */
  #newest: { readonly number: number; readonly atMs: number } | null = null;
  /** Time between blocks as it has been seen; `null`: not yet. */
  #blockMs: number | null = null;

  /** `slowestMs`: pause where blocks come slowly, or are not known yet. */
  constructor(slowestMs: number) {
    this.#slowestMs = slowestMs;
  }

  /** Pause until the next look, ms: with it a block is found a quarter of its time late at most. */
  get pauseMs(): number {
    const wanted = (this.#blockMs ?? Infinity) / 4;
    return Math.min(this.#slowestMs, Math.max(wanted, LIMITS.headPollMsMin));
  }

  /** A look has found this block to be the newest one. */
  found(number: number, nowMs: number): void {
    const before = this.#newest;
    if (before !== null && number <= before.number) return;
    this.#newest = { number, atMs: nowMs };
    if (before === null) return;
    const blockMs = (nowMs - before.atMs) / (number - before.number);
    this.#blockMs = this.#blockMs === null ? blockMs : this.#blockMs + (blockMs - this.#blockMs) * WEIGHT;
  }
}
