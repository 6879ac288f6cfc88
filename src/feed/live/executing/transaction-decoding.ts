// Decodes the transactions of an increment or a block, in order, as soon as their senders are recovered.
import type { ForkRules } from '../../../evm/reference/fork-rules.js';
import { LIMITS } from '../../../limits/index.js';
import { decodeBlockTransaction, type SignedOrDepositTransaction } from '../../../transaction/signed-transaction.js';
import type { TransactionSenders } from './transaction-senders.js';

/** The decoded transactions; or a message that names a malformed one, which makes the increment or block unusable. */
export type DecodedTransactionsOrError = readonly SignedOrDepositTransaction[] | string;

export interface TransactionDecodingDeps {
  readonly senders: TransactionSenders;
  /** Rules of the block that contains the transactions. */
  readonly rules: ForkRules;
  /** `pause` yields to the event loop if decoding has taken long; it returns `null` if that is not necessary. */
  readonly time: { readonly pause: () => Promise<void> | null };
}

/** Decodes the transactions of one increment or block. Only one call may run at a time. */
export class TransactionDecoding {
  readonly #raws: readonly Uint8Array[];
  readonly #deps: TransactionDecodingDeps;
  /** Transactions that are decoded, but that `next` or `rest` has not returned yet. */
  #ready: SignedOrDepositTransaction[] = [];
  #done = 0;

  /** Starts to recover the senders, except those that are being recovered already. `raws` are EIP-2718 bytes. */
  constructor(raws: readonly Uint8Array[], deps: TransactionDecodingDeps) {
    this.#raws = raws;
    this.#deps = deps;
    deps.senders.expect(raws);
  }

  /** Number of transactions returned so far. */
  get count(): number {
    return this.#done;
  }

  /** True if all transactions have been returned. */
  get isOver(): boolean {
    return this.#done === this.#raws.length;
  }

  /** Returns all transactions that `next` has not returned yet, for a dry run. `next` will still return them. */
  async all(): Promise<DecodedTransactionsOrError> {
    const fault = await this.#decodeUpTo(this.#raws.length);
    return fault ?? [...this.#ready];
  }

  /**
   * Returns the next transactions, at most LIMITS.decodedTogetherMax. They can be executed while the senders of later
   * transactions are still being recovered.
   */
  next(): Promise<DecodedTransactionsOrError> {
    return this.#upTo(Math.min(this.#done + LIMITS.decodedTogetherMax, this.#raws.length));
  }

  /** Returns all transactions that are left. */
  rest(): Promise<DecodedTransactionsOrError> {
    return this.#upTo(this.#raws.length);
  }

  async #upTo(end: number): Promise<DecodedTransactionsOrError> {
    const fault = await this.#decodeUpTo(end);
    if (fault !== null) return fault;
    const decoded = this.#ready.splice(0, end - this.#done);
    this.#done = end;
    return decoded;
  }

  /** Decodes the transactions up to index `end`. Returns a message if one is malformed. */
  async #decodeUpTo(end: number): Promise<string | null> {
    const { senders, rules, time } = this.#deps;
    const first = this.#done + this.#ready.length;
    for (let index = first; index < end; index++) {
      if (index > first && (index - first) % LIMITS.decodedTogetherMax === 0) await time.pause();
      const raw = this.#raws[index]!;
      const transaction = decodeBlockTransaction(raw, rules, senders.of(raw));
      if (typeof transaction === 'string') return `transaction ${index}: ${transaction}`;
      this.#ready.push(transaction);
    }
    return null;
  }
}
