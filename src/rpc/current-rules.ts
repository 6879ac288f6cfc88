// The chain's rules as main applies them. They can change with a table.
import { isSameChain, type ChainDescription } from '../chain/chain-description.js';

/** Something that is derived from the rules of a chain. */
export interface RuleDependent {
  /** Applies these rules from now on, and drops what was derived from others. */
  useChain(chain: ChainDescription): void;
}

export class CurrentRules {
  readonly #first: ChainDescription;
  readonly #ruled: RuleDependent[] = [];
  #chain: ChainDescription;

  /** `chain` is the one at the start of the program. */
  constructor(chain: ChainDescription) {
    this.#first = this.#chain = chain;
  }

  /** The chain description that is in use now. */
  get chain(): ChainDescription {
    return this.#chain;
  }

  /** Registers something that is notified of every change. */
  add<T extends RuleDependent>(ruled: T): T {
    ruled.useChain(this.#chain);
    this.#ruled.push(ruled);
    return ruled;
  }

  /** Applies a new table's rules; returned, for components of the first ones, if they differ from those. */
  use(chain: ChainDescription | undefined): { readonly chain?: ChainDescription } {
    if (chain !== undefined && !isSameChain(chain, this.#chain)) {
      this.#chain = isSameChain(chain, this.#first) ? this.#first : chain;
      for (const ruled of this.#ruled) ruled.useChain(this.#chain);
    }
    return this.#chain === this.#first ? {} : { chain: this.#chain };
  }
}
