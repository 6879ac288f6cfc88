// How often the publisher has died, and whether it is worth another try. Pure but for what it remembers. Runs on main.
import { LIMITS } from '../limits.js';

/** Counts deaths within LIMITS.publisherRestartWindowMs. */
export class Deaths {
  #timesMs: number[] = [];

  /** One more death. Answers whether there were too many for a restart. `nowMs`: the monotonic clock. */
  add(nowMs: number): boolean {
    this.#timesMs = this.#timesMs.filter((time) => nowMs - time < LIMITS.publisherRestartWindowMs);
    this.#timesMs.push(nowMs);
    return this.#timesMs.length > LIMITS.publisherRestartsMax;
  }
}
