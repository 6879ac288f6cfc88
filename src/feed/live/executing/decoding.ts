// Transactions of an increment or a block on their way to the execution: decoded in order, as their senders are
// recovered.
import type { ForkRules } from '../../../evm/reference/fork-rules.js';
import { LIMITS } from '../../../limits/index.js';
import { decodeBlockTransaction, type BlockTransaction } from '../../../transaction/signed.js';
import type { Senders } from './senders.js';

/** Decoded transactions; a text says which one is malformed, and that the others are of no use. */
export type DecodedIncrement = readonly BlockTransaction[] | string;

/** Parts that transactions are decoded with. */
export interface DecodingDeps {
  readonly senders: Senders;
  /** Of the block that they stand in. */
  readonly rules: ForkRules;
  /** Lets in what has arrived, where there are many; `null` where that is not due. */
  readonly time: { readonly pause: () => Promise<void> | null };
}

/** One call at a time. */
export class Decoding {
  readonly #raws: readonly Uint8Array[];
  readonly #deps: DecodingDeps;
  /** Decoded and not handed out. */
  #ready: BlockTransaction[] = [];
  #done = 0;

  /** Begins to recover the senders that nobody has asked for yet. `raws`: EIP-2718 bytes. */
  constructor(raws: readonly Uint8Array[], deps: DecodingDeps) {
    this.#raws = raws;
    this.#deps = deps;
    deps.senders.expect(raws);
  }

  /** Transactions handed out so far. */
  get count(): number {
    return this.#done;
  }

  /** All have been handed out. */
  get isOver(): boolean {
    return this.#done === this.#raws.length;
  }

  /** All that have not been handed out, to be looked at: they are handed out later. */
  async all(): Promise<DecodedIncrement> {
    const fault = await this.#decodeUpTo(this.#raws.length);
    return fault ?? [...this.#ready];
  }

  /** The next ones, not more than are worth executing while the senders of others are being recovered. */
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

  /** Answers which one is malformed, if one is. */
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
