// Senders of transactions: recovered beside the execution as soon as a transaction is heard of, and kept for the time when
// the same one comes again in its block. Runs on the publisher.
import type { Recovery, RecoverSenders, Sender } from '../../transaction/sender.js';
import { LIMITS } from '../../limits.js';
import type { PublishedTransaction } from '../../state/block.js';
import { latin1 } from '../../lib/latin1.js';

/** Where the sender of a transaction will be found. */
interface Asked {
  readonly recovery: Recovery;
  readonly index: number;
}

/**
 * At most LIMITS.sendersKeptMax senders are remembered, half of that at least. In two generations: a map that drops its oldest
 * entry for each new one steps over the places of all that it has dropped, 12 us each time.
 */
export class Senders {
  readonly #recover: RecoverSenders;
  /** By hash of the transaction: those remembered lately, and those before. */
  #newer = new Map<string, Sender>();
  #older = new Map<string, Sender>();
  /** By the array of bytes that arrived. */
  readonly #asked = new WeakMap<Uint8Array, Asked>();
  readonly #found = new WeakMap<Uint8Array, Sender>();

  constructor(recover: RecoverSenders) {
    this.#recover = recover;
  }

  /** Begins to recover those of these transactions. A few are left to whoever decodes them. */
  expect(transactions: readonly Uint8Array[]): void {
    const fresh = transactions.filter((raw) => !this.#asked.has(raw) && !this.#found.has(raw));
    if (fresh.length < LIMITS.sendersApartMin) return;
    const recovery = this.#recover(fresh);
    for (const [index, raw] of fresh.entries()) this.#asked.set(raw, { recovery, index });
  }

  /** The same for a block, of whose transactions some may have been heard of before. */
  expectBlock(transactions: readonly PublishedTransaction[]): void {
    for (const { raw, hash } of transactions) {
      const key = latin1(hash);
      const sender = this.#newer.get(key) ?? this.#older.get(key);
      if (sender !== undefined) this.#found.set(raw, sender);
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
    if (this.#newer.size >= LIMITS.sendersKeptMax / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(latin1(sender.hash), sender);
  }
}
