// Tracks transactions that were submitted to a node through this program (`--count-own-sends`). They count in `pending`
// nonces.

// A tracked transaction counts from the time when the node has accepted it, or when a block or increment includes it.
// It stops counting when a transaction with the same sender and nonce replaces it, or when it expires: after three more
// blocks, but not within three seconds. See DECISIONS.md.
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import { Histogram } from '../../lib/histogram.js';
import { LIMITS } from '../../limits/index.js';
import type { TotalAndClientLimit } from '../../fairness/total-and-client-limit.js';
import type { PeerSubmission } from '../../feed/nonce-sharing-group.js';
import type { AnnouncedTransaction } from '../../state/complete-block.js';
import { withoutSidecar } from '../../transaction/split-blob-sidecar.js';
import { rawTransactionNonce } from '../../transaction/raw-transaction-fields.js';
import { SubmittedNonceAddresses } from '../reads/submitted-nonce-addresses.js';
import { SenderNonces, type SubmittedRawTransaction, type TrackedTransaction } from './submitted-nonces.js';

/** The transactions that are tracked, by hash and by sender. */
export class SubmittedTransactionTracker {
  readonly guarded = new SubmittedNonceAddresses(LIMITS.ownSendSendersMax);
  readonly #shares: TotalAndClientLimit;
  readonly #nowMs: () => number;
  readonly #sends = new Map<string, TrackedTransaction>();
  readonly #senders = new Map<string, SenderNonces>();
  /** Number of transactions that the node accepted, that were included, and that expired without being included. */
  readonly counts = { accepted: 0, included: 0, expired: 0 };
  /** Histogram of the times from submission to inclusion. */
  readonly times = new Histogram();

  /**
   * `shares` limits the bytes of tracked transactions, in total and for each client. `nowMs` is a monotonic clock in
   * milliseconds.
   */
  constructor(shares: TotalAndClientLimit, nowMs: () => number) {
    this.#shares = shares;
    this.#nowMs = nowMs;
  }

  get isEmpty(): boolean {
    return this.#sends.size === 0;
  }

  /** Number of transactions that count in `pending` nonces. */
  get size(): number {
    return this.#counted().length;
  }

  /** Returns the sender's next nonce at `pending`. `nonce` is its next nonce in the state. */
  next(address: Uint8Array, nonce: bigint): bigint {
    return this.#senders.get(latin1Key(address))?.next(nonce) ?? nonce;
  }

  /** Like `next`, but includes transactions to which the node has not responded yet. */
  nextSent(address: Uint8Array, nonce: bigint): bigint {
    return this.#senders.get(latin1Key(address))?.nextSent(nonce) ?? nonce;
  }

  /**
   * Returns the sender's transaction because of which this nonce counts as used at `pending`; `null` if there is none.
   */
  at(address: Uint8Array, nonce: bigint): TrackedTransaction | null {
    return this.#senders.get(latin1Key(address))?.at(nonce) ?? null;
  }

  /** Tracks a transaction that a client submits; returns `null` if the client's or the total limit is reached. */
  submit(raw: Uint8Array, client: string | undefined): SubmittedRawTransaction | null {
    const bare = withoutSidecar(raw);
    const submitted: SubmittedRawTransaction = { hash: keccak256(bare), raw: bare, client, atMs: this.#nowMs() };
    return this.#shares.take(client, weightOf(submitted)) ? submitted : null;
  }

  /** Records the recovered sender of a submitted transaction. Does nothing if the transaction is already tracked. */
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
   * limit, because it is already pending. Does nothing if the transaction already counts in `pending` nonces.
   */
  learn({ raw, from, nonce, client, ageMs }: PeerSubmission, head: number): void {
    const submitted: SubmittedRawTransaction = { hash: keccak256(raw), raw, client, atMs: this.#nowMs() - ageMs };
    if (this.#sends.get(latin1Key(submitted.hash))?.isCounted === true) return;
    this.#shares.count(client, weightOf(submitted));
    this.sign(submitted, from, nonce);
    this.accept(submitted, head);
  }

  /**
   * Returns the transactions that count in `pending` nonces, in the form in which they are reported to other instances.
   */
  reports(): readonly PeerSubmission[] {
    const nowMs = this.#nowMs();
    return this.#counted().map(({ raw, from, nonce, client, atMs }) => {
      return { raw, from, nonce, client, ageMs: Math.max(0, nowMs - atMs) };
    });
  }

  /** Records that the node has accepted a transaction. `head` is the number of the newest block. */
  accept(submitted: SubmittedRawTransaction, head: number): void {
    this.#release(submitted);
    const send = this.#sends.get(latin1Key(submitted.hash));
    if (send === undefined) return;
    if (!send.isCounted) this.counts.accepted++;
    this.#cover(send, head);
  }

  /** Records that the node has refused a transaction, or has not responded. */
  refuse(submitted: SubmittedRawTransaction): void {
    this.#release(submitted);
    const send = this.#sends.get(latin1Key(submitted.hash));
    if (send?.isCounted === false) this.#forget(send);
  }

  /** Records the transactions that a block includes, from index `first` on. */
  include(block: number, transactions: readonly AnnouncedTransaction[], first: number): void {
    for (const transaction of transactions.slice(first)) {
      const send = this.#sends.get(latin1Key(transaction.hash));
      if (send === undefined) this.#replace(transaction);
      else this.#include(send, block);
    }
  }

  /**
   * Records that the chain went back to block `head`. A transaction that began to count after that block now expires as
   * if the node had just accepted it.
   */
  goBack(head: number): void {
    const sinceMs = this.#nowMs();
    for (const send of this.#sends.values())
      if (send.sinceBlock !== null && send.sinceBlock > head) Object.assign(send, { sinceBlock: head, sinceMs });
  }

  /** Records that the state was reset: it is no longer known how many blocks ago a transaction began to count. */
  restart(): void {
    for (const send of this.#sends.values()) send.sinceBlock = null;
  }

  /** Records the number of the newest block, and drops the transactions that have expired. */
  age(head: number): void {
    const nowMs = this.#nowMs();
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
      this.times.record(this.#nowMs() - send.atMs);
    }
    send.isIncluded = true;
    this.#cover(send, block);
  }

  /**
   * Records an included transaction that was submitted elsewhere: it replaces a tracked transaction with the same
   * sender and nonce.
   */
  #replace({ from, raw }: AnnouncedTransaction): void {
    const sender = this.#senders.get(latin1Key(from));
    const nonce = sender === undefined ? null : rawTransactionNonce(raw);
    const send = nonce === null ? undefined : sender!.at(nonce);
    if (send !== undefined) this.#forget(send);
  }

  /**
   * Adds a transaction to those that its sender's `pending` nonce includes. If several have the same nonce, the one
   * accepted or included last replaces the others.
   */
  #cover(send: TrackedTransaction, block: number): void {
    const sender = this.#senderOf(send);
    const before = sender.at(send.nonce);
    sender.cover(send);
    this.guarded.add(send.from);
    if (before !== undefined && before !== send) this.#forget(before);
    if (!send.isCounted) this.#shares.count(send.client, weightOf(send));
    Object.assign(send, { isCounted: true, sinceBlock: block, sinceMs: this.#nowMs() });
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
    this.#shares.release(submitted.client, weightOf(submitted));
  }
}

/** Returns the bytes of memory that a tracked transaction takes, including its bookkeeping. */
function weightOf({ raw }: SubmittedRawTransaction): number {
  return LIMITS.ownSendOverheadBytes + raw.length;
}
