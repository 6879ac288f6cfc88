// Counts recent crashes of the publisher thread, and decides whether it is restarted.
import { LIMITS } from '../limits/index.js';

/** Counts crashes within LIMITS.publisherRestartWindowMs. */
export class RestartLimit {
  #timesMs: number[] = [];

  /** Counts a crash; returns true if there were too many for a restart. `nowMs` is the monotonic clock. */
  add(nowMs: number): boolean {
    this.#timesMs = this.#timesMs.filter((time) => nowMs - time < LIMITS.publisherRestartWindowMs);
    this.#timesMs.push(nowMs);
    return this.#timesMs.length > LIMITS.publisherRestartsMax;
  }
}
