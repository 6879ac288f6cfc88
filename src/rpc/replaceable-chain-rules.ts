// The chain's rules (forks and parameters) as the main thread applies them. A new state table may bring other rules.
import { isSameChain, type ChainDescription } from '../chain/chain-description.js';

/** A component that derives something from the rules of a chain. */
export interface RuleDependent {
  /** Applies these rules from now on, and drops what was derived from earlier rules. */
  useChain(chain: ChainDescription): void;
}

export class CurrentRules {
  readonly #first: ChainDescription;
  readonly #ruled: RuleDependent[] = [];
  #chain: ChainDescription;

  /** `chain` is the chain description at the start of the program. */
  constructor(chain: ChainDescription) {
    this.#first = this.#chain = chain;
  }

  /** The chain description that is in use now. */
  get chain(): ChainDescription {
    return this.#chain;
  }

  /** Registers a component that is notified of every change of the rules. */
  add<T extends RuleDependent>(ruled: T): T {
    ruled.useChain(this.#chain);
    this.#ruled.push(ruled);
    return ruled;
  }

  /**
   * Applies the rules of a new state table. Returns the rules in use if they differ from the first rules, with which
   * some components were built; otherwise returns no rules.
   */
  use(chain: ChainDescription | undefined): { readonly chain?: ChainDescription } {
    if (chain !== undefined && !isSameChain(chain, this.#chain)) {
      this.#chain = isSameChain(chain, this.#first) ? this.#first : chain;
      for (const ruled of this.#ruled) ruled.useChain(this.#chain);
    }
    return this.#chain === this.#first ? {} : { chain: this.#chain };
  }
}
