// A clock that only advances when a test says so.
import { until } from '../support/patience.js';

/** Small, so that the pool's limits are far away even if workers run late. */
const STEP_MS = 1;

export class TestClock {
  #nowMs = 0;
  #reads = 0;

  /** The time as the pool reads it. */
  readonly nowMs = (): number => {
    this.#reads += 1;
    return this.#nowMs;
  };

  advance(ms: number): void {
    this.#nowMs += ms;
  }

  /** Advances at once, and waits until the pool has read the new time. */
  async pass(ms: number): Promise<void> {
    this.advance(ms);
    const reads = this.#reads;
    await until(() => this.#reads > reads + 1);
  }

  /** Advances in small steps until `isDone`. */
  async passUntil(isDone: () => boolean): Promise<void> {
    await until(() => {
      this.advance(STEP_MS);
      return isDone();
    });
  }
}
