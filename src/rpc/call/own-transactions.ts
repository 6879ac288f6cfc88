// Transactions that were submitted to a node through this program (`--count-own-sends`), and count in `pending` nonces.

// A transaction counts from the time when the node has accepted it or a block or increment includes it, until another
// one has its nonce, or it expires: after three more blocks, and after at least three seconds if blocks are shorter.
// See DECISIONS.md.
import { keccak256 } from '../../lib/bytes/keccak.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import { Histogram } from '../../lib/histogram.js';
import { LIMITS } from '../../limits/index.js';
import type { Quota } from '../../fairness/quota.js';
import type { GroupSubmission } from '../../feed/submission-group.js';
import type { AnnouncedTransaction } from '../../state/complete-block.js';
import { withoutSidecar } from '../../transaction/blob-sidecar.js';
import { rawTransactionNonce } from '../../transaction/raw-transaction.js';
import { OverriddenNonces } from '../reads/overridden-nonces.js';
import { SenderNonces, type SubmittedRawTransaction, type TrackedTransaction } from './sender-nonces.js';

interface OwnTransactionsDeps {
  /** Bounds the bytes of tracked transactions. */
  readonly shares: Quota;
  /** The monotonic clock. */
  readonly nowMs: () => number;
}

/** The tracked transactions. */
export class OwnTransactions {
  readonly guarded = new OverriddenNonces(LIMITS.ownSendSendersMax);
  readonly #deps: OwnTransactionsDeps;
  readonly #sends = new Map<string, TrackedTransaction>();
  readonly #senders = new Map<string, SenderNonces>();
  /** How many transactions were accepted, included, or expired without having been included. */
  readonly counts = { accepted: 0, included: 0, expired: 0 };
  /** Times from submission to inclusion. */
  readonly times = new Histogram();

  constructor(deps: OwnTransactionsDeps) {
    this.#deps = deps;
  }

  get isEmpty(): boolean {
    return this.#sends.size === 0;
  }

  /** Number of transactions that count. */
  get size(): number {
    return this.#counted().length;
  }

  /** The next nonce of a sender whose next nonce in the state is `nonce`. */
  next(address: Uint8Array, nonce: bigint): bigint {
    return this.#senders.get(latin1Key(address))?.next(nonce) ?? nonce;
  }

  /** Like `next`, but transactions to which the node has not responded yet count as well. */
  nextSent(address: Uint8Array, nonce: bigint): bigint {
    return this.#senders.get(latin1Key(address))?.nextSent(nonce) ?? nonce;
  }

  /** The sender's transaction with this nonce. */
  at(address: Uint8Array, nonce: bigint): TrackedTransaction | null {
    return this.#senders.get(latin1Key(address))?.at(nonce) ?? null;
  }

