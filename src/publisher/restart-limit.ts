// Counts recent deaths of the publisher thread, and decides whether it is restarted.
import { LIMITS } from '../limits/index.js';

/** Counts deaths within LIMITS.publisherRestartWindowMs. */
export class RestartLimit {
  #timesMs: number[] = [];

  /** Counts a death; true if there were too many for a restart. `nowMs`: of the monotonic clock. */
  add(nowMs: number): boolean {
    this.#timesMs = this.#timesMs.filter((time) => nowMs - time < LIMITS.publisherRestartWindowMs);
    this.#timesMs.push(nowMs);
    return this.#timesMs.length > LIMITS.publisherRestartsMax;
  }
}
