// Submitted transactions that wait to be checked. One of them is checked in each tick of the event loop.
import { LIMITS } from '../../limits/index.js';
import type { SubmissionResult } from '../feed.js';

/**
 * Checks one transaction per event-loop tick. Recovering a sender takes 1.5 ms, so a burst of 1000 transactions checked
 * in one tick would delay the next increment by 1.5 s. The price is a microsecond for each tick.
 */
export class SubmissionValidationQueue {
  /** Resolves when the last waiting transaction may be checked. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Calls `check` when it is this transaction's turn; refuses the transaction if too many wait already. */
  async add(check: () => Promise<SubmissionResult>): Promise<SubmissionResult> {
    if (this.#waiting >= LIMITS.poolTransactionsMax) return refusedSubmission('txpool is full');
    this.#waiting++;
    await (this.#last = this.#last.then(nextTick));
    this.#waiting--;
    return check();
  }
}

/** Returns the result for a transaction that is refused with this message. */
export function refusedSubmission(message: string): SubmissionResult {
  return { accepted: false, message };
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
