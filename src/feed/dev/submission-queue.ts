// Submitted transactions that wait to be checked. One of them is checked in each event-loop tick.
import { LIMITS } from '../../limits/index.js';
import type { SubmissionResult } from '../feed.js';

/**
 * Checks one transaction a tick: recovering a sender takes 1.5 ms, so a burst of 1000 in one tick would delay the next
 * increment by the time for all of them. The price is a microsecond for each tick.
 */
export class SubmissionQueue {
  /** Settles when the last waiting transaction has been checked. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Calls `check` when the transaction's turn has come; refuses the transaction if too many wait. */
  async add(check: () => Promise<SubmissionResult>): Promise<SubmissionResult> {
    if (this.#waiting >= LIMITS.poolTransactionsMax) return refusedSubmission('txpool is full');
    this.#waiting++;
    await (this.#last = this.#last.then(nextTick));
    this.#waiting--;
    return check();
  }
}

/** The result for a transaction that is refused for this reason. */
export function refusedSubmission(message: string): SubmissionResult {
  return { accepted: false, message };
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
