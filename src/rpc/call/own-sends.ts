// Tracks transactions submitted through this program to a node (`--count-own-sends`): which are pending, and the status
// of each.

// A transaction counts in `pending` nonces from the node's acceptance until it is replaced, or expires: after three
// more blocks, and at least three seconds if blocks are shorter. See DECISIONS.md.
import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak.js';
import { latin1 } from '../../lib/bytes/latin1.js';
import { Histogram } from '../../lib/histogram.js';
import { LIMITS } from '../../limits/index.js';
import type { Quota } from '../../fairness/quota.js';
import type { GroupSend } from '../../feed/group-member.js';
import type { PublishedTransaction } from '../../state/block.js';
import { withoutSidecar } from '../../transaction/blob-sidecar.js';
import { nonceOf } from '../../transaction/raw-transaction.js';
import { OverriddenNonces } from '../reads/overridden-nonces.js';
import {
  REPORTED_STATUSES,
  type SubmissionStatus,
  type Submitted,
  type TransactionSubmission,
  type TransactionInclusion,
  type ReportedStatus,
} from './send.js';
import { SenderNonces } from './sender-nonces.js';

/** What tracking transactions needs. */
export interface OwnSendsDeps {
  /** Bounds the bytes of pending transactions. */
  readonly shares: Quota;
  /** The monotonic clock. */
  readonly nowMs: () => number;
  /** A sender's nonce in the newest state; `null` if the table does not have it. */
  readonly stateNonce: (address: Uint8Array) => bigint | null;
}

/** A status that is reported. */
type Settled = Exclude<SubmissionStatus, { readonly kind: 'sent' }>;

/**
 * One per program. Transactions with a final status are kept as long as the blocks that a rollback may reach, and as
 * there is memory: a reorg may make them pending again.
 */
export class OwnTransactions {
  readonly guarded = new OverriddenNonces(LIMITS.ownSendSendersMax);
  readonly #deps: OwnSendsDeps;
  readonly #sends = new Map<string, TransactionSubmission>();
  readonly #byClient = new Map<string | undefined, Set<TransactionSubmission>>();
  readonly #senders = new Map<string, SenderNonces>();
  /** Those of `#sends` with a final status, oldest first. */
  readonly #settled = new Map<string, TransactionSubmission>();
  /** Those of `#sends` that are pending; they count against the bound. */
  readonly #onTheWay = new Set<TransactionSubmission>();
  #settledBytes = 0;
  /** Number of the newest announced block. */
  #head: number | null = null;
  #due: TransactionSubmission[] = [];
  /** Called with transactions whose status has changed. */
  onTold: (sends: readonly TransactionSubmission[]) => void = () => undefined;
  /** How often each status was reached. */
  readonly counts = Object.fromEntries(REPORTED_STATUSES.map((kind) => [kind, 0])) as Record<ReportedStatus, number>;
  /** Time from submission to the status. */
  readonly times = { preconfirmed: new Histogram(), confirmed: new Histogram() };

  constructor(deps: OwnSendsDeps) {
    this.#deps = deps;
  }

  /** Number of pending transactions. */
  get onTheWay(): number {
    return this.#onTheWay.size;
  }

  /** All tracked transactions of a client, in order of submission. */
  of(client: string | undefined): ReadonlySet<TransactionSubmission> {
    return this.#byClient.get(client) ?? new Set();
  }

  /** The transaction with this hash, if it is tracked. */
  withHash(hash: Uint8Array): TransactionSubmission | null {
    return this.#sends.get(latin1(hash)) ?? null;
  }

  /** True if no transaction is tracked. */
  get isEmpty(): boolean {
    return this.#sends.size === 0;
  }

  /** The next nonce of a sender, whose next nonce in the state is `nonce`. */
  next(address: Uint8Array, nonce: bigint): bigint {
    return this.#senders.get(latin1(address))?.next(nonce) ?? nonce;
  }

  /** Like `next`, but submitted transactions that the node has not answered yet count too. */
  nextSent(address: Uint8Array, nonce: bigint): bigint {
    return this.#senders.get(latin1(address))?.nextSent(nonce) ?? nonce;
  }

  /** The sender's transaction with this nonce, unless it was replaced or dropped. */
  at(address: Uint8Array, nonce: bigint): TransactionSubmission | null {
    return this.#senders.get(latin1(address))?.at(nonce) ?? null;
  }

