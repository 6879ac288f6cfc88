// Submitted transactions whose senders wait for a response. They trigger the next increment. A sender is answered when
// an increment has executed the transaction, or it turns out not to be executable.
import { setImmediate } from 'node:timers/promises';
import { LIMITS } from '../../limits/index.js';
import type { SubmissionResult } from '../feed.js';

interface Waiter {
  readonly sinceMs: number;
  readonly answer: (submission: SubmissionResult) => void;
}

/** Transactions of type `T`, each with the caller that waits for its result. */
export class WaitingSubmissions<T extends { readonly hash: Uint8Array }> {
  /** Transactions that arrived after the last increment started, with their waiting callers. */
  #fresh = new Map<T, Waiter>();
  /** Transactions that had arrived when the last increment started, and whose callers were not answered yet. */
  readonly #selectable = new Map<T, Waiter>();
  #wakeUp = new AbortController();

  /** True if a transaction arrived after the last increment started. */
  get any(): boolean {
    return this.#fresh.size > 0;
  }

  /** True if the last increment left out an executable transaction because it ran out of time or gas. */
  get anyLeftOut(): boolean {
    return this.#selectable.size > 0;
  }

  /** A signal that is aborted as soon as a transaction arrives, or when `ring` is called. */
  get signal(): AbortSignal {
    return this.#wakeUp.signal;
  }

  /** Adds a transaction. Resolves when `settle` or `refuse` has decided about it. */
  add(transaction: T, nowMs: number): Promise<SubmissionResult> {
    this.ring();
    return new Promise((answer) => {
      this.#fresh.set(transaction, { sinceMs: nowMs, answer });
    });
  }

  /** Wakes the chain's loop, which sleeps until the next increment or the next arrival. */
  ring(): void {
    this.#wakeUp.abort();
  }

  /** Called when an increment starts: it can select every transaction that has arrived so far. */
  begin(): void {
    for (const [transaction, waiter] of this.#fresh) this.#selectable.set(transaction, waiter);
    this.#fresh = new Map();
    this.#wakeUp = new AbortController();
  }

  /**
   * Called when an increment was published. Answers each caller, except one whose transaction `isReady` for the next
   * increment and who has waited for less than LIMITS.devSubmissionMsMax.
   */
  settle(isReady: (transaction: T) => boolean, nowMs: number): void {
    for (const [transaction, { sinceMs, answer }] of this.#selectable) {
      if (isReady(transaction) && nowMs - sinceMs < LIMITS.devSubmissionMsMax) continue;
      this.#selectable.delete(transaction);
      answer({ accepted: true, hash: transaction.hash });
    }
  }

  /** Refuses all waiting transactions, because none will be executed any more. */
  refuse(message: string): void {
    this.begin();
    for (const { answer } of this.#selectable.values()) answer({ accepted: false, message });
    this.#selectable.clear();
  }
}

/**
 * Checks one transaction per event-loop tick. Recovering a sender takes 1.5 ms, so a burst of 1000 transactions checked
 * in one tick would delay the next increment by 1.5 s. Each additional tick costs only a microsecond.
 */
export class SubmissionValidationQueue {
  /** Resolves when the last waiting transaction may be checked. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Calls `check` when it is this transaction's turn; refuses the transaction if too many wait already. */
  async add(check: () => Promise<SubmissionResult>): Promise<SubmissionResult> {
    if (this.#waiting >= LIMITS.poolTransactionsMax) return refusedSubmission('txpool is full');
    this.#waiting++;
    await (this.#last = this.#last.then(() => setImmediate()));
    this.#waiting--;
    return check();
  }
}

/** Returns the result for a transaction that is refused with this message. */
export function refusedSubmission(message: string): SubmissionResult {
  return { accepted: false, message };
}
