// What blocks are executed on: one state, and for each fork something that runs transactions on it. Runs on the
// publisher.
import { SYSTEM_ADDRESS } from '../../chain/system-contracts.js';
import type { BlockEnv } from '../../state/diff.js';
import type { StateView } from '../../state/view.js';
import type { ExecutionContext, Message } from '../../evm/engine.js';
import { LibraryTransactions } from './library-transactions.js';
import { settle, takeUpfront, type OpCharges } from '../op/charges.js';
import type { Deposit } from '../../transaction/op/deposit.js';
import { runDeposit, type DepositResult } from '../op/run-deposit.js';
import type { CreateEngine } from '../../evm/kernel/engines.js';
import { ForkEngines } from '../fork-engines.js';
import type { ForkRules, Rules } from '../../evm/ethereumjs/fork-rules.js';
import { applyTransaction, type TransitionContext, type TransactionResult } from './state-transition.js';
import { JournaledState, type JournalParts } from '../../evm/journaled-state.js';
import type { SignedTransaction } from '../../transaction/library.js';

const SYSTEM_CALL_GAS = 30_000_000n;

/** What a transaction executor is made of, besides the rules of its chain. */
export interface TransactionExecutorParts {
  /** Makes what executes messages; the reference engine where it is not given. */
  readonly createEngine?: CreateEngine;
  /** Who runs transactions: `own`, which is the default, from London on; or the library at every fork, as a judge. */
  readonly transactions?: 'own' | 'library';
}

/** What a system call brought back; `output` is `null` where no code is at the address. */
export type SystemCall =
  | { readonly output: Uint8Array | null; readonly failure: null }
  | { readonly output: null; readonly failure: string };

/**
 * Executes the transactions and system calls of one block at a time. What a fork needs is made once and serves every
 * block; the state object is the same for all of them.
 */
export class TransactionExecutor {
  readonly rules: Rules;
  readonly state: JournaledState;
  readonly #parts: TransactionExecutorParts;
  readonly #engines: ForkEngines;
  readonly #libraries = new Map<ForkRules, LibraryTransactions>();
  #view: StateView;
  #transition: TransitionContext | null = null;
  /** Runs the block's transactions where we do not. */
  #library: LibraryTransactions | null = null;
  /** How many `wholly` are running, one inside another. */
  #depth = 0;

  constructor(rules: Rules, view: StateView, parts: TransactionExecutorParts = {}) {
    this.rules = rules;
    this.#view = view;
    this.#parts = parts;
    this.state = new JournaledState(view);
    this.#engines = new ForkEngines(this.state, parts.createEngine);
  }

  /** Forgets the last block and goes on from `view`, in the environment of the next one. */
  async begin(env: BlockEnv, view: StateView, parts: JournalParts): Promise<ForkRules> {
    const rules = this.rules.at(env.number, env.timestamp);
    this.#view = view;
    this.state.reset(view, parts);
    const context: ExecutionContext = {
      env,
      blobBaseFee: rules.blobBaseFee(env.excessBlobGas),
      precompileMoves: [],
      blockHash: (number) => view.blockHash(number),
      deadline: Infinity,
    };
    this.#transition = { rules, engine: this.#engines.at(rules), state: this.state, context };
    this.#library = this.#parts.transactions === 'library' || isOld(rules) ? await this.#libraryOf(rules) : null;
    this.#library?.begin(env);
    return rules;
  }

  /** Runs a transaction that passed every check. `charges`: what an OP-Stack chain takes besides. */
  run(transaction: SignedTransaction, charges: OpCharges | null): Promise<TransactionResult> {
    return this.wholly(() => (charges === null ? this.#runOne(transaction) : this.#runCharged(transaction, charges)));
  }

  /** Runs a deposit of the OP Stack. */
  deposit(deposit: Deposit): Promise<DepositResult> {
    return this.wholly(() => runDeposit(deposit, this.#at()));
  }

  /** Calls a system contract (EIP-4788, 2935, 7002, 7251). A failed call changes nothing. */
  call(address: Uint8Array, data: Uint8Array): Promise<SystemCall> {
    return this.wholly(() => this.#callSystem(address, data));
  }

  /**
   * All of `work` is done, or nothing: one that rejects (the view does not know everything yet) leaves the state as it
   * was and the engine usable, and can be tried again. May be nested.
   */
  async wholly<T>(work: () => Promise<T>): Promise<T> {
    const outermost = this.#depth++ === 0;
    if (outermost) this.state.mark();
    try {
      const result = await work();
      if (outermost) this.state.keep();
      return result;
    } catch (error) {
      if (outermost) this.state.undoAll();
      this.#library?.abandon();
      throw error;
    } finally {
      this.#depth--;
    }
  }

  #runOne(transaction: SignedTransaction): Promise<TransactionResult> {
    return this.#library?.run(transaction) ?? applyTransaction(transaction, this.#at());
  }

  async #runCharged(transaction: SignedTransaction, charges: OpCharges): Promise<TransactionResult> {
    takeUpfront(charges, transaction.from, this.state);
    const result = await this.#runOne(transaction);
    const gas = { used: result.gasUsed, baseFee: this.#at().context.env.baseFeePerGas };
    settle(charges, transaction.from, gas, this.state);
    return result;
  }

  async #callSystem(address: Uint8Array, data: Uint8Array): Promise<SystemCall> {
    const { state } = this;
    if (state.codeOf(address).length === 0) return { output: null, failure: null };
    const { engine, context } = this.#at();
    const caller = state.accountOf(SYSTEM_ADDRESS);
    const { status, returnData, error } = await engine.apply(systemMessage(address, data), context, SYSTEM_CALL_GAS);
    // The caller of the message may have become an account, though an empty one.
    if (state.accountOf(SYSTEM_ADDRESS) !== caller) state.setAccount(SYSTEM_ADDRESS, caller);
    state.beginTransaction();
    return status === 'success'
      ? { output: returnData, failure: null }
      : { output: null, failure: error?.text ?? 'execution reverted' };
  }

  #at(): TransitionContext {
    if (this.#transition === null) throw new Error('no block has begun');
    return this.#transition;
  }

  async #libraryOf(rules: ForkRules): Promise<LibraryTransactions> {
    let library = this.#libraries.get(rules);
    if (library === undefined) {
      const blockHash = (number: number): Uint8Array | null => this.#view.blockHash(number);
      library = await LibraryTransactions.create({ rules, state: this.state, blockHash });
      this.#libraries.set(rules, library);
    }
    return library;
  }
}

function isOld({ common }: ForkRules): boolean {
  return !common.gteHardfork('london');
}

function systemMessage(to: Uint8Array, data: Uint8Array): Message {
  const free = { value: 0n, gasPrice: 0n, blobVersionedHashes: [], accessList: [], warm: [] };
  return { caller: SYSTEM_ADDRESS, to, data, ...free };
}
