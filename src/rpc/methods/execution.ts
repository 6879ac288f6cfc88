// Methods that run code: estimates and calls through the pool, transactions to the chain.
import { rpcError } from '../../errors.js';
import type { Job, JobOutcome } from '../../transaction/call-request.js';
import { monotonicMs } from '../../lib/clock.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { Caller } from '../answer/response.js';
import type { RpcArguments } from '../params/arguments.js';
import { settled } from '../call/cold-job.js';
import { callOf, readBlockOverride, readStateOverride, withoutNonce } from '../params/call-arguments.js';
import type { Run, Runs } from '../call/method.js';
import {
  nonEvmAtNode,
  metNonEvmCode,
  nodeFallback,
  forwardedToNode,
  type NodeTurnDeps,
} from '../call/node-fallback.js';
import { revertError } from '../call/revert.js';
import type { ReadView } from '../view/read-view.js';
import type { Forward } from '../view/backing.js';
import type { BlockParam } from '../view/block-ref.js';
import type { UpstreamPosition } from '../view/chain-blocks.js';
import { type CallResult, JsonBytes } from '../answer/call-result.js';
import { nonEvmText } from '../../chain/non-evm.js';
import type { EstimatorPool } from '../../pool/pool.js';
import type { PreflightEstimates } from '../../execution/call/preflight-estimates.js';
import type { TipOracle } from '../view/tip-oracle.js';

/** What methods that run code need. */
export interface ExecutionDeps extends NodeTurnDeps {
  readonly pool: Pick<EstimatorPool, 'submit'>;
  /** Estimates that need no worker. */
  readonly preflight: Pick<PreflightEstimates, 'answer'>;
  readonly tips: TipOracle;
  readonly gasCap: bigint;
  readonly timeoutMs: number;
}

/** Reads the parameters of a call, and its block. `withNonce`: keeps the nonce. */
export function readExecution(
  args: RpcArguments,
  chainId: bigint,
  withNonce = false,
): Pick<Job, 'call' | 'stateOverride' | 'blockOverride'> & { readonly block: BlockParam } {
  const { plain } = args;
  if (plain !== null)
    return { call: plain.call, block: plain.block ?? args.defaultBlock, stateOverride: [], blockOverride: null };
  const asked = callOf(args, args.required(0), 0, chainId);
  const call = withNonce ? asked : withoutNonce(asked);
  const block = args.block(1);
  const stateOverride = readStateOverride(args, 2);
  const blockOverride = readBlockOverride(args, 3);
  return { call, block, stateOverride, blockOverride };
}

/** Methods by the kind of job. */
const NAMES = { estimate: 'eth_estimateGas', call: 'eth_call', accessList: 'eth_createAccessList' } as const;

function execute(kind: keyof typeof NAMES): Run<ExecutionDeps> {
  return (args, readView, parts, caller) => {
    const isListed = kind === 'accessList';
    const { call: asked, block, stateOverride, blockOverride } = readExecution(args, parts.chain.chainId, isListed);
    if (args.failure) return args.failure;
    const position = readView.resolve(block);
    if ('error' in position) return position;
    if (position.kind === 'upstream') return args.forward(1, position);
    const forward = (place: UpstreamPosition): Forward => args.forward(1, place);
    const turn = nodeFallback(position, readView, parts, { name: NAMES[kind], forward, caller });
    if (turn !== null && turn.why !== null) return forwardedToNode(turn.why, turn);
    const { gasCap, timeoutMs } = parts;
    // Written field by field: creating and reading an object made by spreads takes ten times as long.
    const plain: Job = { kind, position, call: asked, stateOverride, blockOverride, gasCap, timeoutMs };
    const job = isListed ? { ...plain, tip: tipAt(readView, parts) } : plain;
    const answer = parts.preflight.answer(job, readView);
    if (answer !== null) {
      const isSent = answer.kind === 'foreign' && turn !== null;
      return isSent
        ? forwardedToNode(metNonEvmCode(nonEvmText(answer.address)), turn)
        : render(answer, parts.revertErrorCode);
    }
    // The call in its original form is only needed for an upstream node; copying a long one costs a millisecond for
    // each megabyte.
    const result = submit(job, parts.backing === null ? undefined : args.all[0], parts, caller);
    return turn === null ? result : nonEvmAtNode(result, turn);
  };
}

/** The suggested tip; 0 if the blocks it is derived from are not here. */
function tipAt({ blocks, pinned }: ReadView, { tips }: ExecutionDeps): bigint {
  return tips.suggest(blocks, pinned.record.heads.latest) ?? 0n;
}

/**
 * `[transaction, block?, stateOverride?, blockOverride?]`: the lowest gas limit with which the transaction succeeds.
 */
export const estimateGas = execute('estimate');

/** `[transaction, block?, stateOverride?, blockOverride?]`: the return data. */
export const call = execute('call');

/**
 * `[transaction, block?, stateOverride?, blockOverride?]`: what it accesses, as an access list, and its gas with that
 * list.
 */
const createAccessList = execute('accessList');

/** Submits the job to an estimator. `asked`: the call in its original form, if it is a single one. */
export function submit(
  job: Job,
  asked: unknown,
  deps: ExecutionDeps,
  caller: Caller,
): CallResult | Promise<CallResult> {
  const { pool, backing, revertErrorCode } = deps;
  const run = (one: Job): ReturnType<typeof pool.submit> => pool.submit(one, caller);
  const first = run(job);
  if (first === null) return rpcError('overload');
  const outcome = backing === null ? first : settled({ job, asked }, first, { run, backing, now: monotonicMs });
  return outcome.then((result) => ('kind' in result ? render(result, revertErrorCode) : result));
}

function render(outcome: JobOutcome, revertErrorCode: number): CallResult {
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
      return rpcError('foreign', nonEvmText(outcome.address));
    case 'missing':
      return rpcError('upstream', `state is still missing after ${LIMITS.missRoundsMax} reads`);
  }
}

/** The methods of this file. */
export const executionMethods = {
  eth_estimateGas: estimateGas,
  eth_call: call,
  eth_createAccessList: createAccessList,
} satisfies Runs<ExecutionDeps>;
