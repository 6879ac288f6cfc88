// Executes the transactions of blocks, on one state with one engine for each fork.
import type { BlockEnv } from '../../state/state-diff.js';
import type { StateView } from '../../state/views/state-view.js';
import type { ExecutionContext } from '../../evm/evm-engine.js';
import { whenReady, catchNow } from '../../lib/threads/sync-or-async.js';
import type { BlockGas } from './block-gas.js';
import { EthereumjsVmRunner } from './ethereumjs-vm.js';
import { opCharges, creditFeeVaults, deductUpfrontCharges, type OpCharges } from '../op/fee-charges.js';
import type { DepositTransaction } from '../../transaction/op/deposit.js';
import { runDeposit, type DepositResult } from '../op/run-deposit.js';
import type { CreateEngine } from '../../evm/kernel/engine-factory.js';
import { ForkEngines } from '../fork-engines.js';
import type { ForkRules, ChainRules } from '../../evm/reference/fork-rules.js';
import { applyTransaction, type TransitionContext, type TransactionResult } from './state-transition.js';
import { JournaledState, type JournalDeps } from '../../evm/journal/journaled-state.js';
import { callSystemContract, type SystemCallResult } from '../system-call.js';
import type { SignedTransaction } from '../../transaction/signed-transaction.js';
import { transactionBlobGas, validateTransaction, type InvalidTransaction } from '../../transaction/validation.js';
import { GAS_PER_BLOB } from '../../chain/forks.js';

/** The dependencies of a transaction executor besides the rules of its chain. */
export interface TransactionExecutorDeps {
  /** Creates the engine that executes messages; by default the reference engine. */
  readonly createEngine?: CreateEngine;
  /** A state that is also used for other things than blocks, and the engines on it; by default both are created. */
  readonly shared?: { readonly state: JournaledState; readonly engines: ForkEngines };
  /** What runs transactions: `own`, the default, does from London on; `library` uses the library always. */
  readonly transactions?: 'own' | 'library';
}

/** What a block needs at its start besides its environment and the state of its parent. */
export interface BlockStartDeps extends JournalDeps {
  /** The parent's hash for BLOCKHASH, if the view does not know it because the parent is pre-confirmed. */
  readonly parentHash?: Uint8Array;
}

/** Executes one block at a time. What a fork needs, and the state object, is created once for all blocks. */
export class TransactionExecutor {
  readonly rules: ChainRules;
  readonly state: JournaledState;
  /** Time of `performance.now()` at which the current execution is interrupted and rejects with `DeadlineError`. */
  deadline = Infinity;
  readonly #deps: TransactionExecutorDeps;
  readonly #engines: ForkEngines;
  readonly #libraries = new Map<ForkRules, EthereumjsVmRunner>();
  #blockHash: (number: number) => Uint8Array | null;
  #transition: TransitionContext | null = null;
  /** Runs the transactions of forks that our own state transition does not support. */
  #library: EthereumjsVmRunner | null = null;
  /** Number of nested calls of `wholly` that are running. */
  #depth = 0;

  constructor(rules: ChainRules, view: StateView, deps: TransactionExecutorDeps = {}) {
    this.rules = rules;
    this.#blockHash = (number) => view.blockHash(number);
    this.#deps = deps;
    this.state = deps.shared?.state ?? new JournaledState(view);
    this.#engines = deps.shared?.engines ?? new ForkEngines(this.state, deps.createEngine);
  }

  /** Returns the hash of a block before the current one; `null` if it is unknown. */
  get blockHash(): ExecutionContext['blockHash'] {
    return this.#blockHash;
  }

