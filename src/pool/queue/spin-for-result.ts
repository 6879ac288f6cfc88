// Lets the main thread poll, without sleeping, for the result of the only job in flight.

// The main thread polls for the result of a single estimate for at most 60 us. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import type { MainMailbox } from '../threads/mailbox.js';

/** What polling needs of a worker's mailbox. While the main thread polls, the worker does not signal it. */
export type PolledMailbox = Pick<MainMailbox, 'attend' | 'leave' | 'hasAnswer'>;

interface PolledWorker {
  readonly mailbox: PolledMailbox;
}

/**
 * After each poll without a result, the main thread polls for half as many jobs; after this many such polls in a row,
 * for one job in 256.
 */
const DOUBLINGS_MAX = 8;

/** Polls, without sleeping, for the result of a single job that was just sent. */
export class ResultSpin {
  readonly #workers: readonly PolledWorker[];
  readonly #jobs: { readonly isLone: boolean };
  /** Number of polls in a row that have found no result, up to DOUBLINGS_MAX. */
  #vain = 0;
  /** Number of coming jobs for which the main thread does not poll. */
  #skips = 0;

  /** `jobs` are the jobs in flight. */
  constructor(workers: readonly PolledWorker[], jobs: { readonly isLone: boolean }) {
    this.#workers = workers;
    this.#jobs = jobs;
  }

  /**
   * Polls for the result of the only job in flight; returns true if the result has come. If several jobs are in flight
   * or several callers wait, returns false at once, because the main thread should rather read requests.
   */
  waitAwake(): boolean {
    if (!this.#jobs.isLone) return false;
    if (this.#skips > 0) {
      this.#skips -= 1;
      return false;
    }
    for (const { mailbox } of this.#workers) mailbox.attend();
    const hasCome = this.#poll();
    // A result that is written after the last poll either signals the main thread, or is found by the check below.
    for (const { mailbox } of this.#workers) mailbox.leave();
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

  /**
   * True if a worker has a result. Written as a loop, because a closure per poll would be most of the main thread's
   * garbage when estimates come one at a time.
   */
  #hasAnswer(): boolean {
    for (const { mailbox } of this.#workers) if (mailbox.hasAnswer) return true;
    return false;
  }
}
