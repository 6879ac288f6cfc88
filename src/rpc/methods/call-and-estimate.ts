// Methods that run code: estimates and calls, which run in the pool of estimator threads.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import type { MethodName } from '../../methods.table.js';
import type { Job, JobOutcome } from '../../transaction/evm-job.js';
import { monotonicMs } from '../../lib/clock.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { Caller } from '../answer/request-response-types.js';
import type { RpcArguments } from '../params/arguments.js';
import { withPooledParams } from '../call/pooled-bytes.js';
import { rerunWithFetchedState } from '../call/rerun-cold-job.js';
import { parseCallObject, parseBlockOverride, parseStateOverride, withoutNonce } from '../params/call-arguments.js';
import type { MethodResult, MethodFunction, MethodFunctionByName } from '../call/method-types.js';
import { prepareForNode, whyNothingRunsHere, type NodeFallbackDeps } from '../call/executions-at-upstream.js';
import { revertError } from '../call/revert-error.js';
import type { LocalPosition, ResolvedBlockPosition, ReadView } from '../view/pinned-read-view.js';
import type { ForwardedCall } from '../view/upstream-node-access.js';
import type { BlockParam } from '../view/block-param-types.js';
import type { UpstreamBlockRef } from '../view/stored-blocks.js';
import { type RpcCallOutcome, isError, JsonBytes } from '../answer/call-result.js';
import { hasNonEvmAccounts, nonEvmErrorMessage } from '../../chain/non-evm-accounts.js';
import type { WorkerPool } from '../../pool/worker-pool.js';
import type { PreflightEstimates } from '../../execution/call/estimate-on-main-thread.js';
import type { TipOracle } from '../view/tip-oracle.js';

export interface ExecutionDeps extends NodeFallbackDeps {
  readonly pool: Pick<WorkerPool, 'submit'>;
  /** Answers estimates that execute no code, and so need no estimator thread. */
  readonly preflight: Pick<PreflightEstimates, 'answer'>;
  readonly tips: TipOracle;
  readonly gasCap: bigint;
  readonly timeoutMs: number;
}

/**
 * Reads the parameters of a call, and the block at which it runs. The nonce in the call object is ignored unless
 * `withNonce` is true.
 */
export function readExecutionParams(
  args: RpcArguments,
  chainId: bigint,
  withNonce = false,
): Pick<Job, 'call' | 'stateOverride' | 'blockOverride'> & { readonly block: BlockParam } {
  const { plain } = args;
  if (plain !== null)
    return { call: plain.call, block: plain.block ?? args.defaultBlock, stateOverride: [], blockOverride: null };
  const read = parseCallObject(args, args.required(0), 0, chainId);
  const ethCall = withNonce ? read : withoutNonce(read);
  const block = args.block(1);
  const stateOverride = parseStateOverride(args, args.value(2), 2);
  const blockOverride = parseBlockOverride(args, args.value(3), 3);
  return { call: ethCall, block, stateOverride, blockOverride };
}

/** Method names by the kind of job. */
const NAMES = { estimate: 'eth_estimateGas', call: 'eth_call', accessList: 'eth_createAccessList' } as const;

function execute(kind: keyof typeof NAMES): MethodFunction<ExecutionDeps> {
  return withPooledParams((args, readView, deps, caller) => {
    const isListed = kind === 'accessList';
    const { call, block, stateOverride, blockOverride } = readExecutionParams(args, deps.chain.chainId, isListed);
    if (args.failure) return args.failure;
    const { gasCap, timeoutMs } = deps;
    const request: JobAndForwardedRequest = {
      name: NAMES[kind],
      forward: (upstream) => args.forward(1, upstream),
      job: (position) => {
        // Written field by field, because creating and reading an object made by spreads takes ten times as long.
        const job: Job = { kind, position, call, stateOverride, blockOverride, gasCap, timeoutMs };
        return isListed ? { ...job, tip: tipAt(readView, deps) } : job;
      },
      original: () => args.all[0],
    };
    return runJobAt(readView.resolve(block), request, readView, deps, caller);
  });
}

/** Returns the suggested tip; 0 if the blocks from which it is computed are not stored. */
function tipAt({ blocks, pinned }: ReadView, { tips }: ExecutionDeps): bigint {
  return tips.suggest(blocks, pinned.record.heads.latest) ?? 0n;
}

