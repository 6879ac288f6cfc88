// The rules that main answers by: they change with a table, and nothing is executed by rules that are not known to be right. Runs on
// main.
import { sameChain, type ChainDescription } from '../chain/spec.js';
import { ERRORS } from '../errors.js';
import type { EstimatorPool } from '../pool/pool.js';
import type { Outcome } from '../transaction/call-request.js';
import type { ExecutionParts } from './methods/execution.js';

/** Ways to run a job. */
export type Runners = Pick<ExecutionParts, 'pool' | 'preflight'>;

/** Keeps what follows from the rules of a chain. */
export interface Ruled {
  /** From here on these rules hold; what was made by others is forgotten. */
  useChain(chain: ChainDescription): void;
}

/** One per program. */
export class ServedRules {
  readonly #first: ChainDescription;
  readonly #ruled: Ruled[] = [];
  readonly #doubt: () => string | null;
  #chain: ChainDescription;

  /** `chain`: that of the start. `doubt`: why the rules are not known to be right; `null`: they are. */
  constructor(chain: ChainDescription, doubt: () => string | null) {
    this.#first = this.#chain = chain;
    this.#doubt = doubt;
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

  /** Runs and answers nothing while the rules are in doubt. */
  guarded({ pool, preflight }: Runners): Runners {
    const submit: EstimatorPool['submit'] = (job, asker) => {
      const doubt = this.#doubt();
      return doubt === null ? pool.submit(job, asker) : Promise.resolve(refused(doubt));
    };
    return {
      pool: { submit },
      preflight: {
        answer: (job, states) => {
          const doubt = this.#doubt();
          return doubt === null ? preflight.answer(job, states) : refused(doubt);
        },
      },
    };
  }
}

function refused(doubt: string): Outcome {
  return { kind: 'failure', error: 'rulesUnknown', message: `${ERRORS.rulesUnknown.message}: ${doubt}` };
}
