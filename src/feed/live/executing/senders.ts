// Senders of transactions: recovered beside the execution as soon as a transaction is heard of, and kept for the time when
// the same one comes again in its block. Runs on the publisher.
import { sendersOf, type Recovery, type RecoverSenders, type Sender } from '../../../transaction/sender.js';
import { LIMITS } from '../../../limits/index.js';
import type { PublishedTransaction } from '../../../state/block.js';
import { KnownSenders } from './known-senders.js';

/** Place at which the sender of a transaction will be found. */
interface Asked {
  readonly recovery: Recovery;
  readonly index: number;
}

/** At most LIMITS.sendersKeptMax senders are remembered. */
export class Senders {
  readonly #recover: RecoverSenders;
  readonly #known = new KnownSenders(LIMITS.sendersKeptMax);
  /** By the array of bytes that arrived. */
  readonly #asked = new WeakMap<Uint8Array, Asked>();
  readonly #found = new WeakMap<Uint8Array, Sender>();

  constructor(recover: RecoverSenders) {
    this.#recover = recover;
  }

  /** Begins to recover those of these transactions; of a few, it does. */
  expect(transactions: readonly Uint8Array[]): void {
    const fresh = transactions.filter((raw) => !this.#asked.has(raw) && !this.#found.has(raw));
    if (fresh.length < LIMITS.sendersApartMin) return this.#recoverHere(fresh);
    const recovery = this.#recover(fresh);
    for (const [index, raw] of fresh.entries()) this.#asked.set(raw, { recovery, index });
  }

  #recoverHere(transactions: readonly Uint8Array[]): void {
    for (const [at, sender] of sendersOf(transactions).entries())
      if (sender !== null) this.#found.set(transactions[at]!, sender);
  }

  /** Expects a block, of whose transactions some may have been heard of before. */
  expectBlock(transactions: readonly PublishedTransaction[]): void {
    for (const { raw, hash } of transactions) {
      if (this.#asked.has(raw)) continue;
      const address = this.#known.get(hash);
      if (address !== null) this.#found.set(raw, { hash, address });
    }
    this.expect(transactions.map(({ raw }) => raw));
  }

  /** The sender of a transaction; `null`: nobody was asked for it, or there is none. */
  of(raw: Uint8Array): Sender | null {
    const found = this.#found.get(raw);
    if (found !== undefined) return found;
    const asked = this.#asked.get(raw);
    return asked === undefined ? null : asked.recovery.at(asked.index);
  }

  /** Remembers the sender of a transaction that has been decoded. */
  keep(sender: Sender): void {
    this.#known.add(sender);
  }
}
