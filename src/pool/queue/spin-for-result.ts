// Lets main poll without sleeping for the result of the only job in flight.

// Main polls for a single estimate for at most 60 us. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import type { WorkerHandle } from '../threads/worker-handle.js';

/** What is used of a worker. While main polls it, the worker does not signal main. */
export type SpinTarget = Pick<WorkerHandle, 'attend' | 'leave' | 'hasAnswer'>;

/** Each failed wait in a row halves how often main polls, down to one job in 256 after this many. */
const DOUBLINGS_MAX = 8;

/** Polls without sleeping for the result of a single job that was just sent. */
export class ResultSpin {
  readonly #workers: readonly SpinTarget[];
  readonly #jobs: { readonly isLone: boolean };
  /** Failed waits in a row, counted up to DOUBLINGS_MAX. */
  #vain = 0;
  /** Number of the next jobs for which main does not poll. */
  #skips = 0;

  /** `jobs` are the jobs in flight. */
  constructor(workers: readonly SpinTarget[], jobs: { readonly isLone: boolean }) {
    this.#workers = workers;
    this.#jobs = jobs;
  }

  /** Polls; true if the only job has its result. With several jobs or callers false at once: read requests. */
  waitAwake(): boolean {
    if (!this.#jobs.isLone) return false;
    if (this.#skips > 0) {
      this.#skips -= 1;
      return false;
    }
    for (const worker of this.#workers) worker.attend();
    const hasCome = this.#poll();
    // A result that is written after the last poll either signals main, or is found by the check below.
    for (const worker of this.#workers) worker.leave();
    return hasCome || this.#hasAnswer();
  }

  #poll(): boolean {
    for (let polls = 0; polls < LIMITS.answerPollsMax; polls++) {
      if (this.#hasAnswer()) {
        this.#vain = 0;
        return true;
      }
    }
    this.#vain = Math.min(this.#vain + 1, DOUBLINGS_MAX);
    this.#skips = 2 ** this.#vain - 1;
    return false;
  }

  /** This is a loop because a closure per poll would be most of main's garbage when estimates come one at a time. */
  #hasAnswer(): boolean {
    for (const worker of this.#workers) if (worker.hasAnswer) return true;
    return false;
  }
}
