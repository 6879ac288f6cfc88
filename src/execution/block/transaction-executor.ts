// Executes the transactions of blocks, on one journaled state and with one engine per fork.
import type { BlockEnv } from '../../state/state-diff.js';
import type { StateView } from '../../state/views/state-view.js';
import type { ExecutionContext } from '../../evm/evm-engine.js';
import { whenReady, catchNow } from '../../lib/threads/sync-or-async.js';
import type { BlockGasCounter } from './block-gas-counter.js';
import { EthereumjsVmRunner } from './ethereumjs-vm-runner.js';
import { opCharges, creditFeeVaults, type OpCharges } from '../op/fee-charges.js';
import type { DepositTransaction } from '../../transaction/op/deposit.js';
import { runDeposit, type DepositResult } from '../op/run-deposit.js';
import type { CreateEngine } from '../../evm/kernel/kernel-or-reference-engine.js';
import { ForkEngines } from '../fork-engines.js';
import type { ForkRules, ChainRules } from '../../evm/reference/fork-rules.js';
import { creditBalance } from './transaction-settlement.js';
import { applyTransaction, type TransitionContext, type TransactionResult } from './state-transition.js';
import { JournaledState, type JournalDeps } from '../../evm/journal/journaled-state.js';
import { callSystemContract, type SystemCallResult } from '../system-call.js';
import type { SignedTransaction } from '../../transaction/signed-transaction.js';
import {
  transactionBlobGas,
  validateTransaction,
  type TransactionRuleViolation,
} from '../../transaction/validation.js';
import { GAS_PER_BLOB } from '../../chain/active-forks.js';

/** Dependencies of a transaction executor besides the rules of its chain. */
export interface TransactionExecutorDeps {
  /** Creates the engine that executes messages; by default the reference engine. */
  readonly createEngine?: CreateEngine;
  /**
   * A state, and engines on it, that are also used for other work than blocks. By default the executor creates its own.
   */
  readonly shared?: { readonly state: JournaledState; readonly engines: ForkEngines };
  /**
   * Implementation of the state transition. `own` (the default): ours from London on, and @ethereumjs/vm for earlier
   * forks. `library`: always @ethereumjs/vm.
   */
  readonly transactions?: 'own' | 'library';
}

/** What `begin` needs to start a block, besides its environment and its parent's state. */
export interface BlockStartDeps extends JournalDeps {
  /** Hash of the parent for BLOCKHASH, if the view does not know it because the parent is only pre-confirmed. */
  readonly parentHash?: Uint8Array;
}

/** Executes transactions, one block at a time. Engines and the state object are created once for all blocks. */
export class TransactionExecutor {
  readonly rules: ChainRules;
  readonly state: JournaledState;
  /**
   * Time of `performance.now()` at which the current execution is interrupted; it then rejects with `DeadlineError`.
   */
  deadline = Infinity;
  readonly #deps: TransactionExecutorDeps;
  readonly #engines: ForkEngines;
  readonly #libraries = new Map<ForkRules, EthereumjsVmRunner>();
  #blockHash: (number: number) => Uint8Array | null;
  #transition: TransitionContext | null = null;
  /**
   * Executes the current block's transactions if it is before London, because our own state transition does not support
   * those forks, or if the option `transactions` is 'library'; otherwise `null`.
   */
  #library: EthereumjsVmRunner | null = null;
  /**
   * How many calls of `wholly` are in progress, one inside another. Only the outermost one marks and restores the
   * state.
   */
  #depth = 0;

  constructor(rules: ChainRules, view: StateView, deps: TransactionExecutorDeps = {}) {
    this.rules = rules;
    this.#blockHash = (number) => view.blockHash(number);
    this.#deps = deps;
    this.state = deps.shared?.state ?? new JournaledState(view);
    this.#engines = deps.shared?.engines ?? new ForkEngines(this.state, deps.createEngine);
  }

  /** Function that returns the hash of an earlier block; `null` if it is unknown. */
  get blockHash(): ExecutionContext['blockHash'] {
    return this.#blockHash;
  }

  /** Starts a block with this environment on the state of `view`, and drops all changes of the previous block. */
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
    const usesLibrary = this.#deps.transactions === 'library' || !rules.common.gteHardfork('london');
    this.#library = usesLibrary ? await this.#libraryOf(rules) : null;
    this.#library?.begin(env);
    return rules;
  }

  /** Returns the OP-Stack charges for a transaction, by the prices in the current state; `null` on other chains. */
  charges({ raw, gasLimit }: SignedTransaction): OpCharges | null {
    const { rules, state } = this.#at();
    return rules.op === null ? null : opCharges(raw, gasLimit, state, rules.op);
  }

  /**
   * Returns the rule that this transaction would violate as the next transaction of a block that has used `gas`; `null`
   * if it would violate none.
   */
  invalid(signed: SignedTransaction, charges: OpCharges | null, gas: BlockGasCounter): TransactionRuleViolation | null {
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

  /**
   * Executes a transaction that has passed all checks, and adds its gas to `gas`. `charges` is `null` except on
   * OP-Stack chains.
   */
  run(
    transaction: SignedTransaction,
    charges: OpCharges | null,
    gas: BlockGasCounter,
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

  /** Calls a system contract (EIP-4788, 2935, 7002, 7251). A failed call changes nothing. */
  call(address: Uint8Array, data: Uint8Array): SystemCallResult | Promise<SystemCallResult> {
    return this.wholly(() => callSystemContract(address, data, this.#at()));
  }

  /**
   * Runs `work` completely or not at all. If `work` throws or rejects, for instance because the view lacks an account
   * or a slot, all its changes are undone and the caller can retry. Calls may be nested.
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
    // Deducted before the transaction is executed, so that it sees the sender's remaining balance.
    creditBalance(transaction.from, -charges.upfront, this.state);
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
      library = await EthereumjsVmRunner.create(rules, this.state, (number) => this.#blockHash(number));
      this.#libraries.set(rules, library);
    }
    return library;
  }
}
