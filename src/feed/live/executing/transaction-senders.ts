// Senders of transactions. A sender is recovered from the signature as soon as the transaction arrives, while other
// transactions are executed. It is remembered, because a pre-confirmed transaction comes again in its canonical block.

// A canonical block is executed with the senders that the node reports. Meanwhile the senders are recovered from the
// signatures, and the block is published only when all reported senders are verified. See DECISIONS.md.
import { isRawDeposit } from '../../../transaction/op/deposit.js';
import {
  recoverSender,
  recoverSenders,
  type SendersBeingRecovered,
  type StartSenderRecovery,
  type RecoveredSender,
} from '../../../transaction/recover-sender.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { LIMITS } from '../../../limits/index.js';
import type { AnnouncedTransaction } from '../../../state/complete-block.js';
import { SenderCache } from './sender-cache.js';

/** A sender that is being recovered: the recovery to which it belongs, and its index there. */
interface SenderRequest {
  readonly recovery: SendersBeingRecovered;
  readonly index: number;
}

/** Recovers senders, and remembers the last LIMITS.sendersKeptMax of them. */
export class TransactionSenders {
  readonly #recover: StartSenderRecovery;
  readonly #known = new SenderCache(LIMITS.sendersKeptMax);
  /** Senders that are being recovered, by the byte array of the transaction. */
  readonly #requested = new WeakMap<Uint8Array, SenderRequest>();
  readonly #found = new WeakMap<Uint8Array, RecoveredSender>();
  /** Senders as the node reports them. Because they are not verified, they are never added to `#known`. */
  readonly #reported = new WeakMap<Uint8Array, RecoveredSender>();

  constructor(recover: StartSenderRecovery) {
    this.#recover = recover;
  }

  /** Recovers the senders of these transactions: in the background on other threads, or right away if there are few. */
  expect(transactions: readonly Uint8Array[]): void {
    const fresh = transactions.filter((raw) => !this.#requested.has(raw) && !this.#found.has(raw));
    if (fresh.length < LIMITS.sendersApartMin) return this.#recoverHere(fresh);
    const recovery = this.#recover(fresh);
    for (const [index, raw] of fresh.entries()) this.#requested.set(raw, { recovery, index });
  }

  /** Starts to recover the senders of a block's transactions, except those that are known from increments. */
  expectBlock(transactions: readonly AnnouncedTransaction[]): void {
    for (const { raw, hash, from } of transactions) {
      if (this.#reported.has(raw)) continue;
      this.#reported.set(raw, { hash, address: from });
      const address = this.#known.get(hash);
      if (address !== null) this.#found.set(raw, { hash, address });
    }
    this.expect(transactions.map(({ raw }) => raw));
  }

  /**
   * Returns the sender of a transaction: recovered, or else as the node reports it. Returns `null` if the transaction
   * was passed to neither `expect` nor `expectBlock`, or if its signature is invalid.
   */
  of(raw: Uint8Array): RecoveredSender | null {
    return this.#found.get(raw) ?? this.#reported.get(raw) ?? this.#recovered(raw);
  }

  /**
   * Returns the index of the first transaction whose reported sender (`from`) is wrong; -1 if all are right.
   * For `isHighAllowed` see `recoverSender`. Deposits of the OP Stack have no signature and are skipped.
   */
  firstUntrue(transactions: readonly AnnouncedTransaction[], isHighAllowed: boolean): number {
    return transactions.findIndex(({ raw, from }) => {
      if (isRawDeposit(raw)) return false;
      const sender = this.#found.get(raw) ?? this.#recovered(raw) ?? recoverSender(raw, isHighAllowed);
      return sender === null || !sameBytes(sender.address, from);
    });
  }

  #recoverHere(transactions: readonly Uint8Array[]): void {
    for (const [at, sender] of recoverSenders(transactions).entries())
      if (sender !== null) this.#find(transactions[at]!, sender);
  }

  #recovered(raw: Uint8Array): RecoveredSender | null {
    const requested = this.#requested.get(raw);
    const sender = requested === undefined ? null : requested.recovery.at(requested.index);
    if (sender !== null) this.#find(raw, sender);
    return sender;
  }

  #find(raw: Uint8Array, sender: RecoveredSender): void {
    this.#found.set(raw, sender);
    this.#known.add(sender);
  }
}