  /** A client submits a transaction; `null`: there is no capacity for it. */
  submit(raw: Uint8Array, client: string | undefined): Submitted | null {
    const bare = withoutSidecar(raw);
    const submitted: Submitted = { hash: keccak256(bare), raw: bare, client, atMs: this.#deps.nowMs() };
    return this.#deps.shares.take(client, weightOf(submitted)) ? submitted : null;
  }

  /** The sender is recovered. A transaction that is already tracked is left as it is. */
  sign(submitted: Submitted, from: Uint8Array, nonce: bigint): void {
    const key = latin1(submitted.hash);
    if (this.#sends.has(key)) return;
    const fate: SubmissionStatus = { kind: 'sent' };
    const since = { sinceBlock: null, sinceMs: submitted.atMs, isUncertain: false };
    const sender = toHex(from);
    const send: TransactionSubmission = {
      ...submitted,
      raw: Uint8Array.from(submitted.raw),
      from,
      sender,
      nonce,
      fate,
      fateAtMs: submitted.atMs,
      ...since,
    };
    this.#sends.set(key, send);
    this.#ofClient(send.client).add(send);
    this.#senderOf(send).wait(send);
  }

  /**
   * Another instance has submitted it and had it accepted. It is tracked even beyond the bound, as it is already
   * pending; one that is pending here already is left as it is.
   */
  learn(
    { raw, from, nonce, client, ageMs }: GroupSend,
    head: number,
    placeOf: (hash: Uint8Array) => TransactionInclusion | null,
  ): void {
    const submitted: Submitted = { hash: keccak256(raw), raw, client, atMs: this.#deps.nowMs() - ageMs };
    const known = this.#sends.get(latin1(submitted.hash));
    if (known !== undefined && this.#onTheWay.has(known)) return;
    this.#deps.shares.count(client, weightOf(submitted));
    this.sign(submitted, from, nonce);
    this.accept(submitted, head, placeOf(submitted.hash));
  }

  /** Pending transactions that are not in a block, as reports for other instances. */
  reports(): readonly GroupSend[] {
    const nowMs = this.#deps.nowMs();
    return [...this.#onTheWay].map(({ raw, from, nonce, client, atMs }) => {
      return { raw, from, nonce, client, ageMs: Math.max(0, nowMs - atMs) };
    });
  }

  /**
   * The node has accepted it. `head`: number of the newest block. `place`: its position, if it is already in a block.
   */
  accept(submitted: Submitted, head: number, place: TransactionInclusion | null): void {
    this.#release(submitted);
    const send = this.#sends.get(latin1(submitted.hash));
    if (send === undefined) return;
    if (send.fate.kind === 'preconfirmed' || send.fate.kind === 'confirmed') return;
    if (place === null) this.#wait(send, 'accepted', head);
    else this.#include(send, place);
    this.#flush();
  }

  /** The node has refused it, or has not responded. */
  refuse(submitted: Submitted): void {
    this.#release(submitted);
    const send = this.#sends.get(latin1(submitted.hash));
    if (send?.fate.kind === 'sent') this.#forget(send);
  }

  /** A block has these transactions, from index `first` on. `hash`: of a complete block. */
  include(block: number, hash: Uint8Array | null, transactions: readonly PublishedTransaction[], first: number): void {
    for (let index = first; index < transactions.length; index++) {
      const transaction = transactions[index]!;
      const send = this.#sends.get(latin1(transaction.hash));
      if (send === undefined) this.#includeOther(transaction);
      else this.#include(send, { block, index, hash });
    }
    this.#flush();
  }

  /** A block's pre-confirmed transactions from an index on are dropped. */
  drop(block: number, first: number): void {
    this.#withdraw(this.#onTheWay, ({ fate }) => {
      return fate.kind === 'preconfirmed' && fate.place.block === block && fate.place.index >= first;
    });
  }

  /** A block has been removed from the chain. */
  remove(hash: Uint8Array): void {
    this.#withdraw(this.#settled.values(), ({ fate }) => {
      return fate.kind === 'confirmed' && Buffer.compare(fate.place.hash!, hash) === 0;
    });
  }

  /** The chain is rolled back to block `head`: pending transactions do not expire later than they would have. */
  goBack(head: number): void {
    this.#head = head;
    for (const send of this.#onTheWay) if (send.sinceBlock !== null) send.sinceBlock = Math.min(send.sinceBlock, head);
  }

  /** The newest block is `head`: expired transactions are dropped. */
  age(head: number): void {
    const nowMs = this.#deps.nowMs();
    this.#head = head;
    for (const send of this.#onTheWay) {
      send.sinceBlock ??= head;
      const isOld = head - send.sinceBlock >= LIMITS.ownSendBlocksMax && nowMs - send.sinceMs >= LIMITS.ownSendMsMin;
      if (isOld) this.#settle(send, this.#endOf(send));
    }
    for (const oldest of this.#settled.values()) {
      if (nowMs - oldest.fateAtMs < LIMITS.keptWindowMs) break;
      this.#forget(oldest);
    }
    this.#flush();
  }

  /**
   * Blocks have passed that were not seen here. `isReset`: it is no longer known whether confirmed transactions still
   * are.
   */
  pass(isReset: boolean): void {
    const confirmed = [...this.#settled.values()].filter(({ fate }) => fate.kind === 'confirmed');
    if (isReset) this.#head = null;
    if (isReset) for (const send of confirmed) this.#forget(send);
    for (const send of this.#onTheWay) {
      send.isUncertain = true;
      if (isReset) this.#wait(send, send.fate.kind === 'preconfirmed' ? 'withdrawn' : 'accepted', null);
    }
    this.#flush();
  }

  #includeOther({ hash, from, raw }: PublishedTransaction): void {
    const sender = this.#senders.get(latin1(from));
    const nonce = sender === undefined ? null : nonceOf(raw);
    const send = nonce === null ? undefined : sender!.at(nonce);
    if (send !== undefined) this.#settle(send, { kind: 'replaced', by: hash });
  }

  #include(send: TransactionSubmission, place: TransactionInclusion): void {
    this.#replaceAtNonce(send);
    if (place.hash !== null) return this.#settle(send, { kind: 'confirmed', place });
    this.#store(send);
    send.sinceBlock = place.block;
    send.sinceMs = this.#deps.nowMs();
    this.#report(send, { kind: 'preconfirmed', place });
  }

  /** Makes it pending from now on. */
  #wait(send: TransactionSubmission, kind: 'accepted' | 'withdrawn', head: number | null): void {
    this.#replaceAtNonce(send);
    this.#store(send);
    send.sinceBlock = head;
    send.sinceMs = this.#deps.nowMs();
    if (send.fate.kind !== kind) this.#report(send, { kind });
  }

  /** Of several with one nonce, the last that the node has accepted or that is in a block counts. */
  #replaceAtNonce(send: TransactionSubmission): void {
    const sender = this.#senderOf(send);
    const before = sender.at(send.nonce);
    sender.cover(send);
    this.guarded.add(send.from);
    if (before !== undefined && before !== send) this.#settle(before, { kind: 'replaced', by: send.hash });
  }

  #withdraw(sends: Iterable<TransactionSubmission>, isMeant: (send: TransactionSubmission) => boolean): void {
    for (const send of sends) if (isMeant(send)) this.#wait(send, 'withdrawn', this.#head);
    this.#flush();
  }

  #endOf({ from, nonce, isUncertain }: TransactionSubmission): Settled {
    const next = this.#deps.stateNonce(from);
    if (next === null || next <= nonce) return { kind: 'dropped' };
    return isUncertain ? { kind: 'unknown' } : { kind: 'replaced', by: null };
  }

  /** Counts it against the bound as pending; one that becomes pending again may exceed the bound. */
  #store(send: TransactionSubmission): void {
    if (this.#settled.delete(latin1(send.hash))) this.#settledBytes -= weightOf(send);
    if (this.#onTheWay.has(send)) return;
    this.#onTheWay.add(send);
    this.#deps.shares.count(send.client, weightOf(send));
  }

  #settle(send: TransactionSubmission, fate: Settled): void {
    this.#store(send);
    this.#onTheWay.delete(send);
    this.#release(send);
    if (fate.kind !== 'confirmed') this.#uncover(send);
    this.#report(send, fate);
    this.#settled.set(latin1(send.hash), send);
    this.#settledBytes += weightOf(send);
    for (const oldest of this.#settled.values()) {
      if (this.#settledBytes <= LIMITS.ownSendsSettledBytesMax) break;
      this.#forget(oldest);
    }
  }

  /** Stops tracking a transaction that has a final status, or that the node has not accepted. */
  #forget(send: TransactionSubmission): void {
    const key = latin1(send.hash);
    if (this.#settled.delete(key)) this.#settledBytes -= weightOf(send);
    this.#sends.delete(key);
    const ofClient = this.#ofClient(send.client);
    ofClient.delete(send);
    if (ofClient.size === 0) this.#byClient.delete(send.client);
    this.#uncover(send);
  }

  #uncover(send: TransactionSubmission): void {
    const key = latin1(send.from);
    const sender = this.#senders.get(key);
    sender?.uncover(send);
    if (sender?.coversNone === true) this.guarded.delete(send.from);
    if (sender?.isEmpty === true) this.#senders.delete(key);
  }

  #ofClient(client: string | undefined): Set<TransactionSubmission> {
    const known = this.#byClient.get(client) ?? new Set();
    this.#byClient.set(client, known);
    return known;
  }

  #senderOf({ from }: TransactionSubmission): SenderNonces {
    const key = latin1(from);
    const known = this.#senders.get(key) ?? new SenderNonces();
    this.#senders.set(key, known);
    return known;
  }

  #release(submitted: Submitted): void {
    this.#deps.shares.release(submitted.client, weightOf(submitted));
  }

  #report(send: TransactionSubmission, fate: Settled): void {
    send.fate = fate;
    send.fateAtMs = this.#deps.nowMs();
    this.counts[fate.kind]++;
    if (fate.kind === 'preconfirmed' || fate.kind === 'confirmed')
      this.times[fate.kind].record(send.fateAtMs - send.atMs);
    this.#due.push(send);
  }

  #flush(): void {
    if (this.#due.length === 0) return;
    const due = this.#due;
    this.#due = [];
    this.onTold(due);
  }
}

/** Bytes of memory of a transaction, with its bookkeeping. */
function weightOf({ raw }: Submitted): number {
  return LIMITS.ownSendOverheadBytes + raw.length;
}
