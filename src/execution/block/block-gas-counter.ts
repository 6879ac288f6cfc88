// Counts the gas of a block: gas that senders pay for, execution gas and state gas that count against the block's gas
// limit (EIP-8037), and blob gas. In forks without state gas, all gas is execution gas.
import type { TransactionRules } from '../../chain/active-forks.js';
import type { ExecutionAndStateGasLeft } from '../../transaction/validation.js';
import type { TransactedGas } from './state-transition.js';

export class BlockGasCounter {
  readonly #limit: bigint;
  #execution = 0n;
  #state = 0n;
  /** Gas that senders pay for, as in `cumulativeGasUsed` of the last receipt. */
  paid = 0n;
  blobs = 0n;
  /** Sum of the transactions' data footprints (OP Stack from Jovian on). */
  daFootprint = 0n;

  constructor(limit: bigint) {
    this.#limit = limit;
  }

  /** Returns a copy that counts independently of this one. */
  copy(): BlockGasCounter {
    const copy = new BlockGasCounter(this.#limit);
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

  /** The header's `gasUsed`: the larger of execution gas and state gas. */
  get used(): bigint {
    return this.#execution > this.#state ? this.#execution : this.#state;
  }

  /** The header's `blobGasUsed`; on the OP Stack from Jovian on, the data footprint. */
  get blobGasUsed(): bigint {
    return this.blobs + this.daFootprint;
  }

  get left(): ExecutionAndStateGasLeft {
    return { execution: this.#limit - this.#execution, state: this.#limit - this.#state };
  }

  /** Returns the highest gas limit with which another transaction still fits into the block. */
  highestLimit({ executionGasMax }: TransactionRules): bigint {
    const { execution, state } = this.left;
    const isBound = executionGasMax === null || execution < executionGasMax;
    return isBound && execution < state ? execution : state;
  }
}
