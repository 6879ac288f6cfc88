// A call that can be watched, and one run of it: the result that a client would get, and what that depends on.
import { rpcError, type RpcError } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import { METHODS, type MethodRow } from '../../methods.table.js';
import {
  singleAccountRead,
  ANYTHING_READ,
  NOTHING_READ,
  singleSlotRead,
  type RecordedReads,
} from '../../state/views/recorded-reads.js';
import type { Job, JobOutcome } from '../../transaction/evm-job.js';
import type { Caller } from '../answer/rpc-handler-types.js';
import { resultOrErrorMember } from '../answer/answer-text.js';
import { encodeAnswerText } from '../answer/answer-writer.js';
import type { AccountDeps } from '../methods/account.js';
import { RpcArguments } from '../params/arguments.js';
import { readExecutionParams, type ExecutionDeps } from '../methods/execution.js';
import { readTracedCall } from '../methods/traces.js';
import { readStructMembers, closedStruct } from '../params/json-struct.js';
import { runCall } from '../call/run-when-resident.js';
import type { ReadView } from '../view/read-view.js';
import type { BlockParam } from '../view/block-ref.js';
import { type CallResult, isError } from '../answer/call-result.js';
import type { RpcMethod } from '../call/method-types.js';
import type { CallSettings } from '../call/call-runner.js';

/** The tag at which a call is watched. Other blocks do not change. */
export type WatchedTag = 'pending' | 'latest';

type WatchedRunDeps = ExecutionDeps & AccountDeps;

export interface WatchedCallDeps extends ExecutionDeps, Pick<CallSettings, 'defaultBlock' | 'onFault'> {
  /** A method with other dependencies than for clients' calls. */
  readonly methodWith: (row: MethodRow, changed: Partial<WatchedRunDeps>) => RpcMethod;
}

export interface WatchedCall {
  /** The call as JSON. Equal calls share an entry. */
  readonly key: string;
  readonly method: MethodRow;
  readonly params: readonly unknown[];
  readonly tag: WatchedTag;
  /** What every run reads; `null` if it differs from run to run, and each run reports it. */
  readonly reads: RecordedReads | null;
}

/** The result at a version. */
export interface WatchedAnswer {
  /** A JSON member: `"result":…` or `"error":…`. */
  readonly text: string;
  readonly reads: RecordedReads;
}

/** What is known about a call before it runs. */
interface Known {
  readonly block: BlockParam;
  readonly reads: RecordedReads | null;
}

/** Functions that validate all parameters and report what is wrong with them, by what the result depends on. */
const READERS: Readonly<Record<NonNullable<MethodRow['watch']>, (args: RpcArguments, chainId: bigint) => Known>> = {
  account: (args) => ({ reads: singleAccountRead(args.address(0)), block: args.block(1) }),
  slot: (args) => ({ reads: singleSlotRead(args.address(0), args.slot(1)), block: args.block(2) }),
  execution: (args, chainId) => ({ reads: null, block: readExecutionParams(args, chainId).block }),
  trace: traced,
};

/** A trace stays the same as long as its block and reads do, unless within a block or from the node. */
function traced(args: RpcArguments, chainId: bigint): Known {
  const { block, config, count } = readTracedCall(args, chainId, Infinity);
  const { nodeOnly, hasUnknown } = config;
  if (count !== null) args.fail('invalid argument 2: no trace inside a block is watched');
  if (nodeOnly !== null) args.fail(nodeOnly);
  if (hasUnknown) args.fail('invalid argument 2: a member is not known');
  return { reads: null, block };
}

/** Errors that do not depend on the call, so that it is tried again. */
const PASSING: ReadonlySet<RpcError['error']> = new Set(['overload', 'stateReset', 'stateNotKept']);

const CALL = closedStruct('watch.Call', ['method', 'params']);

