// Nonces of one sender that its own transactions cover. Runs on main.
import type { Send } from './send.js';

/** Nonces that were looked at last: all from `from` up to `next` are covered, and `next` is not. */
interface Run {
  readonly from: bigint;
  readonly next: bigint;
}

/** Transactions by nonce: of several with the same one counts. */
export class SenderNonces {
  readonly #covering = new Map<bigint, Send>();
  /** Those that the node has not answered. */
  readonly #sent = new Set<Send>();
  #run: Run | null = null;

  /** True if no nonce is covered. */
  get coversNone(): boolean {
    return this.#covering.size === 0;
  }

  /** True if there is nothing of this sender. */
  get isEmpty(): boolean {
    return this.coversNone && this.#sent.size === 0;
  }

  /** The transaction that covers a nonce. */
  at(nonce: bigint): Send | undefined {
    return this.#covering.get(nonce);
  }

  /** Covers its nonce, in the place of another one of its sender. */
  cover(send: Send): void {
    this.#sent.delete(send);
    this.#covering.set(send.nonce, send);
    if (this.#run?.next === send.nonce) this.#run = { from: this.#run.from, next: this.#endOf(send.nonce) };
  }

  /** Covers its nonce no more, if it did. */
  uncover(send: Send): void {
    this.#sent.delete(send);
    if (this.#covering.get(send.nonce) !== send) return;
    this.#covering.delete(send.nonce);
    this.#run = null;
  }

  /** The node has not answered yet. */
  wait(send: Send): void {
    this.#sent.add(send);
  }

  /** The first nonce from `nonce` on that is not covered. A reader asks again and again: the walk goes on where it ended. */
  next(nonce: bigint): bigint {
    const run = this.#run;
    if (run !== null && run.from <= nonce && nonce <= run.next) return run.next;
    const next = this.#endOf(nonce);
    this.#run = { from: nonce, next };
    return next;
  }

  /** Like `next`; what the node has not answered covers its nonce, too. */
  nextSent(nonce: bigint): bigint {
    const sent = new Set([...this.#sent].map((send) => send.nonce));
    let next = this.next(nonce);
    while (sent.has(next)) next = this.next(next + 1n);
    return next;
  }

  #endOf(nonce: bigint): bigint {
    let next = nonce;
    while (this.#covering.has(next)) next++;
    return next;
  }
}
