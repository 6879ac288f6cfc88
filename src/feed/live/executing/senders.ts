// Senders of transactions: recovered concurrently with the execution as soon as a transaction arrives, and remembered
// for when the same one comes again in its block.

// A block is executed with the senders that the node reports, while they are recovered, and published once all are
// verified. See DECISIONS.md.
import { isDeposit } from '../../../transaction/op/deposit.js';
import { senderOf, sendersOf, type Recovery, type RecoverSenders, type Sender } from '../../../transaction/sender.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { LIMITS } from '../../../limits/index.js';
import type { PublishedTransaction } from '../../../state/block.js';
import { KnownSenders } from './known-senders.js';

/** Where the sender of a transaction will be found. */
interface SenderRequest {
  readonly recovery: Recovery;
  readonly index: number;
}

/** At most LIMITS.sendersKeptMax senders are remembered. */
export class Senders {
  readonly #recover: RecoverSenders;
  readonly #known = new KnownSenders(LIMITS.sendersKeptMax);
  /** By the array of bytes that arrived. */
  readonly #requested = new WeakMap<Uint8Array, SenderRequest>();
  readonly #found = new WeakMap<Uint8Array, Sender>();
  /** Senders as the node reports them: not to be remembered. */
  readonly #reported = new WeakMap<Uint8Array, Sender>();

  constructor(recover: RecoverSenders) {
    this.#recover = recover;
  }

  /** Starts to recover those of these transactions; if there are few, at once. */
  expect(transactions: readonly Uint8Array[]): void {
    const fresh = transactions.filter((raw) => !this.#requested.has(raw) && !this.#found.has(raw));
    if (fresh.length < LIMITS.sendersApartMin) return this.#recoverHere(fresh);
    const recovery = this.#recover(fresh);
    for (const [index, raw] of fresh.entries()) this.#requested.set(raw, { recovery, index });
  }

  /** Expects a block, some of whose transactions may have arrived before. */
  expectBlock(transactions: readonly PublishedTransaction[]): void {
    for (const { raw, hash, from } of transactions) {
      if (this.#reported.has(raw)) continue;
      this.#reported.set(raw, { hash, address: from });
      const address = this.#known.get(hash);
      if (address !== null) this.#found.set(raw, { hash, address });
    }
    this.expect(transactions.map(({ raw }) => raw));
  }

  /**
   * The sender of a transaction, as far as it is recovered or reported; `null`: it was not requested, or there is none.
   */
  of(raw: Uint8Array): Sender | null {
    return this.#found.get(raw) ?? this.#reported.get(raw) ?? this.#recovered(raw);
  }

  /**
   * Index of the first transaction of an expected block whose sender is not the one that the node reports; -1: there is
   * none. `isHighAllowed`: see `senderOf`. A deposit of the OP Stack has no signature.
   */
  firstUntrue(transactions: readonly PublishedTransaction[], isHighAllowed: boolean): number {
    return transactions.findIndex(({ raw, from }) => {
      if (isDeposit(raw)) return false;
      const sender = this.#found.get(raw) ?? this.#recovered(raw) ?? senderOf(raw, isHighAllowed);
      return sender === null || !sameBytes(sender.address, from);
    });
  }

  #recoverHere(transactions: readonly Uint8Array[]): void {
    for (const [at, sender] of sendersOf(transactions).entries())
      if (sender !== null) this.#find(transactions[at]!, sender);
  }

  #recovered(raw: Uint8Array): Sender | null {
    const requested = this.#requested.get(raw);
    const sender = requested === undefined ? null : requested.recovery.at(requested.index);
    if (sender !== null) this.#find(raw, sender);
    return sender;
  }

  #find(raw: Uint8Array, sender: Sender): void {
    this.#found.set(raw, sender);
    this.#known.add(sender);
  }
}
