// A call that can be watched, and one run of it: the result that a client would get, and what that depends on.
import { rpcError, type RpcError } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import { accountRead, ANYTHING_READ, NOTHING_READ, slotRead, type Reads } from '../../state/views/reads.js';
import type { Job, JobOutcome } from '../../transaction/call-request.js';
import type { Caller } from '../answer/response.js';
import { memberText } from '../answer/answer-text.js';
import { writtenText } from '../answer/answer-writer.js';
import { getBalance, getCode, getStorageAt, getTransactionCount } from '../methods/account.js';
import { RpcArguments } from '../params/arguments.js';
import { call, createAccessList, estimateGas, readExecution, type ExecutionDeps } from '../methods/execution.js';
import { structMembers, structOf } from '../params/struct.js';
import { runCall } from '../call/run-when-resident.js';
import type { ReadView } from '../view/read-view.js';
import type { BlockParam } from '../view/block-ref.js';
import { type CallResult, isError } from '../answer/call-result.js';
import type { Method, Run } from '../call/method.js';
import type { CallTerms } from '../call/call-runner.js';

/** The state that a call is watched on: other blocks do not change. */
export type Tag = 'pending' | 'latest';

/** What watched calls need. */
export interface WatchedDeps extends ExecutionDeps, Pick<CallTerms, 'defaultBlock' | 'onFault'> {}

/** A method whose results can be watched. */
interface WatchedMethod {
  readonly name: string;
  readonly paramsMax: number;
  readonly run: Run<ExecutionDeps>;
}

/** A requested call. */
export interface WatchedCall {
  /** Its JSON: equal calls share an entry. */
  readonly key: string;
  readonly method: WatchedMethod;
  readonly params: readonly unknown[];
  readonly tag: Tag;
  /** What every run reads; `null`: it differs by run, and each run reports it. */
  readonly reads: Reads | null;
}

/** The result at a version. */
export interface WatchedAnswer {
  /** A member of JSON: `"result":…` or `"error":…`. */
  readonly text: string;
  readonly reads: Reads;
}

/** What is known of a call before it runs. */
interface Known {
  readonly block: BlockParam;
  readonly reads: Reads | null;
}

/** One row for each method. */
interface Watchable {
  readonly method: WatchedMethod;
  /** Validates all parameters, and reports what is wrong with them. */
  readonly read: (args: RpcArguments, chainId: bigint) => Known;
}

const ofAccount = (args: RpcArguments): Known => ({ reads: accountRead(args.address(0)), block: args.block(1) });
const ofSlot = (args: RpcArguments): Known => ({
  reads: slotRead(args.address(0), args.slot(1)),
  block: args.block(2),
});
const ofRun = (args: RpcArguments, chainId: bigint): Known => ({
  reads: null,
  block: readExecution(args, chainId).block,
});

function row(name: string, paramsMax: number, run: Run<ExecutionDeps>, read: Watchable['read']): Watchable {
  return { method: { name, paramsMax, run }, read };
}

/** A watched nonce is the state's: submitted transactions do not change it. */
const stateNonce: Run<ExecutionDeps> = (args, readView, _parts, caller) =>
  getTransactionCount(args, readView, { ownSends: null }, caller);

const WATCHABLE: ReadonlyMap<string, Watchable> = new Map(
  [
    row('eth_getTransactionCount', 2, stateNonce, ofAccount),
    row('eth_getBalance', 2, getBalance, ofAccount),
    row('eth_getCode', 2, getCode, ofAccount),
    row('eth_getStorageAt', 3, getStorageAt, ofSlot),
    row('eth_call', 4, call, ofRun),
    row('eth_estimateGas', 4, estimateGas, ofRun),
    row('eth_createAccessList', 4, createAccessList, ofRun),
  ].map((watchable) => [watchable.method.name, watchable]),
);

/** Errors that do not depend on the call: it is tried again. */
const PASSING: ReadonlySet<RpcError['error']> = new Set(['overload', 'stateReset', 'stateNotKept']);

