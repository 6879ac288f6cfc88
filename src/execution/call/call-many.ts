// eth_callMany: executes bundles of calls, each call on the state that the previous calls have left. All calls share
// one gas cap, one timeout and the size limit of one response.
import { revertMessage } from '../../evm/revert-reason.js';
import { toHex } from '../../lib/bytes/hex.js';
import {
  failureOutcome,
  timeoutOutcome,
  type CallRequest,
  type Job,
  type JobOutcome,
} from '../../transaction/evm-job.js';
import { createCallTransaction, firstViolatedCallRule } from '../../transaction/call-validation.js';
import { ResponseSizeBudget, RESPONSE_TOO_LARGE } from './response-size-budget.js';
import type { ExecutionResult } from '../block/state-transition.js';
import { applyCall } from './apply-call-as-transaction.js';
import { overrideBlock, overrideState } from './overrides.js';
import { replayTransactions } from './replay-transactions.js';
import {
  isDeadlinePast,
  createCallEnvironment,
  type CallEnvironment,
  type CallSequenceBase,
} from './call-environment.js';
import { minBigInt } from '../../lib/min-max-bigint.js';

/** Result of one call in the form of Erigon and reth. `data` is the revert data. */
type CallJson = { readonly value: string } | { readonly error: string; readonly data?: string };

export interface CallObserver {
  /** Called once the overrides are written to the state, before the first call. */
  starts(base: CallSequenceBase): void;
  /** Called when a call starts, before it has changed the state. */
  begins(call: CallRequest, gasLimit: bigint, environment: CallEnvironment): void;
  /** Called when a call has ended. Returns its JSON, or `null` if that does not fit into the response. */
  shown(applied: ExecutionResult, result: string): string | null;
}

/** Executes the bundles of a job, each with its own block override. If one call cannot start, the whole job fails. */
export async function callMany(job: Job, start: CallSequenceBase): Promise<JobOutcome> {
  const results = await callManyResults(job, start, null);
  if ('kind' in results) return results;
  return { kind: 'json', text: `[${results.map((bundle) => `[${bundle.join(',')}]`).join(',')}]` };
}

/** Returns the results as JSON strings, grouped by bundle; or the error outcome of the whole job. */
export async function callManyResults(
  job: Job,
  start: CallSequenceBase,
  watch: CallObserver | null,
): Promise<readonly (readonly string[])[] | JobOutcome> {
  const { stateOverride, replay } = job;
  const base = replay === undefined ? start : await replayTransactions(replay, start);
  if ('kind' in base) return base;
  const rules = base.rules.at(base.env.number, base.env.timestamp);
  const moves = overrideState(stateOverride, base.engines.at(rules), base.state);
  if (typeof moves === 'string') return failureOutcome(moves);
  watch?.starts(base);
  const results: string[][] = [];
  const shared = { budget: new ResponseSizeBudget(), gasLeft: job.gasCap };
  for (const { blockOverride, calls } of job.blocks!) {
    const env = overrideBlock(base.env, blockOverride);
    const environment = createCallEnvironment(env, blockOverride, moves, base.blockHash, base);
    const bundle = await runBundle(job, calls, { environment, base, shared, watch });
    if ('kind' in bundle) return bundle;
    results.push(bundle);
  }
  return results;
}

/** Length of `{"value":"0x"},`, the JSON around the data of one result. */
const MEMBER_CHARACTERS = 15;

/** Response size and gas that are left, shared by all calls. */
interface Shared {
  readonly budget: ResponseSizeBudget;
  gasLeft: bigint;
}

interface BundleDeps {
  readonly environment: CallEnvironment;
  readonly base: CallSequenceBase;
  readonly shared: Shared;
  readonly watch: CallObserver | null;
}

/** Executes the calls of one bundle and returns their results; or the error outcome if the whole job fails. */
async function runBundle(job: Job, calls: readonly CallRequest[], deps: BundleDeps): Promise<string[] | JobOutcome> {
  const { environment, base, shared, watch } = deps;
  if (!environment.rules.common.isActivatedEIP(1559)) return failureOutcome('calls follow one another from London on');
  const results: string[] = [];
  for (const call of calls) {
    if (isDeadlinePast(base.deadline)) return timeoutOutcome(job.timeoutMs);
    const applied = await runCall(job, call, deps);
    if ('kind' in applied) return applied;
    const result = shown(applied, shared.budget);
    if (result === null) return RESPONSE_TOO_LARGE;
    shared.gasLeft -= applied.gasUsed;
    const own = JSON.stringify(result);
    const text = watch === null ? own : watch.shown(applied, own);
    if (text === null) return RESPONSE_TOO_LARGE;
    results.push(text);
  }
  return results;
}

/**
 * Executes one call. If it runs out of gas because earlier calls have used some of the shared gas, the whole job fails,
 * because the call might succeed with all of the shared gas.
 */
async function runCall(
  job: Job,
  call: CallRequest,
  { environment, base: { state }, shared, watch }: BundleDeps,
): Promise<ExecutionResult | JobOutcome> {
  const requestedGas = minBigInt(call.gas ?? job.gasCap, job.gasCap);
  const limit = minBigInt(requestedGas, shared.gasLeft);
  const tx = createCallTransaction(call, environment.rules, environment.context);
  const invalid = firstViolatedCallRule(tx, limit, state);
  if (invalid !== null && invalid.error === 'intrinsicGas' && limit < requestedGas) return usedUp(job);
  if (invalid !== null) return failureOutcome(`err: ${invalid.text()} (supplied gas ${limit})`);
  watch?.begins(call, limit, environment);
  const applied = await applyCall(tx, limit, { ...environment, state });
  return applied.run.error?.outOfGas === true && limit < requestedGas ? usedUp(job) : applied;
}

function usedUp({ gasCap }: Job): JobOutcome {
  return failureOutcome(`gas cap exceeded: the calls together need more than ${gasCap}`);
}

/**
 * Returns the JSON of a call's result; `null` if there is no space for it, which is checked before bytes are turned
 * into hex.
 */
function shown({ run }: ExecutionResult, budget: ResponseSizeBudget): CallJson | null {
  if (run.status === 'success')
    return budget.take(MEMBER_CHARACTERS + 2 * run.returnData.length) ? { value: toHex(run.returnData) } : null;
  if (run.status === 'halt')
    return budget.take(MEMBER_CHARACTERS + run.error!.text.length) ? { error: run.error!.text } : null;
  const error = revertMessage(run.returnData);
  const characters = 2 * MEMBER_CHARACTERS + error.length + 2 * run.returnData.length;
  return budget.take(characters) ? { error, data: toHex(run.returnData) } : null;
}
