// Main's wait, awake, for the answer to the only job in flight. Runs on main.

// Decision (2026-11, two cores): A lone estimate is waited for awake, for 60 us at most. To be woken costs the worker a
// system call and main a turn of its event loop, some 35 us of the 190 that a lone swap takes. Price: where the answer
// comes late main has looked in vain, which it does the more seldom the more often that was so; and a read that comes
// meanwhile waits for up to 60 us.
import { LIMITS } from '../../limits/index.js';
import type { WorkerHandle } from '../threads/worker-handle.js';

/** What main needs of a worker: while it is attended to it does not wake main. */
export type Attended = Pick<WorkerHandle, 'attend' | 'leave' | 'hasAnswer'>;

/** After so many waits in vain in a row main waits for one job in 256, twice as few with each of them. */
const DOUBLINGS_MAX = 8;

/** Waits for lone jobs that have just been handed over. */
export class Attention {
  readonly #workers: readonly Attended[];
  readonly #jobs: { readonly count: number };
  /** Waits in vain since the last one that was not, up to DOUBLINGS_MAX. */
  #vain = 0;
  /** Jobs that will not be waited for. */
  #skips = 0;

  /** `jobs`: those in flight. */
  constructor(workers: readonly Attended[], jobs: { readonly count: number }) {
    this.#workers = workers;
    this.#jobs = jobs;
  }

  /** True if the answer to the only job is there; false at once where there are several. */
  waitAwake(): boolean {
    if (this.#jobs.count !== 1) return false;
    if (this.#skips > 0) {
      this.#skips -= 1;
      return false;
    }
    for (const worker of this.#workers) worker.attend();
    const hasCome = this.#look();
    // A worker that answers behind its last look wakes main, or has its answer seen here.
    for (const worker of this.#workers) worker.leave();
    return hasCome || this.#hasAnswer();
  }

  #look(): boolean {
    for (let looks = 0; looks < LIMITS.answerLooksMax; looks++) {
      if (this.#hasAnswer()) {
        this.#vain = 0;
        return true;
      }
    }
    this.#vain = Math.min(this.#vain + 1, DOUBLINGS_MAX);
    this.#skips = 2 ** this.#vain - 1;
    return false;
  }

  /** A loop: a function for each look would be most of main's garbage where one estimate is asked for at a time. */
  #hasAnswer(): boolean {
    for (const worker of this.#workers) if (worker.hasAnswer) return true;
    return false;
  }
}
