// Methods that trace calls, transactions and blocks. The upstream node traces them if the state is not retained in this
// process.
import { rpcError } from '../../rpc-errors.js';
import type { MethodName } from '../../methods.table.js';
import { activeForkIndex, includesFork } from '../../chain/active-forks.js';
import { PLACEHOLDER_CALL_REQUEST, type Job } from '../../transaction/evm-job.js';
import type { JobTrace } from '../../transaction/trace-request-types.js';
import type { Caller } from '../answer/request-response-types.js';
import type { MethodFunctionByName, MethodResult } from '../call/method-types.js';
import { withPooledParams } from '../call/pooled-bytes.js';
import type { RpcArguments } from '../params/arguments.js';
import { parseBlockOverride, parseCallObject, parseStateOverride, withoutNonce } from '../params/call-arguments.js';
import { readTraceConfig, type TraceConfig } from '../params/trace-config.js';
import type { ForwardedCall } from '../view/upstream-node-access.js';
import type { BlockParam } from '../view/block-param-types.js';
import type { UpstreamBlockRef } from '../view/stored-blocks.js';
import { jobStartWithinBlock, upstreamBlockRefOf } from '../view/start-within-block.js';
import type { LocalPosition, ReadView } from '../view/pinned-read-view.js';
import { runJobAt, type JobAndForwardedRequest } from './call-and-estimate.js';
import type { CallSequenceDeps } from './call-sequences.js';
import { mayReportInclusion, type TransactionDeps } from './transaction-reads.js';

type TraceDeps = CallSequenceDeps & Pick<TransactionDeps, 'receipts'>;

/** A request for traces, and how to send the same request to the upstream node. */
interface TraceRequest {
  readonly name: MethodName;
  readonly config: TraceConfig;
  readonly of: JobTrace['of'];
  /**
   * How many of the block's transactions are replayed; `null` if the trace starts from the state after the block, which
   * needs no replay.
   */
  readonly count: number | 'all' | null;
  readonly what: Pick<Job, 'call' | 'stateOverride' | 'blockOverride'>;
  readonly forward: (upstream: UpstreamBlockRef) => ForwardedCall;
}

const NO_CALL = { call: PLACEHOLDER_CALL_REQUEST, stateOverride: [], blockOverride: null };

export const traceMethods = {
  /**
   * `[transaction, block?, {tracer?, tracerConfig?, timeout?, stateOverrides?, blockOverrides?, txIndex?, ..}?]`:
   * returns the trace of a call.
   */
  debug_traceCall: withPooledParams((args, readView, deps, caller) => {
    const { what, block, config, count } = readTracedCall(args, deps.chain.chainId, deps.timeoutMs);
    if (args.failure) return args.failure;
    const forward = (upstream: UpstreamBlockRef): ForwardedCall => args.forward(1, upstream);
    return at(block, { name: 'debug_traceCall', config, of: 'call', count, what, forward }, readView, deps, caller);
  }),

  /** `[hash, config?]`: returns the trace of a transaction in a retained or pre-confirmed block. */
  debug_traceTransaction: (args, readView, deps, caller) => {
    const hash = args.hash(0);
    const config = readTraceConfig(args, 1, deps.timeoutMs);
    if (args.failure) return args.failure;
    const found = deps.executed.find(readView, hash);
    const forward = (): ForwardedCall => ({ forward: args.all });
    if (found === null || !mayReportInclusion(found, deps.receipts))
      return deps.backing === null ? rpcError('execution', 'transaction not found') : forward();
    const { block, index } = found;
    const ref: BlockParam = { kind: 'number', number: BigInt(block.number) };
    const request = { name: 'debug_traceTransaction' as const, config, count: index + 1, what: NO_CALL, forward };
    return at(ref, { ...request, of: 'transaction' }, readView, deps, caller);
  },

  /** `[block, config?]`: returns the traces of the block's transactions, in order. */
  debug_traceBlockByNumber: (args, readView, deps, caller) => {
    args.required(0);
    return traceBlock(args, args.blockNumber(0), readView, deps, caller);
  },

  /** `[hash, config?]`: returns the traces of the block's transactions, in order. */
  debug_traceBlockByHash: (args, readView, deps, caller) =>
    traceBlock(args, { kind: 'hash', hash: args.hash(0) }, readView, deps, caller),
} satisfies MethodFunctionByName<TraceDeps>;

