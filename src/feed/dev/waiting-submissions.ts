// Submitted transactions whose senders wait for a response. They trigger the next increment, and are answered when an
// increment has executed them, or they turn out not to be executable.
import { LIMITS } from '../../limits/index.js';
import type { SubmissionResult } from '../feed.js';

interface Waiter {
  readonly sinceMs: number;
  readonly answer: (submission: SubmissionResult) => void;
}

/** Transactions of type `T`, each with the caller that waits for it. */
export class WaitingSubmissions<T extends { readonly hash: Uint8Array }> {
  /** Transactions that arrived after the last increment started. */
  #fresh = new Map<T, Waiter>();
  /** Transactions that the last increment could select. */
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

  /** A signal that is aborted as soon as a transaction arrives, or by `ring`. */
  get signal(): AbortSignal {
    return this.#wakeUp.signal;
  }

  /** Adds a transaction. Resolves when `settle` or `refuse` has decided it. */
  add(transaction: T, nowMs: number): Promise<SubmissionResult> {
    this.ring();
    return new Promise((answer) => {
      this.#fresh.set(transaction, { sinceMs: nowMs, answer });
    });
  }

  /** Wakes the loop that makes increments, which sleeps until something arrives. */
  ring(): void {
    this.#wakeUp.abort();
  }

  /** Called when an increment starts: everything that has arrived so far can be selected. */
  begin(): void {
    for (const [transaction, waiter] of this.#fresh) this.#selectable.set(transaction, waiter);
    this.#fresh = new Map();
    this.#wakeUp = new AbortController();
  }

  /** Called at publication. Answers all callers but those whose transaction `isReady` and who may wait longer. */
  settle(isReady: (transaction: T) => boolean, nowMs: number): void {
    for (const [transaction, { sinceMs, answer }] of this.#selectable) {
      if (isReady(transaction) && nowMs - sinceMs < LIMITS.devSubmissionMsMax) continue;
      this.#selectable.delete(transaction);
      answer({ accepted: true, hash: transaction.hash });
    }
  }

  /** Refuses everything that waits, because nothing will be executed any more. */
  refuse(message: string): void {
    this.begin();
    for (const { answer } of this.#selectable.values()) answer({ accepted: false, message });
    this.#selectable.clear();
  }
}
