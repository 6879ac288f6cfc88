// A clock that moves only when a test says so.
import { until } from '../support/patience.js';

/** Small, so that the pool's bounds are far away even where workers run late. */
const STEP_MS = 1;

export class TestClock {
  #nowMs = 0;
  #reads = 0;

  /** Time that the pool reads. */
  readonly nowMs = (): number => {
    this.#reads += 1;
    return this.#nowMs;
  };

  advance(ms: number): void {
    this.#nowMs += ms;
  }

  /** Advances at once, and waits until the pool has looked at the time that it is then. */
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
