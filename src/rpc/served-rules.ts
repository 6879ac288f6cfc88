// The chain's rules as main applies them: they can change with a table.
import { sameChain, type ChainDescription } from '../chain/spec.js';

/** Something derived from the rules of a chain. */
export interface Ruled {
  /** Applies these rules from now on, and drops what was derived from others. */
  useChain(chain: ChainDescription): void;
}

/** One per program. */
export class ServedRules {
  readonly #first: ChainDescription;
  readonly #ruled: Ruled[] = [];
  #chain: ChainDescription;

  /** `chain`: the one at the start of the program. */
  constructor(chain: ChainDescription) {
    this.#first = this.#chain = chain;
  }

  /** The chain as it is served now. */
  get chain(): ChainDescription {
    return this.#chain;
  }

  /** Registers something that is notified of every change. */
  add<T extends Ruled>(ruled: T): T {
    ruled.useChain(this.#chain);
    this.#ruled.push(ruled);
    return ruled;
  }

  /**
   * Applies the rules of a new table. Returns them if they are not those of the start, for those who started with the
   * latter.
   */
  use(chain: ChainDescription | undefined): { readonly chain?: ChainDescription } {
    if (chain !== undefined && !sameChain(chain, this.#chain)) {
      this.#chain = sameChain(chain, this.#first) ? this.#first : chain;
      for (const ruled of this.#ruled) ruled.useChain(this.#chain);
    }
    return this.#chain === this.#first ? {} : { chain: this.#chain };
  }
}
