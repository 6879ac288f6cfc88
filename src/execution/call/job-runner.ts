// Runs jobs (calls, estimates, access lists and more). An EVM engine executes the code; this file applies the rules of
// transactions and go-ethereum's limits.

// An estimate comes from one run that tracks the minimum gas of every frame. A search with several gas limits is only
// necessary if code reads its own gas (GAS). See DECISIONS.md.
//
// For code that loops until its gas is used up, the search starts with low gas limits and goes up. See DECISIONS.md.
import type { BlockEnv } from '../../state/state-diff.js';
import { type AccountState, hasCode, type StateView, NO_STATE } from '../../state/views/state-view.js';
import { failureOutcome, timeoutOutcome, type Job, type JobOutcome } from '../../transaction/evm-job.js';
import {
  createCallTransaction,
  firstViolatedCallRule,
  type InvalidCall,
  type PricedCall,
} from '../../transaction/call-validation.js';
import {
  preflightEstimate,
  gasRequiredExceedsAllowance,
  gasOutcome,
  type RecipientAccounts,
} from './estimate-without-execution.js';
import {
  ABORTED_EXECUTION,
  type AppliedMessage,
  type EvmEngine,
  type Execution,
  type ExecutionContext,
  type EvmMessage,
} from '../../evm/evm-engine.js';
import { callBundle } from '../bundle/call-bundle.js';
import { effectsFingerprint } from './effects-fingerprint.js';
import { callMany } from './call-many.js';
import { traceMany } from '../trace/trace-many.js';
import { simulateBlocks } from '../simulate/simulate.js';
import {
  isDeadlinePast,
  type CallEnvironment,
  type ReadWholeState,
  type CallSequenceBase,
} from './call-environment.js';
import { TracedEngines } from '../trace/traced-engines.js';
import { traceJob, runThenDetachTracers } from '../trace/trace-job.js';
import { createAccessList, type AccessListRun } from './create-access-list.js';
import { transactionEnvOfCall, NONCE_OVERFLOW_RESULT, isNonceOverflow } from './apply-call-as-transaction.js';
import type { MessageGas } from '../block/authorization-gas-meter.js';
import {
  splitMessageGas,
  transactionMessage,
  runTransactionMessage,
  type MessageExecutionOptions,
  type TransactionEnv,
} from '../block/transaction-message.js';
import { computeSpentGas } from '../block/transaction-settlement.js';
import { whenReady, finallyNow } from '../../lib/threads/sync-or-async.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { overrideBlock, overrideBlockHashes, overrideState } from './overrides.js';
import type { CreateEngine } from '../../evm/kernel/kernel-or-reference-engine.js';
import { ForkEngines } from '../fork-engines.js';
import type { ChainRules } from '../../evm/reference/fork-rules.js';
import { NonEvmCodeError } from '../../evm/non-evm-code-error.js';
import { DeadlineError } from '../deadline-error.js';
import { EMPTY_READ_SET } from '../../evm/read-set.js';
import { JournaledState } from '../../evm/journal/journaled-state.js';
import { maxBigInt, minBigInt } from '../../lib/min-max-bigint.js';

export interface JobRunnerDeps {
  readonly rules: ChainRules;
  /** Creates an engine for one fork that executes on `state`; by default a `ReferenceEngine`. */
  readonly createEngine?: CreateEngine;
  /**
   * Called, for tests, when one run that tracks the minimum gas does not give the estimate. The reason
   * `unconfirmed` means that a run with the tracked minimum ended differently, which is a bug of the engine.
   */
  readonly onSearch?: (reason: GasSearchReason) => void;
  /** What an estimate means, see `EstimateCriterion`; 'same' by default. */
  readonly estimateMode?: EstimateCriterion;
  /**
   * Whether every tracked minimum is confirmed by a second run, for tests. By default it is trusted, because it is
   * exact.
   */
  readonly confirms?: boolean;
}

