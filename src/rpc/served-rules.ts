// The rules that main answers by: they change with a table. Runs on main.
import { sameChain, type ChainDescription } from '../chain/spec.js';

/** Keeps what follows from the rules of a chain. */
export interface Ruled {
  /** From here on these rules hold; what was made by others is forgotten. */
  useChain(chain: ChainDescription): void;
}

/** One per program. */
export class ServedRules {
  readonly #first: ChainDescription;
  readonly #ruled: Ruled[] = [];
  #chain: ChainDescription;

  /** `chain`: that of the start. */
  constructor(chain: ChainDescription) {
    this.#first = this.#chain = chain;
  }

  /** The chain as it is served now. */
  get chain(): ChainDescription {
    return this.#chain;
  }

  /** Is told of every change. */
  add<T extends Ruled>(ruled: T): T {
    ruled.useChain(this.#chain);
    this.#ruled.push(ruled);
    return ruled;
  }

  /** A table has come with these rules. Answers them where they are not those of the start, as those who began with it need them. */
  use(chain: ChainDescription | undefined): { readonly chain?: ChainDescription } {
    if (chain !== undefined && !sameChain(chain, this.#chain)) {
      this.#chain = sameChain(chain, this.#first) ? this.#first : chain;
      for (const ruled of this.#ruled) ruled.useChain(this.#chain);
    }
    return this.#chain === this.#first ? {} : { chain: this.#chain };
  }
}