/** A request in two forms: as a job that runs in this process, and as a request to the upstream node. */
export interface JobAndForwardedRequest {
  readonly name: MethodName;
  /**
   * Returns the request to the upstream node about a block that the node has. `here` is the block's local position, if
   * this process has the block, too.
   */
  readonly forward: (upstream: UpstreamBlockRef, here?: LocalPosition) => ForwardedCall;
  /**
   * Returns the job for a block whose state is in this process. If other data of the block is missing, returns a
   * reference to the block for the upstream node instead.
   */
  readonly job: (position: LocalPosition) => Job | UpstreamBlockRef | RpcError;
  /**
   * Returns the call as the client sent it. Present only if the request is a single call, which may be answered without
   * an estimator thread.
   */
  readonly original?: () => unknown;
}

/**
 * Runs a job at the resolved block. The upstream node runs it if only the node has the state or can execute the job.
 */
export function runJobAt(
  position: ResolvedBlockPosition | RpcError,
  request: JobAndForwardedRequest,
  readView: ReadView,
  deps: ExecutionDeps,
  caller: Caller,
): MethodResult {
  if ('error' in position) return position;
  if (position.kind === 'upstream') return request.forward(position);
  const forward = (upstream: UpstreamBlockRef): ForwardedCall => request.forward(upstream, position);
  const why = whyNothingRunsHere(deps);
  const atNode =
    why === null && !hasNonEvmAccounts(deps.chain)
      ? null
      : prepareForNode(position, readView, deps, { name: request.name, forward, caller });
  if (why !== null && atNode !== null) return atNode(why);
  const job = request.job(position);
  if ('error' in job) return job;
  if (job.kind === 'upstream') return forward(job);
  const answer = request.original === undefined ? null : deps.preflight.answer(job, readView);
  if (answer === null) {
    const result = submitJob(job, deps, caller, request.original);
    return atNode === null ? result : rerunNonEvmAtNode(result, atNode);
  }
  const isSent = answer.kind === 'foreign' && atNode !== null;
  return isSent
    ? atNode({ reason: 'foreign', text: nonEvmErrorMessage(answer.address) })
    : render(answer, deps.revertErrorCode);
}

/** Returns our result of the execution, or the node's result if the execution has called non-EVM code. */
async function rerunNonEvmAtNode(
  result: RpcCallOutcome | Promise<RpcCallOutcome>,
  atNode: ReturnType<typeof prepareForNode>,
): Promise<RpcCallOutcome> {
  const ours = await result;
  return isError(ours) && ours.error === 'foreign' ? atNode({ reason: 'foreign', text: ours.message }) : ours;
}

/** Submits the job to the pool of estimator threads. For `original` see `JobAndForwardedRequest`. */
export function submitJob(
  job: Job,
  deps: ExecutionDeps,
  caller: Caller,
  original?: () => unknown,
): RpcCallOutcome | Promise<RpcCallOutcome> {
  const { pool, backing, revertErrorCode } = deps;
  const run = (one: Job): ReturnType<typeof pool.submit> => pool.submit(one, caller);
  // The parameters as JSON are needed only if there is a node to ask; copying a long call takes a millisecond per
  // megabyte.
  const request = backing === null ? undefined : original?.();
  const first = run(job);
  if (first === null) return rpcError('overload');
  const outcome =
    backing === null ? first : rerunWithFetchedState(job, request, first, { run, backing, now: monotonicMs });
  return outcome.then((result) => ('kind' in result ? render(result, revertErrorCode) : result));
}

function render(outcome: JobOutcome, revertErrorCode: number): RpcCallOutcome {
  switch (outcome.kind) {
    case 'gas':
      return `"${toQuantity(outcome.gas)}"`;
    case 'return':
      return outcome.data;
    case 'json':
      return typeof outcome.text === 'string' ? outcome.text : new JsonBytes(outcome.text);
    case 'revert':
      return revertError(outcome.data, revertErrorCode);
    case 'failure':
      return rpcError(outcome.error, outcome.message);
    case 'watched':
      return render(outcome.outcome, revertErrorCode);
    case 'foreign':
      return rpcError('foreign', nonEvmErrorMessage(outcome.address));
    case 'missing':
      return rpcError('upstream', `state is still missing after ${LIMITS.missRoundsMax} reads`);
  }
}

export const executionMethods = {
  /**
   * `[transaction, block?, stateOverride?, blockOverride?]`: returns the lowest gas limit with which the transaction
   * succeeds.
   */
  eth_estimateGas: execute('estimate'),

  /** `[transaction, block?, stateOverride?, blockOverride?]`: returns the return data of the call. */
  eth_call: execute('call'),

  /**
   * `[transaction, block?, stateOverride?, blockOverride?]`: returns an access list of everything that the call
   * accesses, and its gas.
   */
  eth_createAccessList: execute('accessList'),
} satisfies MethodFunctionByName<ExecutionDeps>;
