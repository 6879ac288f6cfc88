// The senders of transactions. They are recovered as soon as a transaction arrives, while others are executed, and
// remembered for when the transaction comes again in its block.

// A block is executed with the senders that the node reports, while they are being recovered. It is published when all
// are verified. See DECISIONS.md.
import { isRawDeposit } from '../../../transaction/op/deposit.js';
import {
  recoverSender,
  recoverSenders,
  type SenderRecovery,
  type StartSenderRecovery,
  type RecoveredSender,
} from '../../../transaction/recover-sender.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { LIMITS } from '../../../limits/index.js';
import type { AnnouncedTransaction } from '../../../state/complete-block.js';
import { SenderCache } from './sender-cache.js';

/** Where the sender of a transaction will be found. */
interface SenderRequest {
  readonly recovery: SenderRecovery;
  readonly index: number;
}

/** Recovers senders, and remembers at most LIMITS.sendersKeptMax of them. */
export class TransactionSenders {
  readonly #recover: StartSenderRecovery;
  readonly #known = new SenderCache(LIMITS.sendersKeptMax);
  /** Requested senders, by the array of bytes that has arrived. */
  readonly #requested = new WeakMap<Uint8Array, SenderRequest>();
  readonly #found = new WeakMap<Uint8Array, RecoveredSender>();
  /** Senders as the node reports them, which must not be remembered. */
  readonly #reported = new WeakMap<Uint8Array, RecoveredSender>();

  constructor(recover: StartSenderRecovery) {
    this.#recover = recover;
  }

  /** Starts recovering the senders of these transactions; if there are few, this is done at once. */
  expect(transactions: readonly Uint8Array[]): void {
    const fresh = transactions.filter((raw) => !this.#requested.has(raw) && !this.#found.has(raw));
    if (fresh.length < LIMITS.sendersApartMin) return this.#recoverHere(fresh);
    const recovery = this.#recover(fresh);
    for (const [index, raw] of fresh.entries()) this.#requested.set(raw, { recovery, index });
  }

  /** Expects a block. Some of its transactions may have arrived before. */
  expectBlock(transactions: readonly AnnouncedTransaction[]): void {
    for (const { raw, hash, from } of transactions) {
      if (this.#reported.has(raw)) continue;
      this.#reported.set(raw, { hash, address: from });
      const address = this.#known.get(hash);
      if (address !== null) this.#found.set(raw, { hash, address });
    }
    this.expect(transactions.map(({ raw }) => raw));
  }

  /** The sender of a transaction, as recovered or reported so far; `null` if not requested, or there is none. */
  of(raw: Uint8Array): RecoveredSender | null {
    return this.#found.get(raw) ?? this.#reported.get(raw) ?? this.#recovered(raw);
  }

  /**
   * Index of the first transaction of an expected block whose sender is not the reported one; -1 if all are right. For
   * `isHighAllowed` see `recoverSender`. Deposits of the OP Stack have no signature.
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
