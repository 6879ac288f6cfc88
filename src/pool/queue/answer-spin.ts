// Busy-waits on main for the result of the only job in flight.

// Main busy-waits for a lone estimate, for 60 us at most. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import type { WorkerHandle } from '../threads/worker-handle.js';

/** What main needs of a worker: while main is polling it, the worker does not signal main. */
export type SpinTarget = Pick<WorkerHandle, 'attend' | 'leave' | 'hasAnswer'>;

/** After this many failed waits in a row main busy-waits for one job in 256; each failed wait halves the share. */
const DOUBLINGS_MAX = 8;

/** Busy-waits for a lone job that has just been sent. */
export class AnswerSpin {
  readonly #workers: readonly SpinTarget[];
  readonly #jobs: { readonly isLone: boolean };
  /** Consecutive failed waits, up to DOUBLINGS_MAX. */
  #vain = 0;
  /** Jobs for which busy-waiting is still skipped. */
  #skips = 0;

  /** `jobs`: those in flight. */
  constructor(workers: readonly SpinTarget[], jobs: { readonly isLone: boolean }) {
    this.#workers = workers;
    this.#jobs = jobs;
  }

  /**
   * True if the result of the only job has arrived; false at once if there are several, or several callers wait for it:
   * others' requests may be readable meanwhile.
   */
  waitAwake(): boolean {
    if (!this.#jobs.isLone) return false;
    if (this.#skips > 0) {
      this.#skips -= 1;
      return false;
    }
    for (const worker of this.#workers) worker.attend();
    const hasCome = this.#poll();
    // A result written after the last poll either signals main, or is seen by the check below.
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

  /** A loop: a closure for each poll would be most of main's garbage when estimates come one at a time. */
  #hasAnswer(): boolean {
    for (const worker of this.#workers) if (worker.hasAnswer) return true;
    return false;
  }
}
