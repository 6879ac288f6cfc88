// Runs a block's transactions with @ethereumjs/vm: blocks before London, and as the reference for our own state
// transition.
import { createBlock, type Block } from '@ethereumjs/block';
import { Address } from '@ethereumjs/util';
import { EVMError } from '@ethereumjs/evm';
import { createVM, runTx, type VM } from '@ethereumjs/vm';
import type { BlockEnv } from '../../state/state-diff.js';
import type { ExecutionContext } from '../../evm/evm-engine.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { TransactionResult } from './state-transition.js';
import { AccessCollector } from '../../evm/reference/access-collector.js';
import { DeadlineEvm, DeadlinePassed } from '../../evm/reference/deadline-evm.js';
import { BlockHashes } from '../../evm/reference/minimum-gas-tracking-evm.js';
import { JournaledStateManager } from '../../evm/reference/state-manager.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { ETHEREUMJS_PRECOMPILES } from '../../evm/precompiles/precompile-implementations.js';
import { buildEthereumjsTransaction } from '../../transaction/ethereumjs-transaction.js';
import type { SignedTransaction } from '../../transaction/signed-transaction.js';
import type { ReadSet } from '../../evm/read-set.js';
import { DeadlineError } from '../deadline-error.js';
import { createdContractAddress } from '../../evm/created-contract-address.js';

/**
 * EVM and VM of @ethereumjs for one fork. They are reused for all blocks, because creating them takes a millisecond.
 */
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

  static async create(
    rules: ForkRules,
    state: JournaledState,
    blockHash: ExecutionContext['blockHash'],
  ): Promise<EthereumjsVmRunner> {
    // Copied, because the VM adds its own parameters to the object that it is given.
    const common = rules.common.copy();
    const blockchain = new BlockHashes(blockHash);
    const customPrecompiles = rules.precompiles;
    const stateManager = new RootlessState(state, !common.isActivatedEIP(8037));
    const accesses = common.isActivatedEIP(7928) ? new AccessCollector() : null;
    const list = accesses === null ? {} : { blockLevelAccessList: accesses };
    const options = { common, stateManager, blockchain, customPrecompiles, ...list };
    const evm = new DeadlineEvm(options, ETHEREUMJS_PRECOMPILES);
    const vm = await createVM({ common, stateManager, blockchain, evm });
    return new EthereumjsVmRunner(evm, vm, accesses);
  }

  /** Starts a block in this environment. */
  begin(env: BlockEnv): void {
    this.#block = blockOf(env, this.#vm);
  }

  /**
   * Runs a transaction of the block. Rejects with any error that the state throws, or with `DeadlineError` once
   * `deadline` (a time of `performance.now()`) has passed. After a rejection, `abandon` must be called.
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

  /**
   * Returns the accounts and slots read. Adds the recipient if the transaction ran out of gas before its first
   * instruction (EIP-2780), because @ethereumjs then leaves the recipient out.
   */
  #reads(receiver: Uint8Array): ReadSet {
    const { accounts, slots } = this.#accesses!.readSet();
    return { accounts: this.#evm.eip2780PrepOog ? [...accounts, receiver] : accounts, slots };
  }

  /** Resets the VM after an interrupted transaction. The caller reverts its changes of the state. */
  abandon(): void {
    this.#evm.journal.cleanJournal();
    this.#evm.transientStorage.clear();
  }
}

/**
 * A state that returns zeros as its root. Before Byzantium, @ethereumjs requests the root after each transaction, but
 * block-executor.ts computes the roots and adds them to the receipts.
 */
class RootlessState extends JournaledStateManager {
  override getStateRoot(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(32));
  }
}

/** Returns the @ethereumjs name of an exceptional halt; `null` if the execution succeeded or reverted. */
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
