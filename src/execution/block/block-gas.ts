// Gas of a block: what its transactions pay for, and what they use of the block's gas, by execution and by state
// (EIP-8037) and of blobs. If a fork has one kind alone, all is execution.
import type { TransactionRules } from '../../chain/forks.js';
import type { GasLeft } from '../../transaction/validation.js';
import type { Transacted } from './state-transition.js';

/** Counts the gas of one block. */
export class BlockGas {
  readonly #limit: bigint;
  #execution = 0n;
  #state = 0n;
  /** Gas that is paid for: `cumulativeGasUsed` of the last receipt. */
  paid = 0n;
  blobs = 0n;
  /** Data footprint (OP Stack from Jovian on). */
  daFootprint = 0n;

  constructor(limit: bigint) {
    this.#limit = limit;
  }

  /** A copy that counts independently. */
  copy(): BlockGas {
    const copy = new BlockGas(this.#limit);
    copy.add({ gasUsed: this.paid, blockGas: { execution: this.#execution, state: this.#state } });
    copy.blobs = this.blobs;
    copy.daFootprint = this.daFootprint;
    return copy;
  }

  /** Adds a transaction's. */
  add({ gasUsed, blockGas: { execution, state } }: Pick<Transacted, 'gasUsed' | 'blockGas'>): void {
    this.paid += gasUsed;
    this.#execution += execution;
    this.#state += state;
  }

  /** The header's `gasUsed`: of the kind that was used more. */
  get used(): bigint {
    return this.#execution > this.#state ? this.#execution : this.#state;
  }

  /** The header's `blobGasUsed`; on the OP Stack the data footprint (Jovian). */
  get blobGasUsed(): bigint {
    return this.blobs + this.daFootprint;
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