  /** Forgets the last block and continues from `view`, in the environment of the next block. */
  async begin(env: BlockEnv, view: StateView, deps: BlockStartDeps): Promise<ForkRules> {
    const rules = this.rules.at(env.number, env.timestamp);
    const { parentHash } = deps;
    this.#blockHash = (number) =>
      number === env.number - 1 && parentHash !== undefined ? parentHash : view.blockHash(number);
    this.state.reset(view, deps);
    this.#transition = null;
    if (this.#deps.shared === undefined) this.#engines.renew();
    const deadline = (): number => this.deadline;
    const context: ExecutionContext = {
      env,
      blobBaseFee: rules.blobBaseFee(env.excessBlobGas),
      precompileMoves: [],
      blockHash: this.#blockHash,
      get deadline() {
        return deadline();
      },
    };
    this.#transition = { rules, engine: this.#engines.at(rules), state: this.state, context };
    this.#library = this.#deps.transactions === 'library' || isOld(rules) ? await this.#libraryOf(rules) : null;
    this.#library?.begin(env);
    return rules;
  }

  /** The charges that an OP-Stack chain makes for a transaction by the current state; `null` on any other chain. */
  charges({ raw, gasLimit }: SignedTransaction): OpCharges | null {
    const { rules, state } = this.#at();
    return rules.op === null ? null : opCharges(raw, gasLimit, state, rules.op);
  }

  /** The rule that a transaction would violate as the next of its block, which has used `gas`; `null` if none. */
  invalid(signed: SignedTransaction, charges: OpCharges | null, gas: BlockGas): InvalidTransaction | null {
    const { rules, state, context } = this.#at();
    return validateTransaction(signed, {
      env: context.env,
      rules,
      gasLeft: gas.left,
      blobGasLeft: BigInt(rules.blobsMax) * GAS_PER_BLOB - gas.blobs,
      extraFees: charges?.upfront ?? 0n,
      state,
    });
  }

  /** Runs a transaction that has passed all checks, adding its gas to the block's. `charges`: an OP-Stack chain's. */
  run(
    transaction: SignedTransaction,
    charges: OpCharges | null,
    gas: BlockGas,
  ): TransactionResult | Promise<TransactionResult> {
    const ran = this.wholly(() =>
      charges === null ? this.#runOne(transaction) : this.#runCharged(transaction, charges),
    );
    return whenReady(ran, (result) => {
      gas.add(result);
      gas.blobs += transactionBlobGas(transaction);
      gas.daFootprint += charges?.daFootprint ?? 0n;
      return result;
    });
  }

  deposit(deposit: DepositTransaction): DepositResult | Promise<DepositResult> {
    return this.wholly(() => runDeposit(deposit, this.#at()));
  }

  /** Calls a system contract (EIP-4788, 2935, 7002, 7251). A call that fails changes nothing. */
  call(address: Uint8Array, data: Uint8Array): SystemCallResult | Promise<SystemCallResult> {
    return this.wholly(() => callSystemContract(address, data, this.#at()));
  }

  /**
   * Runs all of `work` or nothing. If it throws or rejects, because the view misses state, the state is as before, the
   * engine can be used, and the call can be retried. Calls may be nested.
   */
  wholly<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (this.#depth++ === 0) this.state.mark();
    return catchNow(
      () => whenReady(work(), (result) => this.#kept(result)),
      (error) => this.#undone(error),
    );
  }

  #kept<T>(result: T): T {
    if (--this.#depth === 0) this.state.keep();
    return result;
  }

  #undone(error: unknown): never {
    if (--this.#depth === 0) this.state.undoAll();
    this.#library?.abandon();
    throw error;
  }

  #runOne(transaction: SignedTransaction): TransactionResult | Promise<TransactionResult> {
    return this.#library?.run(transaction, this.deadline) ?? applyTransaction(transaction, this.#at());
  }

  #runCharged(transaction: SignedTransaction, charges: OpCharges): TransactionResult | Promise<TransactionResult> {
    deductUpfrontCharges(charges, transaction.from, this.state);
    return whenReady(this.#runOne(transaction), (result) => {
      const gas = { used: result.gasUsed, baseFee: this.#at().context.env.baseFeePerGas };
      creditFeeVaults(charges, transaction.from, gas, this.state);
      return result;
    });
  }

  #at(): TransitionContext {
    if (this.#transition === null) throw new Error('no block has started');
    return this.#transition;
  }

  async #libraryOf(rules: ForkRules): Promise<EthereumjsVmRunner> {
    let library = this.#libraries.get(rules);
    if (library === undefined) {
      const blockHash = (number: number): Uint8Array | null => this.#blockHash(number);
      library = await EthereumjsVmRunner.create({ rules, state: this.state, blockHash });
      this.#libraries.set(rules, library);
    }
    return library;
  }
}

function isOld({ common }: ForkRules): boolean {
  return !common.gteHardfork('london');
}
