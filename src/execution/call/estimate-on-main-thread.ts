// Answers estimates on the main thread if no code would run, by the same checks that an estimator worker makes first.
// Refuses calls to accounts with non-EVM code.
import { LIMITS } from '../../limits/index.js';
import type { BlockEnv } from '../../state/state-diff.js';
import { StateMiss, VersionNotKept } from '../../state/views/state-miss.js';
import { type AccountState, hasCode, type StateView, NO_STATE } from '../../state/views/state-view.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import type { CallRequest, Job, JobOutcome } from '../../transaction/evm-job.js';
import { createCallTransaction } from '../../transaction/call-validation.js';
import { nonEvmAccountsOf, NATIVE_TOKEN_CODE_HASH, type NonEvmAccounts } from '../../chain/non-evm-accounts.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import { preflightEstimate, type RecipientAccounts } from './estimate-without-execution.js';
import type { ExecutionContext } from '../../evm/evm-engine.js';
import { activeForkIndex, transactionRules, type TransactionRules } from '../../chain/active-forks.js';

/** The part of a state snapshot that these estimates read. */
type AccountView = Pick<StateView, 'account'>;

/** Provides the state of each version. A version is one block or pre-confirmed increment. */
export interface VersionStates {
  /**
   * Returns the state and block environment of a version; always the same object for one version. May throw
   * VersionNotKept.
   */
  stateAt(version: number): { readonly view: AccountView; readonly env: BlockEnv };
}

/** Rules and context of one block, created once for all estimates on that block. */
interface BlockContext {
  readonly env: BlockEnv;
  readonly rules: TransactionRules;
  readonly context: ExecutionContext;
}

/** Answers an estimate from a state snapshot within a few microseconds, or leaves it to an estimator worker. */
export class PreflightEstimates implements RecipientAccounts {
  #chain: ChainDescription;
  #nonEvm: NonEvmAccounts;
  #rules = new Map<number, TransactionRules>();
  #blockContexts: readonly BlockContext[] = [];
  #view: AccountView = NO_STATE;
  /** Address of the contract that the last estimate called, whichever state version that estimate used. */
  #contract: Uint8Array = new Uint8Array(20);

  constructor(chain: ChainDescription) {
    this.#chain = chain;
    this.#nonEvm = nonEvmAccountsOf(chain);
  }

  useChain(chain: ChainDescription): void {
    if (chain === this.#chain) return;
    this.#chain = chain;
    this.#nonEvm = nonEvmAccountsOf(chain);
    this.#rules = new Map();
    this.#blockContexts = [];
  }

  /**
   * Returns the outcome that an estimator worker would return; `null` if only a worker can find it: code runs, the
   * recipient has code, something is overridden, the state is old, missing or no longer retained, or the request is
   * large. Even then, calls to non-EVM accounts are refused, as far as the main thread recognizes those accounts.
   */
  answer(job: Job, states: VersionStates): JobOutcome | null {
    const { call, position, stateOverride, blockOverride } = job;
    if (call.to !== null && this.#isNonEvm(call.to, job, states)) return { kind: 'foreign', address: call.to };
    if (position.kind !== 'version' || stateOverride.length > 0 || blockOverride !== null) return null;
    if (job.kind !== 'estimate' || !isSmall(call) || mayBePrecompile(call.to)) return null;
    // Calls of contracts are left to a worker (`null`). Consecutive estimates often call the same contract, so the last
    // one found is remembered and its account is not read again. If it has lost its code since, the worker's estimate
    // is still correct.
    if (call.to !== null && sameBytes(call.to, this.#contract)) return null;
    try {
      const { view, env } = states.stateAt(position.version);
      this.#view = view;
      // A contract call is rarely refused. Checking every contract call on the main thread takes longer than sending
      // the few that will be refused to a worker.
      if (call.to === null || !this.runsCode(call.to)) return this.#decide(job, env);
      this.#contract = call.to;
      return null;
    } catch (error) {
      if (error instanceof StateMiss || error instanceof VersionNotKept) return null;
      throw error;
    }
  }

  /** True if the recipient is a non-EVM account, as far as the main thread can tell. */
  #isNonEvm(to: Uint8Array, { position, stateOverride }: Job, states: VersionStates): boolean {
    const kind = this.#nonEvm.kindOf(to);
    if (kind !== 'token') return kind !== null;
    if (position.kind !== 'version' || stateOverride.length > 0) return false;
    try {
      const account = states.stateAt(position.version).view.account(to);
      return account !== null && sameBytes(account.codeHash, NATIVE_TOKEN_CODE_HASH);
    } catch (error) {
      if (error instanceof StateMiss || error instanceof VersionNotKept) return false;
      throw error;
    }
  }

  #decide(job: Job, env: BlockEnv): JobOutcome | null {
    const { rules, context } = this.#blockContext(env);
    if (job.call.to !== null && rules.nonEvm.kindOf(job.call.to) !== null) return null;
    const answer = preflightEstimate(job, createCallTransaction(job.call, rules, context), this);
    return typeof answer === 'bigint' ? null : answer;
  }

  /** Implements AccountReader: reads the state on which `answer` is working. */
  accountOf(address: Uint8Array): AccountState | null {
    return this.#view.account(address);
  }

  /** Implements RecipientAccounts: true if the address has code. `answer` has already excluded precompiles. */
  runsCode(address: Uint8Array): boolean {
    return hasCode(this.accountOf(address));
  }

  #blockContext(env: BlockEnv): BlockContext {
    const known = this.#blockContexts.find((blockContext) => blockContext.env === env);
    if (known !== undefined) return known;
    const rules = this.#rulesAt(env);
    const blobBaseFee = rules.blobBaseFee(env.excessBlobGas);
    const context = { env, blobBaseFee, precompileMoves: [], blockHash: () => null, deadline: Infinity };
    const blockContext = { env, rules, context };
    this.#blockContexts = [blockContext, ...this.#blockContexts.slice(0, CONTEXTS_KEPT - 1)];
    return blockContext;
  }

  #rulesAt({ number, timestamp }: BlockEnv): TransactionRules {
    const index = activeForkIndex(this.#chain.forks, number, timestamp);
    let rules = this.#rules.get(index);
    if (rules === undefined) this.#rules.set(index, (rules = transactionRules(this.#chain, index)));
    return rules;
  }
}

/** Number of block contexts that are cached: for `latest`, for `pending`, and for one more block. */
const CONTEXTS_KEPT = 3;
/** Every precompile's address starts with at least this many zero bytes. */
const PRECOMPILE_ZEROS = 18;
/** True if any fork could have a precompile at this address. Only the EVM knows which of them exist. */
function mayBePrecompile(to: Uint8Array | null): boolean {
  return to !== null && to.every((byte, i) => byte === 0 || i >= PRECOMPILE_ZEROS);
}

/** True if the call's lists and data are small enough to be processed on the main thread. */
function isSmall({ data, accessList, blobVersionedHashes }: CallRequest): boolean {
  const items = (accessList?.length ?? 0) + (blobVersionedHashes?.length ?? 0);
  return data.length <= LIMITS.preflightDataBytesMax && items <= LIMITS.preflightItemsMax;
}
