// Counts the gas of a block: what its transactions pay for, what they use of the block's gas limit, by execution and by
// state (EIP-8037), and blob gas. If a fork does not have state gas, everything is execution.
import type { TransactionRules } from '../../chain/forks.js';
import type { BlockGasLeft } from '../../transaction/validation.js';
import type { TransactedGas } from './state-transition.js';

export class BlockGas {
  readonly #limit: bigint;
  #execution = 0n;
  #state = 0n;
  /** Gas that is paid for, as in `cumulativeGasUsed` of the last receipt. */
  paid = 0n;
  blobs = 0n;
  /** Data footprint of the transactions (OP Stack from Jovian on). */
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

  add({ gasUsed, blockGas: { execution, state } }: Pick<TransactedGas, 'gasUsed' | 'blockGas'>): void {
    this.paid += gasUsed;
    this.#execution += execution;
    this.#state += state;
  }

  /** The header's `gasUsed`, which is the larger of execution and state. */
  get used(): bigint {
    return this.#execution > this.#state ? this.#execution : this.#state;
  }

  /** The header's `blobGasUsed`; on the OP Stack from Jovian on, the data footprint. */
  get blobGasUsed(): bigint {
    return this.blobs + this.daFootprint;
  }

  get left(): BlockGasLeft {
    return { execution: this.#limit - this.#execution, state: this.#limit - this.#state };
  }

  /** The highest gas limit with which another transaction fits. */
  highestLimit({ executionGasMax }: TransactionRules): bigint {
    const { execution, state } = this.left;
    const isBound = executionGasMax === null || execution < executionGasMax;
    return isBound && execution < state ? execution : state;
  }
}