/**
 * What an estimate means.
 * 'same': the minimum gas with which inner calls get all the gas that the code requests for them. If the code reads its
 * gas: the minimum gas with which the transaction has the same call tree, or at least the same effects, as at the
 * highest limit.
 * 'least': the minimum gas with which the transaction succeeds in any way, as go-ethereum's search finds it.
 */
export type EstimateCriterion = 'same' | 'least';

/**
 * Why an estimate needed a search: the code reads its gas ('gas-sensitive'); the estimate mode is 'least'; state gas
 * must be paid on top of the cap on execution gas (EIP-8037; 'reservoir'); or the tracked minimum did not work
 * ('unconfirmed').
 */
export type GasSearchReason = 'gas-sensitive' | 'least' | 'reservoir' | 'unconfirmed';

/** Runs jobs on one thread, one after another, with one engine per fork. */
export class JobRunner {
  readonly #state: JournaledState;
  readonly #engines: ForkEngines;
  /** Engines for traces. They are created for the first trace job. */
  #traced: TracedEngines | null = null;
  readonly #deps: JobRunnerDeps;
  readonly #attemptDeps: AttemptDeps;
  /** The state view of the job that is running. */
  #view: StateView = NO_STATE;
  // Created once, so that jobs do not need a new closure each.
  readonly #blockHash = (number: number): Uint8Array | null => this.#view.blockHash(number);
  readonly #onBlockRead = (): void => {
    this.#readsBlock = true;
  };
  readonly #end = (): void => {
    this.#running = false;
  };
  #running = false;
  #readsBlock = false;
  #idleFeeRecipient: Uint8Array | null = null;

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
    this.#attemptDeps = { ...deps, onFeeRecipientUsed: () => (this.#idleFeeRecipient = null) };
    this.#state = new JournaledState(NO_STATE);
    this.#engines = new ForkEngines(this.#state, deps.createEngine);
  }

  /**
   * True if the code that the last call, estimate or access list executed has read its block environment (e.g. NUMBER).
   */
  get readsBlock(): boolean {
    return this.#readsBlock;
  }

  /**
   * The fee recipient of the last job, if that was a watched call and used this account only to make it warm
   * (EIP-3651). The result of such a call does not depend on the account's balance.
   */
  get idleFeeRecipient(): Uint8Array | null {
    return this.#idleFeeRecipient;
  }

  /** Creates the engine for the fork of this block ahead of the first job, because that takes some 10 ms. */
  prepare(number: number, timestamp: number): void {
    this.#engines.at(this.#deps.rules.at(number, timestamp));
  }

  /**
   * Runs `job` on this state and block environment; synchronously if the engine is synchronous. `contents` returns the
   * whole state, for jobs that compute state roots. Throws or rejects only with errors that `view` throws (missing
   * state); the job may then be run again. Only one job may run at a time.
   */
  runJob(
    job: Job,
    view: StateView,
    env: BlockEnv,
    contents: ReadWholeState = UNKNOWN,
  ): JobOutcome | Promise<JobOutcome> {
    if (this.#running) throw new Error('a job is running already');
    this.#running = true;
    this.#readsBlock = false;
    return finallyNow(() => {
      this.#view = view;
      this.#state.reset(view);
      const isOne = job.blocks === undefined && job.trace === undefined && job.bundle === undefined;
      return isOne ? this.#answer(job, env) : this.#answerMany(job, view, env, contents);
    }, this.#end);
  }

  /**
   * Frees memory if the engines retain more than `bytesKeptMax`. Call it between two jobs, after the last one is
   * answered.
   */
  renew(bytesKeptMax?: number): void {
    this.#engines.renew(bytesKeptMax);
  }

  #answerMany(job: Job, view: StateView, env: BlockEnv, contents: ReadWholeState): Promise<JobOutcome> {
    const deadline = performance.now() + job.timeoutMs;
    const base = {
      state: this.#state,
      engines: this.#engines,
      rules: this.#deps.rules,
      view,
      env,
      contents,
      blockHash: (number: number) => view.blockHash(number),
      deadline,
    };
    const made = this.#made(job, base);
    return made.catch((error: unknown) => {
      if (error instanceof DeadlineError) return timeoutOutcome(job.timeoutMs);
      if (error instanceof NonEvmCodeError) return failureOutcome(error.message, 'foreign');
      throw error;
    });
  }

  #made(job: Job, base: CallSequenceBase): Promise<JobOutcome> {
    if (job.kind === 'simulate') return simulateBlocks(job, base);
    if (job.trace === undefined) return job.kind === 'bundle' ? callBundle(job, base, null) : callMany(job, base);
    this.#traced ??= new TracedEngines(this.#state, this.#engines);
    const traced = { ...base, engines: this.#traced };
    if (job.kind === 'bundle')
      return runThenDetachTracers(traced.engines, () => callBundle(job, traced, traced.engines));
    return job.kind === 'callMany' ? traceMany(job, traced) : traceJob(job, traced);
  }

  #answer(job: Job, parentEnv: BlockEnv): JobOutcome | Promise<JobOutcome> {
    const { stateOverride, blockOverride, kind } = job;
    const env = overrideBlock(parentEnv, blockOverride);
    const rules = this.#deps.rules.at(env.number, env.timestamp);
    const engine = this.#engines.at(rules);
    const moved = stateOverride.find(({ address, movePrecompileToAddress: to }) => {
      return to !== undefined && rules.nonEvm.kindOf(address) !== null;
    });
    if (moved !== undefined) return { kind: 'foreign', address: moved.address };
    const precompileMoves = overrideState(stateOverride, engine, this.#state);
    if (typeof precompileMoves === 'string') return failureOutcome(precompileMoves);
    const context: ExecutionContext = {
      env,
      blobBaseFee: blockOverride?.blobBaseFee ?? rules.blobBaseFee(env.excessBlobGas),
      precompileMoves,
      blockHash: overrideBlockHashes(this.#blockHash, blockOverride),
      deadline: performance.now() + job.timeoutMs,
      onBlockRead: this.#onBlockRead,
    };
    this.#idleFeeRecipient = job.isWatched === true ? env.coinbase : null;
    const target = { rules, engine, context };
    if (kind === 'accessList') return this.#accessList(job, target);
    const attempt = this.#attempt(job, target);
    return kind === 'call' ? attempt.call() : attempt.estimate();
  }

  #accessList(job: Job, target: CallEnvironment): JobOutcome | Promise<JobOutcome> {
    const { rules, engine, context } = target;
    if (!rules.common.isActivatedEIP(1559)) return failureOutcome('access lists are made from London on');
    return createAccessList(job, {
      accounts: this.#state,
      fees: { baseFee: context.env.baseFeePerGas, blobBaseFee: context.blobBaseFee },
      chainId: this.#deps.rules.chain.chainId,
      isPrecompile: (address) =>
        engine.isPrecompile(address, context.precompileMoves) || rules.nonEvm.kindOf(address) === 'precompile',
      run: (call, gasLimit) => this.#attempt({ ...job, call }, target).reads(gasLimit),
    });
  }

  #attempt(job: Job, { rules, engine, context }: CallEnvironment): Attempt {
    return new Attempt(job, createCallTransaction(job.call, rules, context), this.#state, engine, this.#attemptDeps);
  }
}

