// Submitted transactions that wait to be checked, one in each tick of the event loop.
import { LIMITS } from '../../limits/index.js';
import type { Submission } from '../feed.js';

/**
 * One transaction a tick: recovering a sender takes 1.5 ms, and a burst of 1000 in one tick would delay the next
 * increment by all of it. Price: a microsecond for the tick.
 */
export class SubmissionQueue {
  /** Settles when the last waiting transaction has been checked. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Calls `check` in its tick; refuses when too many wait. */
  async add(check: () => Promise<Submission>): Promise<Submission> {
    if (this.#waiting >= LIMITS.poolTransactionsMax) return refused('txpool is full');
    this.#waiting++;
    await (this.#last = this.#last.then(nextTick));
    this.#waiting--;
    return check();
  }
}

/** A transaction is refused, for this reason. */
export function refused(message: string): Submission {
  return { accepted: false, message };
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
