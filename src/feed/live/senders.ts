// Senders of transactions: recovered beside the execution as soon as a transaction is heard of, and kept for the time when
// the same one comes again in its block. Runs on the publisher.
import type { ForkRules } from '../../evm/ethereumjs/fork-rules.js';
import type { RecoverSenders, Sender } from '../../transaction/sender.js';
import { decodeBlockTransaction, senderOfTransaction, type BlockTransaction } from '../../transaction/library.js';
import { LIMITS } from '../../limits.js';
import type { PublishedTransaction } from '../../state/block.js';

/** At most LIMITS.sendersKeptMax senders are remembered. */
export class Senders {
  readonly #recover: RecoverSenders;
  /** By hash of the transaction; the oldest is dropped first. */
  readonly #known = new Map<string, Sender>();
  /** By the array of bytes that arrived: recoveries on their way, and senders found. */
  readonly #asked = new WeakMap<Uint8Array, Promise<void>>();
  readonly #found = new WeakMap<Uint8Array, Sender>();

  constructor(recover: RecoverSenders) {
    this.#recover = recover;
  }

  /** Begins to recover those of these transactions. A few are left to `decoded`. */
  expect(transactions: readonly Uint8Array[]): void {
    const fresh = transactions.filter((raw) => !this.#asked.has(raw) && !this.#found.has(raw));
    if (fresh.length < LIMITS.sendersApartMin) return;
    const asked = this.#ask(fresh);
    for (const raw of fresh) this.#asked.set(raw, asked);
  }

  /** The same for a block, of whose transactions some may have been heard of before. */
  expectBlock(transactions: readonly PublishedTransaction[]): void {
    for (const { raw, hash } of transactions) {
      const sender = this.#known.get(latin1(hash));
      if (sender !== undefined) this.#found.set(raw, sender);
    }
    this.expect(transactions.map(({ raw }) => raw));
  }

  /** Decodes transactions by the rules of their block; a text says which one is malformed. */
  async decoded(transactions: readonly Uint8Array[], rules: ForkRules): Promise<BlockTransaction[] | string> {
    this.expect(transactions);
    await Promise.all(transactions.map((raw) => this.#asked.get(raw) ?? Promise.resolve()));
    const decoded: BlockTransaction[] = [];
    for (const [index, raw] of transactions.entries()) {
      const transaction = decodeBlockTransaction(raw, rules, this.#found.get(raw));
      if (typeof transaction === 'string') return `transaction ${index}: ${transaction}`;
      if ('tx' in transaction) this.#keep(senderOfTransaction(transaction));
      decoded.push(transaction);
    }
    return decoded;
  }

  async #ask(transactions: readonly Uint8Array[]): Promise<void> {
    const senders = await this.#recover(transactions);
    for (const [index, raw] of transactions.entries()) {
      const sender = senders[index] ?? null;
      if (sender === null) continue;
      this.#found.set(raw, sender);
      this.#keep(sender);
    }
  }

  #keep(sender: Sender): void {
    this.#known.set(latin1(sender.hash), sender);
    if (this.#known.size <= LIMITS.sendersKeptMax) return;
    const [oldest] = this.#known.keys();
    this.#known.delete(oldest!);
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