interface AttemptDeps extends JobRunnerDeps {
  /** Called if the execution of a watched call may depend on the fee recipient's account. */
  readonly onFeeRecipientUsed: () => void;
}

/** Result of executing a transaction once, or the reason why it was not started. */
type Run = Execution | InvalidCall;

/** Result of one execution, and the fingerprint of its effects if they were examined. */
interface ProbeResult {
  readonly run: Execution;
  readonly effects: string;
}

/** How the transaction ends at the highest gas limit. A search looks for the lowest limit with the same end. */
interface End {
  readonly limit: bigint;
  /** Fingerprint of the tree of calls. */
  readonly tree: number;
  /**
   * Fingerprint of the effects of the run at this limit; `null` until it is needed: if a run at another limit has a
   * different call tree, their effects are compared.
   */
  effects: string | null;
}

/** One job in progress: executes the same transaction with one gas limit or with several. */
class Attempt implements RecipientAccounts {
  readonly #job: Job;
  readonly #tx: PricedCall;
  readonly #state: JournaledState;
  readonly #engine: EvmEngine;
  readonly #deps: AttemptDeps;
  /** Gas that the message of the last run was given. */
  #gas: MessageGas | null = null;
  /** How the transaction must end with any gas limit that the search accepts; `null` if any success is accepted. */
  #end: End | null = null;