/** The parsed parameters of debug_traceCall. */
interface TracedCall extends Pick<TraceRequest, 'what' | 'config' | 'count'> {
  readonly block: BlockParam;
}

/** Parses the parameters of debug_traceCall. */
export function readTracedCall(args: RpcArguments, chainId: bigint, timeoutMsMax: number): TracedCall {
  const call = withoutNonce(parseCallObject(args, args.required(0), 0, chainId));
  const block = args.block(1);
  const config = readTraceConfig(args, 2, timeoutMsMax, true);
  const stateOverride = parseStateOverride(args, config.fields.value('stateOverrides'), 2);
  const blockOverride = parseBlockOverride(args, config.fields.value('blockOverrides'), 2);
  const index = config.fields.quantity('txIndex', 64);
  const count = index === null ? null : Number(index);
  return { what: { call, stateOverride, blockOverride }, block, config, count };
}

function traceBlock(
  args: RpcArguments,
  ref: BlockParam,
  readView: ReadView,
  deps: TraceDeps,
  caller: Caller,
): MethodResult {
  const config = readTraceConfig(args, 1, deps.timeoutMs);
  if (args.failure) return args.failure;
  const forward = (upstream: UpstreamBlockRef): ForwardedCall => forwardBlock(args, upstream);
  const request = { name: 'debug_traceBlockByNumber', config, of: 'block', count: 'all', what: NO_CALL } as const;
  return at(ref, { ...request, forward }, readView, deps, caller);
}

function forwardBlock(args: RpcArguments, { ref }: UpstreamBlockRef): ForwardedCall {
  const [, ...more] = args.all;
  return typeof ref === 'string'
    ? { forward: [ref, ...more], method: 'debug_traceBlockByNumber', block: ref }
    : { forward: [ref.blockHash, ...more], method: 'debug_traceBlockByHash', block: ref.blockHash };
}

function at(ref: BlockParam, request: TraceRequest, readView: ReadView, deps: TraceDeps, caller: Caller): MethodResult {
  const position = readView.resolve(ref);
  if ('error' in position) return position;
  if (position.kind === 'upstream') return request.forward(position);
  const { nodeOnly, hasUnknown } = request.config;
  if (nodeOnly !== null || hasUnknown || isBeforeLondon(position, deps)) {
    const known = upstreamBlockRefOf(position.block, readView);
    if (known !== null) return request.forward(known);
    if (nodeOnly !== null) return rpcError('invalidParams', nodeOnly);
  }
  const { name, forward } = request;
  const job = (here: LocalPosition): ReturnType<JobAndForwardedRequest['job']> => jobOf(here, request, readView, deps);
  return runJobAt(position, { name, forward, job }, readView, deps, caller);
}

/**
 * True for blocks before London, which this program cannot replay. Only the block number is needed, because London
 * activates by number.
 */
function isBeforeLondon({ block }: LocalPosition, { chain: { forks } }: TraceDeps): boolean {
  const fork = forks[activeForkIndex(forks, block, 0n)];
  return fork !== undefined && !includesFork(fork.name, 'london');
}

function jobOf(
  position: LocalPosition,
  { of, count, config: { tracer, timeoutMs }, what }: TraceRequest,
  readView: ReadView,
  { executed, gasCap }: TraceDeps,
): ReturnType<JobAndForwardedRequest['job']> {
  if (of !== 'call' && position.block === 0) return rpcError('execution', 'genesis is not traceable');
  const begin = count === null ? { position } : jobStartWithinBlock(position, count, readView, executed);
  if ('error' in begin || 'kind' in begin) return begin;
  const isComplete = position.block <= readView.pinned.record.heads.latest;
  const trace: JobTrace = of === 'call' ? { of, tracer } : { of, tracer, isComplete };
  return { kind: 'trace', ...what, ...begin, trace, gasCap, timeoutMs };
}
