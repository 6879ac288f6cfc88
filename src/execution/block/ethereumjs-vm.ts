// Runs a block's transactions by @ethereumjs/vm: before London, and as the reference of our own transition.
import { createBlock, type Block } from '@ethereumjs/block';
import { Address } from '@ethereumjs/util';
import { EVMError } from '@ethereumjs/evm';
import { createVM, runTx, type VM } from '@ethereumjs/vm';
import type { BlockEnv } from '../../state/state-diff.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { TransactionResult } from './state-transition.js';
import { AccessCollector } from '../../evm/reference/access-collector.js';
import { DeadlineEvm, DeadlinePassed } from '../../evm/reference/deadline-evm.js';
import { JournaledStateManager } from '../../evm/reference/state-manager.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { ETHEREUMJS_PRECOMPILES } from '../../evm/precompiles/precompile-set.js';
import { buildEthereumjsTransaction } from '../../transaction/ethereumjs-transaction.js';
import type { SignedTransaction } from '../../transaction/signed-transaction.js';
import type { ReadSet } from '../../evm/read-set.js';
import { DeadlineError } from '../deadline-error.js';
import { createdContractAddress } from '../created-address.js';

export interface EthereumjsVmDeps {
  readonly rules: ForkRules;
  readonly state: JournaledState;
  readonly blockHash: (number: number) => Uint8Array | null;
}

/** The library's EVM and VM for one fork. Creating them takes a millisecond, so they are used for all blocks. */
export class EthereumjsVmRunner {
  readonly #evm: DeadlineEvm;
  readonly #vm: VM;
  readonly #accesses: AccessCollector | null;
  #block: Block | null = null;

  private constructor(evm: DeadlineEvm, vm: VM, accesses: AccessCollector | null) {
    this.#evm = evm;
    this.#vm = vm;
    this.#accesses = accesses;
  }

  static async create({ rules, state, blockHash }: EthereumjsVmDeps): Promise<EthereumjsVmRunner> {
    // A copy, because the VM adds its own parameters to its argument.
    const common = rules.common.copy();
    const blockchain = {
      getBlock: (number: number) => Promise.resolve({ hash: () => blockHash(number) ?? new Uint8Array(32) }),
      putBlock: () => Promise.reject(new Error('blocks are not put here')),
      shallowCopy: () => blockchain,
    };
    const customPrecompiles = rules.precompiles;
    const stateManager = new RootlessState(state, !common.isActivatedEIP(8037));
    const accesses = common.isActivatedEIP(7928) ? new AccessCollector() : null;
    const list = accesses === null ? {} : { blockLevelAccessList: accesses };
    const options = { common, stateManager, blockchain, customPrecompiles, ...list };
    const evm = new DeadlineEvm(options, ETHEREUMJS_PRECOMPILES);
    const vm = await createVM({ common, stateManager, blockchain, evm });
    return new EthereumjsVmRunner(evm, vm, accesses);
  }

  /** Starts a block with this environment. */
  begin(env: BlockEnv): void {
    this.#block = blockOf(env, this.#vm);
  }

  /**
   * Runs a transaction of the block. Rejects with what the state throws, or with `DeadlineError` once `deadline` (of
   * `performance.now()`) has passed; `abandon` must follow then.
   */
  async run({ raw, rules, from, to, nonce }: SignedTransaction, deadline: number): Promise<TransactionResult> {
    const tx = buildEthereumjsTransaction(raw, rules, from);
    const options = { tx, block: this.#block!, skipHardForkValidation: true, skipBlockGasLimitValidation: true };
    this.#accesses?.clear();
    this.#evm.endAt(deadline);
    const { execResult, totalGasSpent, txRegularGas, txStateGas } = await runTx(this.#vm, options).catch(brokenOff);
    return {
      status: execResult.exceptionError === undefined ? 1 : 0,
      gasUsed: totalGasSpent,
      blockGas: { execution: txRegularGas ?? totalGasSpent, state: txStateGas ?? 0n },
      logs: (execResult.logs ?? []).map(([address, topics, data]) => ({ address, topics, data })),
      ...(this.#accesses === null ? {} : { reads: this.#reads(to ?? createdContractAddress(from, nonce)) }),
      returnData: execResult.returnValue,
      halted: haltOf(execResult.exceptionError?.error),
    };
  }

  /** The library does not list a recipient if the gas is too low for its account (EIP-2780). */
  #reads(receiver: Uint8Array): ReadSet {
    const { accounts, slots } = this.#accesses!.readSet();
    return { accounts: this.#evm.eip2780PrepOog ? [...accounts, receiver] : accounts, slots };
  }

  /** Forgets a transaction that was interrupted. The caller reverts what it did to the state. */
  abandon(): void {
    this.#evm.journal.cleanJournal();
    this.#evm.transientStorage.clear();
  }
}

/** Before Byzantium the library asks for a root after each transaction; block-executor.ts fills it into receipts. */
class RootlessState extends JournaledStateManager {
  override getStateRoot(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(32));
  }
}

/** The library's name for how an execution ended, unless it reverted. */
function haltOf(error: string | undefined): string | null {
  return error === undefined || error === EVMError.errorMessages.REVERT ? null : error;
}

function brokenOff(thrown: unknown): never {
  throw thrown instanceof DeadlinePassed ? new DeadlineError('a transaction was broken off') : thrown;
}

function blockOf(env: BlockEnv, { common }: VM): Block {
  const header = {
    number: env.number,
    timestamp: env.timestamp,
    gasLimit: env.gasLimit,
    coinbase: new Address(env.coinbase),
    difficulty: env.difficulty,
    mixHash: env.prevRandao,
    ...(common.isActivatedEIP(1559) ? { baseFeePerGas: env.baseFeePerGas } : {}),
    ...(common.isActivatedEIP(4844) ? { excessBlobGas: env.excessBlobGas } : {}),
    ...(common.isActivatedEIP(7843) ? { slotNumber: env.slotNumber ?? 0n } : {}),
  };
  return createBlock({ header }, { common, skipConsensusFormatValidation: true });
}
