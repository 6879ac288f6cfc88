// Decodes the transactions of an increment or a block in order, as their senders are recovered.
import type { ForkRules } from '../../../evm/reference/fork-rules.js';
import { LIMITS } from '../../../limits/index.js';
import { decodeBlockTransaction, type BlockTransaction } from '../../../transaction/signed.js';
import type { Senders } from './senders.js';

/** Decoded transactions, or a message that says which one is malformed, so that the rest is of no use. */
export type DecodedIncrement = readonly BlockTransaction[] | string;

/** What transactions are decoded with. */
export interface DecodingDeps {
  readonly senders: Senders;
  /** Of the block that contains them. */
  readonly rules: ForkRules;
  /** Yields to the event loop if there are many; `null` if that is not due. */
  readonly time: { readonly pause: () => Promise<void> | null };
}

/** One call at a time. */
export class Decoding {
  readonly #raws: readonly Uint8Array[];
  readonly #deps: DecodingDeps;
  /** Decoded and not returned yet. */
  #ready: BlockTransaction[] = [];
  #done = 0;

  /** Starts to recover the senders that were not requested yet. `raws`: EIP-2718 bytes. */
  constructor(raws: readonly Uint8Array[], deps: DecodingDeps) {
    this.#raws = raws;
    this.#deps = deps;
    deps.senders.expect(raws);
  }

  /** Transactions returned so far. */
  get count(): number {
    return this.#done;
  }

  /** All have been returned. */
  get isOver(): boolean {
    return this.#done === this.#raws.length;
  }

  /** All that `next` has not returned yet, for a look ahead: `next` still returns them later. */
  async all(): Promise<DecodedIncrement> {
    const fault = await this.#decodeUpTo(this.#raws.length);
    return fault ?? [...this.#ready];
  }

  /** The next ones, at most as many as are worth executing while the senders of others are being recovered. */
  next(): Promise<DecodedIncrement> {
    return this.#upTo(Math.min(this.#done + LIMITS.decodedTogetherMax, this.#raws.length));
  }

  /** All that are left. */
  rest(): Promise<DecodedIncrement> {
    return this.#upTo(this.#raws.length);
  }

  async #upTo(end: number): Promise<DecodedIncrement> {
    const fault = await this.#decodeUpTo(end);
    if (fault !== null) return fault;
    const decoded = this.#ready.splice(0, end - this.#done);
    this.#done = end;
    return decoded;
  }

  /** Says which one is malformed, if one is. */
  async #decodeUpTo(end: number): Promise<string | null> {
    const first = this.#done + this.#ready.length;
    for (let index = first; index < end; index++) {
      if (index > first && (index - first) % LIMITS.decodedTogetherMax === 0) await this.#deps.time.pause();
      const transaction = this.#decode(this.#raws[index]!);
      if (typeof transaction === 'string') return `transaction ${index}: ${transaction}`;
      this.#ready.push(transaction);
    }
    return null;
  }

  #decode(raw: Uint8Array): BlockTransaction | string {
    const { senders, rules } = this.#deps;
    return decodeBlockTransaction(raw, rules, senders.of(raw));
  }
}