  constructor(job: Job, tx: PricedCall, state: JournaledState, engine: EvmEngine, deps: AttemptDeps) {
    this.#job = job;
    this.#tx = tx;
    this.#state = state;
    this.#engine = engine;
    this.#deps = deps;
  }

  call(): JobOutcome | Promise<JobOutcome> {
    const limit = minBigInt(this.#job.call.gas ?? this.#job.gasCap, this.#job.gasCap);
    const ran = firstViolatedCallRule(this.#tx, limit, this.#state) ?? this.#begin(limit);
    return whenReady<Run, JobOutcome>(ran, (run) => {
      if ('text' in run) return failureOutcome(`err: ${run.text()} (supplied gas ${limit})`);
      return run.status === 'success' ? { kind: 'return', data: run.returnData } : this.#failed(run);
    });
  }

  /**
   * Runs the transaction once and returns the accounts and slots that it has accessed. Returns a job outcome if the run
   * was aborted.
   */
  async reads(gasLimit: bigint): Promise<AccessListRun | InvalidCall | JobOutcome> {
    const run = await this.#run(gasLimit, TRACED);
    if ('text' in run) return run;
    if (isEndless(run)) return this.#failed(run);
    return {
      gasUsed: computeSpentGas(this.#tx, this.#gas ?? this.#messageGas(gasLimit), run, this.#tx.rules).paid,
      error: run.status === 'success' ? null : (run.error?.text ?? 'execution reverted'),
      reads: this.#gas === null ? EMPTY_READ_SET : this.#engine.readSet(),
    };
  }

  estimate(): JobOutcome | Promise<JobOutcome> {
    const answer = preflightEstimate(this.#job, this.#tx, this);
    if (typeof answer !== 'bigint') return answer;
    const { executionGasMax: max } = this.#tx.rules;
    if (max === null || answer <= max)
      return whenReady(this.#begin(answer, GAS_ONLY), (run) => this.#estimated(run, answer));
    return whenReady(this.#run(max), (run) => this.#beyond(run, max, answer));
  }

  /**
   * Returns the estimate of a transaction whose gas limit `cap` exceeds `max`. Execution may use at most `max`; gas
   * above it only pays for state (EIP-8037). `run` is the result with the limit `max`. The minimum gas that it tracked
   * is the estimate if the transaction would do the same with `cap`. This is certain if no call in `run` has halted and
   * no code has read its gas. Otherwise `run` is compared with a second run that has the limit `cap`.
   */
  #beyond(run: Run, max: bigint, cap: bigint): JobOutcome | Promise<JobOutcome> {
    if (!('text' in run)) {
      if (isEndless(run)) return this.#failed(run);
      const isAny = this.#deps.estimateMode === 'least' || !(run.hasHalts || run.gasSensitive);
      if (run.status === 'success' && isAny) return this.#estimated(run, max);
    }
    return whenReady(this.#begin(cap, GAS_ONLY), (whole) => {
      if (whole.status !== 'success') return this.#ended(whole, cap);
      if (!('text' in run) && run.status === 'success' && run.tree === whole.tree) return this.#estimated(run, max);
      if (this.#deps.estimateMode !== 'least') this.#end = { limit: cap, tree: whole.tree, effects: null };
      // The search starts at the gas that `whole` used, because the transaction uses the same gas with every limit.
      const used = this.#tx.intrinsicGas + (this.#gas?.used ?? 0n) + whole.gasUsed;
      return this.#search('reservoir', minBigInt(cap, maxBigInt(max + 1n, used)), cap);
    });
  }

  accountOf(address: Uint8Array): AccountState | null {
    return this.#state.accountOf(address);
  }

  runsCode(address: Uint8Array): boolean {
    const { rules, context } = this.#tx;
    return (
      hasCode(this.accountOf(address)) ||
      rules.nonEvm.kindOf(address) !== null ||
      this.#engine.isPrecompile(address, context.precompileMoves)
    );
  }

  /** Returns the estimate that follows from `run`, which had the highest gas limit. */
  #estimated(run: Execution, cap: bigint): JobOutcome | Promise<JobOutcome> {
    if (run.status !== 'success') return this.#ended(run, cap);
    if (this.#deps.estimateMode !== 'least') this.#end = { limit: cap, tree: run.tree, effects: null };
    const need = this.#needOf(run);
    if (run.gasSensitive) return this.#search('gas-sensitive', need, cap);
    if (this.#deps.estimateMode === 'least' && run.need > 0n) return this.#search('least', need, cap);
    return this.#deps.confirms === true ? this.#confirm(run, need, cap) : gasOutcome(need);
  }

  /** Returns the error outcome of a transaction that fails at the highest gas limit. */
  #ended(run: Execution, cap: bigint): JobOutcome {
    return run.status === 'halt' && run.error!.outOfGas ? gasRequiredExceedsAllowance(cap) : this.#failed(run);
  }

  /** Returns the minimum gas limit with which the transaction runs the same way as in `run`. */
  #needOf(run: Execution): bigint {
    const { intrinsicGas, floorGas } = this.#tx;
    return maxBigInt(floorGas, intrinsicGas + (this.#gas?.used ?? 0n) + run.need);
  }

  #messageGas(gasLimit: bigint): MessageGas {
    return splitMessageGas(gasLimit, this.#tx.intrinsicGas, this.#tx.rules);
  }

  /**
   * Executes the transaction once with `gasLimit`, and reverts all its changes. The run is aborted when the job's time
   * is used up. Engines check the clock only at jumps, and a search may run code without jumps many times, so the clock
   * is also checked before each run.
   */
  #run(gasLimit: bigint, flags: MessageExecutionOptions = GAS_ONLY): Run | Promise<Run> {
    if (isDeadlinePast(this.#tx.context.deadline)) return ABORTED_EXECUTION;
    return firstViolatedCallRule(this.#tx, gasLimit, this.#state) ?? this.#begin(gasLimit, flags);
  }

  /** Executes the transaction, which is known to be valid with this gas limit. */
  #begin(
    gasLimit: bigint,
    flags?: MessageExecutionOptions,
    probe: Probe | null = null,
  ): Execution | Promise<Execution> {
    const state = this.#state;
    const tx = this.#tx;
    if (isNonceOverflow(tx, state)) return NONCE_OVERFLOW_RESULT;
    return finallyNow(
      () => {
        state.mark();
        this.#gas = null;
        const env = transactionEnvOfCall(tx, gasLimit);
        if (env.authorizationList !== null) return this.#beginAuthorized(env, flags, probe);
        const around = this.#messageGas(gasLimit);
        return this.#execute(transactionMessage(env, around, flags), around, probe);
      },
      // Undo everything, because an interrupted execution leaves its own checkpoints open.
      () => state.undoAll(),
    );
  }

  #beginAuthorized(
    env: TransactionEnv,
    flags: MessageExecutionOptions | undefined,
    probe: Probe | null,
  ): Execution | Promise<Execution> {
    const ran = runTransactionMessage<Execution>(env, {
      rules: this.#tx.rules,
      chainId: this.#deps.rules.chain.chainId,
      state: this.#state,
      flags,
      execute: (message, around) => this.#execute(message, around, probe),
    });
    return whenReady(ran, ({ run }) => run);
  }

  #execute(message: EvmMessage, around: MessageGas, probe: Probe | null): Execution | Promise<Execution> {
    this.#gas = around;
    const { context } = this.#tx;
    const run =
      probe === null
        ? this.#engine.execute(message, context, around.left)
        : whenReady(this.#engine.apply(message, context, around.left + probe.more), (applied) => {
            probe.probe(applied);
            return applied;
          });
    return this.#job.isWatched === true ? whenReady(run, (ended) => this.#watched(ended, message)) : run;
  }

  /**
   * Calls `onFeeRecipientUsed` if a watched call uses the fee recipient: as sender, recipient, access list entry, or by
   * an instruction. The engine always reads that account to make it warm, which does not count.
   */
  #watched(run: Execution, { caller, to, warm }: EvmMessage): Execution {
    const { coinbase } = this.#tx.context.env;
    const named = isEndless(run) ? [coinbase] : this.#engine.readSet().accounts;
    const isUsed = [caller, ...(to === null ? [] : [to]), ...warm, ...named].some((one) => sameBytes(one, coinbase));
    if (isUsed) this.#deps.onFeeRecipientUsed();
    return run;
  }

  /**
   * True if the transaction succeeds with this gas limit, and ends like `#end` if that is set. Returns a job outcome if
   * the run was aborted.
   */
  async #succeeds(gasLimit: bigint): Promise<boolean | JobOutcome> {
    const end = this.#end;
    if (end !== null && firstViolatedCallRule(this.#tx, gasLimit, this.#state) !== null) return false;
    if (end !== null) return this.#isLike(end, await this.#probed(gasLimit, end.tree));
    const run = await this.#run(gasLimit);
    if ('text' in run) return false;
    return isEndless(run) ? this.#failed(run) : run.status === 'success';
  }

  /** True if a run succeeded as in `end`: with the same tree of calls, or else with the same effects. */
  async #isLike(end: End, { run, effects }: ProbeResult): Promise<boolean | JobOutcome> {
    if (isEndless(run)) return this.#failed(run);
    if (run.status !== 'success' || run.tree === end.tree) return run.status === 'success';
    if (end.effects === null) {
      const there = await this.#probed(end.limit, null);
      if (isEndless(there.run)) return this.#failed(there.run);
      end.effects = there.effects;
    }
    return effects === end.effects;
  }

  /**
   * Executes the valid transaction. Computes the effects if it succeeds with a tree of calls other than `tree`. `more`
   * is gas that the message gets in addition to what the gas limit allows.
   */
  async #probed(gasLimit: bigint, tree: number | null, more = 0n): Promise<ProbeResult> {
    if (isDeadlinePast(this.#tx.context.deadline)) return { run: ABORTED_EXECUTION, effects: '' };
    let effects = '';
    const probe = (applied: AppliedMessage): void => {
      if (applied.status === 'success' && applied.tree !== tree)
        effects = effectsFingerprint(applied, this.#state, this.#tx.call.from, gasLimit * this.#tx.gasPrice);
    };
    const run = await this.#begin(gasLimit, {}, { probe, more });
    return { run, effects };
  }

  /**
   * Tests whether the transaction ends differently if it gets twice the gas of the highest limit. If so, the run with
   * the estimated gas need not end like the run with the highest limit: any success is accepted from now on.
   */
  async #loosens(): Promise<boolean | JobOutcome> {
    const end = this.#end;
    if (end === null) return false;
    const isLike = await this.#isLike(end, await this.#probed(end.limit, end.tree, end.limit));
    if (isLike !== false) return isLike === true ? false : isLike;
    this.#end = null;
    return true;
  }

  /** Confirms the tracked minimum by a second run. If that does not succeed, searches for the minimum. */
  async #confirm(tracked: Execution, need: bigint, cap: bigint): Promise<JobOutcome> {
    if (need === cap || tracked.need === 0n) return gasOutcome(need);
    const run = await this.#run(need);
    if (!('text' in run)) {
      if (isEndless(run)) return this.#failed(run);
      if (run.status === 'success' && (this.#end === null || this.#end.tree === run.tree)) return gasOutcome(need);
    }
    this.#deps.onSearch?.('unconfirmed');
    return this.#bisect(need, cap);
  }

  /** Searches for the estimate with several runs. `need` is the tracked minimum, from which the search starts. */
  #search(reason: GasSearchReason, need: bigint, cap: bigint): Promise<JobOutcome> {
    this.#deps.onSearch?.(reason);
    return this.#found(need, cap);
  }

  async #found(need: bigint, cap: bigint): Promise<JobOutcome> {
    if (need > cap / 2n) {
      // If code loops until its gas is used up, its tracked minimum is all the gas it got. So try much lower limits.
      const works = await this.#fromBelow(need / 2n);
      if (works !== null && typeof works !== 'bigint') return works;
      if (works !== null) return this.#bisect(maxBigInt(works / STEP, this.#leastLimit()) - 1n, works);
      const loosens = await this.#loosens();
      if (loosens !== false) return loosens === true ? this.#found(need, cap) : loosens;
    }
    const atNeed = await this.#succeeds(need);
    if (typeof atNeed !== 'boolean') return atNeed;
    if (!atNeed) {
      const loosens = need > cap / 2n ? false : await this.#loosens();
      if (loosens !== false) return loosens === true ? this.#found(need, cap) : loosens;
      return this.#bisect(need, cap);
    }
    const below = await this.#succeeds(need - 1n);
    if (typeof below !== 'boolean') return below;
    return below ? this.#bisect(this.#leastLimit() - 1n, need - 1n) : gasOutcome(need);
  }

  /**
   * Returns the first gas limit below `end` that works. Goes up in large steps, because runs with little gas take less
   * time.
   */
  async #fromBelow(end: bigint): Promise<bigint | null | JobOutcome> {
    for (let limit = this.#leastLimit() * STEP; limit < end; limit *= STEP) {
      const result = await this.#succeeds(limit);
      if (typeof result !== 'boolean') return result;
      if (result) return limit;
    }
    return null;
  }

  /** Returns the lowest gas limit with which the transaction can start. */
  #leastLimit(): bigint {
    return maxBigInt(this.#tx.intrinsicGas, this.#tx.floorGas);
  }

  /** Bisects between two gas limits: `fails` is known or assumed to be too low, `works` is known to succeed. */
  async #bisect(fails: bigint, works: bigint): Promise<JobOutcome> {
    let lo = fails;
    let hi = works;
    while (hi - lo > 1n) {
      const middle = lo + (hi - lo) / 2n;
      // Most results are near the lower end, as go-ethereum has observed, so at first the limit is only doubled.
      const limit = minBigInt(middle, lo * 2n);
      const result = await this.#succeeds(limit);
      if (typeof result !== 'boolean') return result;
      if (result) hi = limit;
      else lo = limit;
    }
    return gasOutcome(hi);
  }

  #failed(run: Execution): JobOutcome {
    switch (run.status) {
      case 'revert':
        return { kind: 'revert', data: run.returnData };
      case 'aborted':
        return timeoutOutcome(this.#job.timeoutMs);
      case 'foreign':
        return { kind: 'foreign', address: run.nonEvmAddress! };
      default:
        return failureOutcome(run.error?.text ?? 'execution failed');
    }
  }
}

/**
 * How to examine an execution before its changes are reverted. `more` is gas that the message gets in addition to what
 * the gas limit allows.
 */
interface Probe {
  readonly probe: (run: AppliedMessage) => void;
  readonly more: bigint;
}

/** True if the run has no meaningful result: it was aborted, or it reached an account with non-EVM code. */
function isEndless({ status }: Execution): boolean {
  return status === 'aborted' || status === 'foreign';
}

/** Flags for access lists: everything that was accessed must be recorded. */
const TRACED: MessageExecutionOptions = { isTraced: true };
const GAS_ONLY: MessageExecutionOptions = { dropsOutput: true };

/**
 * Factor between two gas limits in a search that starts with low limits. The failed runs together take at most a third
 * of the time of the first run that succeeds (1/4 + 1/16 + ...).
 */
const STEP = 4n;

/** Used if only a view of the state is available, which cannot list all accounts and slots. */
const UNKNOWN: ReadWholeState = () => null;