/** Reads `{method, params}`, or reports what is wrong with it. */
export function readWatchedCall(
  value: unknown,
  index: number,
  { chain, defaultBlock }: Pick<WatchedCallDeps, 'chain' | 'defaultBlock'>,
): WatchedCall | RpcError {
  const refused = (text: string): RpcError => rpcError('invalidParams', `watched call ${index}: ${text}`);
  if (typeof value !== 'object' || value === null) return refused('not an object');
  const members = new RpcArguments([]);
  const { method: name, params = [] } = readStructMembers(members, value, CALL, { index: 1 });
  if (members.failure) return refused(members.failure.message);
  const method = typeof name === 'string' ? METHODS.get(name) : undefined;
  if (method?.watch === undefined) return refused(`${JSON.stringify(name)} cannot be watched`);
  if (!Array.isArray(params)) return refused('non-array params');
  const key = JSON.stringify([name, params]);
  if (key.length > LIMITS.watchedCallBytesMax) return refused(`too long (max ${LIMITS.watchedCallBytesMax} bytes)`);
  const args = new RpcArguments(params, undefined, defaultBlock).most(method.params.length);
  const { block, reads } = READERS[method.watch](args, chain.chainId);
  if (args.failure) return refused(args.failure.message);
  if (block.kind !== 'pending' && block.kind !== 'latest') return refused('only pending and latest are watched');
  return { key, method, params, tag: block.kind, reads };
}

/** Runs the call at the pinned version. `null` without capacity or version. Throws only for bugs. */
export function runWatchedCall(
  watched: WatchedCall,
  readView: ReadView,
  {
    deps,
    caller,
    current,
  }: { readonly deps: WatchedCallDeps; readonly caller: Caller; readonly current: () => ReadView },
): WatchedAnswer | null | Promise<WatchedAnswer | null> {
  const { method, params } = watched;
  const noted = { reads: watched.reads ?? ANYTHING_READ };
  const bound = deps.methodWith(method, watched.reads === null ? notingDeps(deps, noted) : STATE_ONLY);
  const args = new RpcArguments(params, undefined, deps.defaultBlock);
  const result = runCall({ method: bound, args, caller }, readView, deps, current);
  return result instanceof Promise ? result.then((settled) => answerOf(settled, noted)) : answerOf(result, noted);
}

/** The result of a call that failed because of a bug. It is not run again. */
export const INTERNAL_ERROR_ANSWER: WatchedAnswer = { text: textOf(rpcError('internal')), reads: NOTHING_READ };

/** Replaces a result for which there is no memory. */
export const RESPONSE_TOO_LARGE_JSON = textOf(rpcError('responseTooLarge'));

/** A watched nonce is the one in the state; submitted transactions do not change it. */
const STATE_ONLY: Partial<WatchedRunDeps> = { ownSends: null };

/** Sends every run to an estimator, which reports what it has read. */
function notingDeps({ pool }: ExecutionDeps, noted: { reads: RecordedReads }): Partial<WatchedRunDeps> {
  const submit = (job: Job, caller?: Caller): Promise<JobOutcome> | null => {
    const outcome = pool.submit({ ...job, isWatched: true }, caller);
    return outcome === null ? null : outcome.then((each) => noteReads(each, noted));
  };
  return { pool: { submit }, preflight: { answer: () => null }, nodeExecutions: null };
}

function noteReads(outcome: JobOutcome, noted: { reads: RecordedReads }): JobOutcome {
  if (outcome.kind !== 'watched') return outcome;
  noted.reads = outcome.reads;
  return outcome.outcome;
}

function answerOf(result: CallResult, { reads }: { readonly reads: RecordedReads }): WatchedAnswer | null {
  if (isError(result) && PASSING.has(result.error)) return null;
  if (isError(result) && result.error === 'internal') return INTERNAL_ERROR_ANSWER;
  const text = textOf(result);
  return text.length <= LIMITS.watchedAnswerBytesMax ? { text, reads } : { text: RESPONSE_TOO_LARGE_JSON, reads };
}

function textOf(result: CallResult): string {
  return encodeAnswerText(resultOrErrorMember(result)).toString();
}