const CALL = structOf('watch.Call', ['method', 'params']);

/** Reads `{method, params}`, or reports what is wrong with it. */
export function readWatchedCall(
  value: unknown,
  index: number,
  { chain, defaultBlock }: Pick<WatchedDeps, 'chain' | 'defaultBlock'>,
): WatchedCall | RpcError {
  const refused = (text: string): RpcError => rpcError('invalidParams', `watched call ${index}: ${text}`);
  if (typeof value !== 'object' || value === null) return refused('not an object');
  const members = new RpcArguments([]);
  const { method: name, params = [] } = structMembers(members, value, CALL, { index: 1 });
  if (members.failure) return refused(members.failure.message);
  const watchable = typeof name === 'string' ? WATCHABLE.get(name) : undefined;
  if (watchable === undefined) return refused(`${JSON.stringify(name)} cannot be watched`);
  if (!Array.isArray(params)) return refused('non-array params');
  const key = JSON.stringify([name, params]);
  if (key.length > LIMITS.watchedCallBytesMax) return refused(`too long (max ${LIMITS.watchedCallBytesMax} bytes)`);
  const { method, read } = watchable;
  const args = new RpcArguments(params, undefined, defaultBlock).most(method.paramsMax);
  const { block, reads } = read(args, chain.chainId);
  if (args.failure) return refused(args.failure.message);
  if (block.kind !== 'pending' && block.kind !== 'latest') return refused('only pending and latest are watched');
  return { key, method, params, tag: block.kind, reads };
}

/**
 * Runs the call on the read view's pinned version. `null`: there was no capacity, or the version is no longer kept.
 * Throws and rejects only for bugs.
 */
export function runWatchedCall(
  watched: WatchedCall,
  readView: ReadView,
  {
    parts,
    caller,
    current,
  }: { readonly parts: WatchedDeps; readonly caller: Caller; readonly current: () => ReadView },
): WatchedAnswer | null | Promise<WatchedAnswer | null> {
  const { method, params } = watched;
  const noted = { reads: watched.reads ?? ANYTHING_READ };
  const noting = watched.reads === null ? notingParts(parts, noted) : parts;
  const args = new RpcArguments(params, undefined, parts.defaultBlock);
  const bound: Method = { ...method, run: (own, view, by) => method.run(own, view, noting, by) };
  const result = runCall({ method: bound, args, caller }, readView, parts, current);
  return result instanceof Promise ? result.then((settled) => answerOf(settled, noted)) : answerOf(result, noted);
}

/** The result of a call that failed because of a bug: it is not run again. */
export const BROKEN: WatchedAnswer = { text: textOf(rpcError('internal')), reads: NOTHING_READ };

/** Replaces a result for which there is no memory. */
export const TOO_LONG = textOf(rpcError('responseTooLarge'));

/** Sends every run to an estimator, which reports what it has read. */
function notingParts(deps: ExecutionDeps, noted: { reads: Reads }): ExecutionDeps {
  const submit = (job: Job, caller?: Caller): Promise<JobOutcome> | null => {
    const outcome = deps.pool.submit({ ...job, isWatched: true }, caller);
    return outcome === null ? null : outcome.then((each) => noteReads(each, noted));
  };
  return { ...deps, pool: { submit }, preflight: { answer: () => null }, nodeExecutions: null };
}

function noteReads(outcome: JobOutcome, noted: { reads: Reads }): JobOutcome {
  if (outcome.kind !== 'watched') return outcome;
  noted.reads = outcome.reads;
  return outcome.outcome;
}

function answerOf(result: CallResult, { reads }: { readonly reads: Reads }): WatchedAnswer | null {
  if (isError(result) && PASSING.has(result.error)) return null;
  if (isError(result) && result.error === 'internal') return BROKEN;
  const text = textOf(result);
  return text.length <= LIMITS.watchedAnswerBytesMax ? { text, reads } : { text: TOO_LONG, reads };
}

function textOf(result: CallResult): string {
  return writtenText(memberText(result)).toString();
}
