// Runs a watched call once: the result is the same as for a client's request, together with the state that it depends
// on.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import { METHODS, type MethodRow } from '../../methods.table.js';
import {
  singleAccountRead,
  ANYTHING_READ,
  NOTHING_READ,
  singleSlotRead,
  type RecordedReadKeys,
} from '../../state/views/recorded-read-keys.js';
import { whenReady } from '../../lib/threads/sync-or-async.js';
import type { Job, JobOutcome } from '../../transaction/evm-job.js';
import type { Caller } from '../answer/request-response-types.js';
import { resultOrErrorMember } from '../answer/text-around-bytes.js';
import { encodeAnswerText } from '../answer/answer-writer.js';
import type { AccountDeps } from '../methods/account.js';
import { RpcArguments } from '../params/arguments.js';
import { readExecutionParams, type ExecutionDeps } from '../methods/call-and-estimate.js';
import { readTracedCall } from '../methods/debug-trace.js';
import { readStructMembers, closedStruct } from '../params/json-struct.js';
import { runWithStateFetch } from '../call/run-with-state-fetch.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { BlockParam } from '../view/block-param-types.js';
import { type RpcCallOutcome, isError } from '../answer/call-result.js';
import type { RpcMethod } from '../call/method-types.js';
import type { CallSettings } from '../call/method-runner.js';

/**
 * The block tag at which a call is watched. Only these two are allowed, because the state at other blocks does not
 * change.
 */
export type WatchedTag = 'pending' | 'latest';

type WatchedRunDeps = ExecutionDeps & AccountDeps;

export interface WatchedCallDeps extends ExecutionDeps, Pick<CallSettings, 'defaultBlock' | 'onFault'> {
  /**
   * Creates the RPC method that a row of the method table describes, with some of the method's dependencies replaced.
   */
  readonly methodWith: (row: MethodRow, changed: Partial<WatchedRunDeps>) => RpcMethod;
}

export interface WatchedCall {
  /** The call as JSON. Equal calls have the same key, and share one entry. */
  readonly key: string;
  readonly method: MethodRow;
  readonly params: readonly unknown[];
  readonly tag: WatchedTag;
  /**
   * Accounts and slots that every run of the call reads; `null` if they differ from run to run, and each run reports
   * them.
   */
  readonly reads: RecordedReadKeys | null;
}

/** The result of a watched call at one state version, and the state that the call has read. */
export interface WatchedAnswer {
  /** A JSON member: `"result":…` or `"error":…`. */
  readonly text: string;
  readonly reads: RecordedReadKeys;
}

/** What is known about a call from its parameters: the block, and what it reads. */
interface Known extends Pick<WatchedCall, 'reads'> {
  readonly block: BlockParam;
}

/** Functions that validate the parameters of a watched call, by the kind of its method. */
const READERS: Readonly<Record<NonNullable<MethodRow['watch']>, (args: RpcArguments, chainId: bigint) => Known>> = {
  account: (args) => ({ reads: singleAccountRead(args.address(0)), block: args.block(1) }),
  slot: (args) => ({ reads: singleSlotRead(args.address(0), args.slot(1)), block: args.block(2) }),
  execution: (args, chainId) => ({ reads: null, block: readExecutionParams(args, chainId).block }),
  trace: traced,
};

/**
 * Validates the parameters of a trace. Traces that start inside a block or need the node are refused, because they may
 * change although block and reads stay the same.
 */
function traced(args: RpcArguments, chainId: bigint): Known {
  const { block, config, count } = readTracedCall(args, chainId, Infinity);
  const { nodeOnly, hasUnknown } = config;
  if (count !== null) args.fail('invalid argument 2: no trace inside a block is watched');
  if (nodeOnly !== null) args.fail(nodeOnly);
  if (hasUnknown) args.fail('invalid argument 2: a member is not known');
  return { reads: null, block };
}

/** Errors that the call itself has not caused. After such an error, the call is tried again. */
const PASSING: ReadonlySet<RpcError['error']> = new Set(['overload', 'stateReset', 'stateNotKept']);

const CALL = closedStruct('watch.Call', ['method', 'params']);

/** Parses `{method, params}`, or returns an error that says what is wrong with it. */
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

/**
 * Runs the call at the pinned version. Returns `null` if there is no capacity or the version is no longer retained.
 * Throws only if there is a bug.
 */
export function runWatchedCallOnce(
  watched: WatchedCall,
  readView: ReadView,
  current: () => ReadView,
  deps: WatchedCallDeps,
  caller: Caller,
): WatchedAnswer | null | Promise<WatchedAnswer | null> {
  const { method, params } = watched;
  const noted = { reads: watched.reads ?? ANYTHING_READ };
  const bound = deps.methodWith(method, watched.reads === null ? notingDeps(deps, noted) : STATE_ONLY);
  const args = new RpcArguments(params, undefined, deps.defaultBlock);
  const result = runWithStateFetch({ method: bound, args, caller }, readView, deps, current);
  return whenReady(result, (settled) => answerOf(settled, noted));
}

/**
 * Result of a call that failed because of a bug. It has no recorded reads, so no change of the state makes the call run
 * again.
 */
export const INTERNAL_ERROR_ANSWER: WatchedAnswer = { text: textOf(rpcError('internal')), reads: NOTHING_READ };

/** Result in place of a result that is too large for the memory limit. */
export const RESPONSE_TOO_LARGE_JSON = textOf(rpcError('responseTooLarge'));

/** A watched nonce is the nonce in the state. Transactions that were submitted but not included do not change it. */
const STATE_ONLY: Partial<WatchedRunDeps> = { ownSends: null };

/** Returns dependencies that send every run to an estimator thread, which reports what the run has read. */
function notingDeps({ pool }: ExecutionDeps, noted: { reads: RecordedReadKeys }): Partial<WatchedRunDeps> {
  const submit = (job: Job, caller?: Caller): Promise<JobOutcome> | null => {
    const outcome = pool.submit({ ...job, isWatched: true }, caller);
    if (outcome === null) return null;
    return outcome.then((each) => {
      if (each.kind !== 'watched') return each;
      noted.reads = each.reads;
      return each.outcome;
    });
  };
  return { pool: { submit }, preflight: { answer: () => null }, nodeExecutions: null };
}

function answerOf(result: RpcCallOutcome, { reads }: { readonly reads: RecordedReadKeys }): WatchedAnswer | null {
  if (isError(result) && PASSING.has(result.error)) return null;
  if (isError(result) && result.error === 'internal') return INTERNAL_ERROR_ANSWER;
  const text = textOf(result);
  return text.length <= LIMITS.watchedAnswerBytesMax ? { text, reads } : { text: RESPONSE_TOO_LARGE_JSON, reads };
}

function textOf(result: RpcCallOutcome): string {
  return encodeAnswerText(resultOrErrorMember(result)).toString();
}
