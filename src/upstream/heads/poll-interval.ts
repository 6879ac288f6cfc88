// Computes how often the head is polled if the node does not announce heads: a few times per observed block time.
import { LIMITS } from '../../limits/index.js';

/** Weight of the newest block time in the moving average. */
const WEIGHT = 1 / 4;

/** The interval of one polling loop. */
export class PollInterval {
  readonly #slowestMs: number;
  /** Number of the newest block, and when it was first seen. */
  #newest: { readonly number: number; readonly atMs: number } | null = null;
  /** Average of the observed times between blocks; `null` if there are none yet. */
  #blockMs: number | null = null;

  /** `slowestMs` is the interval while blocks are slow, or while the block time is not known yet. */
  constructor(slowestMs: number) {
    this.#slowestMs = slowestMs;
  }

  /** Milliseconds until the next poll: a quarter of the block time, within limits. */
  get pauseMs(): number {
    const wanted = (this.#blockMs ?? Infinity) / 4;
    return Math.min(this.#slowestMs, Math.max(wanted, LIMITS.headPollMsMin));
  }

  /** Records the number of the newest block that a poll has found. */
  found(number: number, nowMs: number): void {
    const before = this.#newest;
    if (before !== null && number <= before.number) return;
    this.#newest = { number, atMs: nowMs };
    if (before === null) return;
    const blockMs = (nowMs - before.atMs) / (number - before.number);
    this.#blockMs = this.#blockMs === null ? blockMs : this.#blockMs + (blockMs - this.#blockMs) * WEIGHT;
  }
}
