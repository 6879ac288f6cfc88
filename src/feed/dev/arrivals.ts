// Submitted transactions whose senders wait for an answer: they bring about the next increment, and are answered once
// one has executed them or they cannot be executed.
import { LIMITS } from '../../limits/index.js';
import type { Submission } from '../feed.js';

interface Waiter {
  readonly sinceMs: number;
  readonly answer: (submission: Submission) => void;
}

/** Transactions of type `T`, each with its one waiter. */
export class Arrivals<T extends { readonly hash: Uint8Array }> {
  /** Those that came after the last increment had begun. */
  #fresh = new Map<T, Waiter>();
  /** Those that an increment has begun with. */
  readonly #selectable = new Map<T, Waiter>();
  #bell = new AbortController();

  /** True if a transaction came after the last increment had begun. */
  get any(): boolean {
    return this.#fresh.size > 0;
  }

  /** True if the last increment has left out one that could have been executed: its time or its block was up. */
  get anyLeftOut(): boolean {
    return this.#selectable.size > 0;
  }

  /** Aborted as soon as a transaction comes, or after `ring`. */
  get signal(): AbortSignal {
    return this.#bell.signal;
  }

  /** Resolves once `settle` says so. */
  add(transaction: T, nowMs: number): Promise<Submission> {
    this.ring();
    return new Promise((answer) => {
      this.#fresh.set(transaction, { sinceMs: nowMs, answer });
    });
  }

  /** Wakes who sleeps until something arrives. */
  ring(): void {
    this.#bell.abort();
  }

  /** An increment begins. */
  begin(): void {
    for (const [transaction, waiter] of this.#fresh) this.#selectable.set(transaction, waiter);
    this.#fresh = new Map();
    this.#bell = new AbortController();
  }

  /** The increment is published: whoever waits for none that `isReady`, or has waited for too long, is answered. */
  settle(isReady: (transaction: T) => boolean, nowMs: number): void {
    for (const [transaction, { sinceMs, answer }] of this.#selectable) {
      if (isReady(transaction) && nowMs - sinceMs < LIMITS.devSubmissionMsMax) continue;
      this.#selectable.delete(transaction);
      answer({ accepted: true, hash: transaction.hash });
    }
  }

  /** Whatever waits is not executed any more. */
  refuse(message: string): void {
    this.begin();
    for (const { answer } of this.#selectable.values()) answer({ accepted: false, message });
    this.#selectable.clear();
  }
}
