// Gas of a block: what its transactions have taken, by execution and by state (EIP-8037). Where a fork has one kind alone, all is
// execution. Runs on publisher and estimators.
import type { TransactionRules } from '../../chain/forks.js';
import type { GasLeft } from '../../transaction/validation.js';

/** Counts the gas of one block. */
export class BlockGas {
  readonly #limit: bigint;
  #execution = 0n;
  #state = 0n;

  constructor(limit: bigint) {
    this.#limit = limit;
  }

  /** One that goes on from here by itself. */
  copy(): BlockGas {
    const copy = new BlockGas(this.#limit);
    copy.add({ execution: this.#execution, state: this.#state });
    return copy;
  }

  add({ execution, state }: { readonly execution: bigint; readonly state: bigint }): void {
    this.#execution += execution;
    this.#state += state;
  }

  /** The header's `gasUsed`: of the kind that more was taken of. */
  get used(): bigint {
    return this.#execution > this.#state ? this.#execution : this.#state;
  }

  get left(): GasLeft {
    return { execution: this.#limit - this.#execution, state: this.#limit - this.#state };
  }

  /** The highest gas limit of a transaction that fits. */
  highestLimit({ executionGasMax }: TransactionRules): bigint {
    const { execution, state } = this.left;
    const isBound = executionGasMax === null || execution < executionGasMax;
    return isBound && execution < state ? execution : state;
  }
}