  /** Tracks a transaction that a client submits; `null` if there is no capacity for it. */
  submit(raw: Uint8Array, client: string | undefined): SubmittedRawTransaction | null {
    const bare = withoutSidecar(raw);
    const submitted: SubmittedRawTransaction = { hash: keccak256(bare), raw: bare, client, atMs: this.#deps.nowMs() };
    return this.#deps.shares.take(client, weightOf(submitted)) ? submitted : null;
  }

  /** Records the recovered sender. A transaction that is already tracked does not change. */
  sign(submitted: SubmittedRawTransaction, from: Uint8Array, nonce: bigint): void {
    const key = latin1Key(submitted.hash);
    if (this.#sends.has(key)) return;
    const raw = Uint8Array.from(submitted.raw);
    const since = { isCounted: false, isIncluded: false, sinceBlock: null, sinceMs: submitted.atMs };
    const send: TrackedTransaction = { ...submitted, raw, from, nonce, ...since };
    this.#sends.set(key, send);
    this.#senderOf(send).wait(send);
  }

  /**
   * Tracks a transaction that another instance has submitted and a node has accepted. It is tracked even beyond the
   * limit, because it is already pending. One that already counts here does not change.
   */
  learn({ raw, from, nonce, client, ageMs }: GroupSubmission, head: number): void {
    const submitted: SubmittedRawTransaction = { hash: keccak256(raw), raw, client, atMs: this.#deps.nowMs() - ageMs };
    if (this.#sends.get(latin1Key(submitted.hash))?.isCounted === true) return;
    this.#deps.shares.count(client, weightOf(submitted));
    this.sign(submitted, from, nonce);
    this.accept(submitted, head);
  }

  /** The transactions that currently count, in the form in which they are reported to other instances. */
  reports(): readonly GroupSubmission[] {
    const nowMs = this.#deps.nowMs();
    return this.#counted().map(({ raw, from, nonce, client, atMs }) => {
      return { raw, from, nonce, client, ageMs: Math.max(0, nowMs - atMs) };
    });
  }

  /** Records that the node has accepted it. `head` is the number of the newest block. */
  accept(submitted: SubmittedRawTransaction, head: number): void {
    this.#release(submitted);
    const send = this.#sends.get(latin1Key(submitted.hash));
    if (send === undefined) return;
    if (!send.isCounted) this.counts.accepted++;
    this.#cover(send, head);
  }

  /** Records that the node has refused it, or has not responded. */
  refuse(submitted: SubmittedRawTransaction): void {
    this.#release(submitted);
    const send = this.#sends.get(latin1Key(submitted.hash));
    if (send?.isCounted === false) this.#forget(send);
  }

  /** Records the transactions of a block, from index `first` on. */
  include(block: number, transactions: readonly AnnouncedTransaction[], first: number): void {
    for (const transaction of transactions.slice(first)) {
      const send = this.#sends.get(latin1Key(transaction.hash));
      if (send === undefined) this.#replace(transaction);
      else this.#include(send, block);
    }
  }

  /** The chain goes back to block `head`: transactions counting since later expire as if accepted now. */
  goBack(head: number): void {
    const sinceMs = this.#deps.nowMs();
    for (const send of this.#sends.values())
      if (send.sinceBlock !== null && send.sinceBlock > head) Object.assign(send, { sinceBlock: head, sinceMs });
  }

  /** Records that the state was reset, so that it is unknown how many blocks have passed. */
  restart(): void {
    for (const send of this.#sends.values()) send.sinceBlock = null;
  }

  /** Records the newest block, and drops expired transactions. */
  age(head: number): void {
    const nowMs = this.#deps.nowMs();
    for (const send of this.#counted()) {
      send.sinceBlock ??= head;
      if (head - send.sinceBlock < LIMITS.ownSendBlocksMax || nowMs - send.sinceMs < LIMITS.ownSendMsMin) continue;
      if (!send.isIncluded) this.counts.expired++;
      this.#forget(send);
    }
  }

  #counted(): TrackedTransaction[] {
    return [...this.#sends.values()].filter(({ isCounted }) => isCounted);
  }

  #include(send: TrackedTransaction, block: number): void {
    if (!send.isIncluded) {
      this.counts.included++;
      this.times.record(this.#deps.nowMs() - send.atMs);
    }
    send.isIncluded = true;
    this.#cover(send, block);
  }

  /** Records a transaction in a block that was submitted elsewhere. */
  #replace({ from, raw }: AnnouncedTransaction): void {
    const sender = this.#senders.get(latin1Key(from));
    const nonce = sender === undefined ? null : rawTransactionNonce(raw);
    const send = nonce === null ? undefined : sender!.at(nonce);
    if (send !== undefined) this.#forget(send);
  }

  /** Makes a transaction count. Of several with one nonce, the last accepted or included one counts. */
  #cover(send: TrackedTransaction, block: number): void {
    const sender = this.#senderOf(send);
    const before = sender.at(send.nonce);
    sender.cover(send);
    this.guarded.add(send.from);
    if (before !== undefined && before !== send) this.#forget(before);
    if (!send.isCounted) this.#deps.shares.count(send.client, weightOf(send));
    Object.assign(send, { isCounted: true, sinceBlock: block, sinceMs: this.#deps.nowMs() });
  }

  #forget(send: TrackedTransaction): void {
    if (send.isCounted) this.#release(send);
    this.#sends.delete(latin1Key(send.hash));
    const key = latin1Key(send.from);
    const sender = this.#senders.get(key);
    sender?.uncover(send);
    if (sender?.coversNone === true) this.guarded.delete(send.from);
    if (sender?.isEmpty === true) this.#senders.delete(key);
  }

  #senderOf({ from }: TrackedTransaction): SenderNonces {
    const key = latin1Key(from);
    const known = this.#senders.get(key) ?? new SenderNonces();
    this.#senders.set(key, known);
    return known;
  }

  #release(submitted: SubmittedRawTransaction): void {
    this.#deps.shares.release(submitted.client, weightOf(submitted));
  }
}

/** Bytes of memory that a transaction takes, including its bookkeeping. */
function weightOf({ raw }: SubmittedRawTransaction): number {
  return LIMITS.ownSendOverheadBytes + raw.length;
}
