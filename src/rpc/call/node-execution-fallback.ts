// Decides which executions (estimates and calls) are left to the upstream node. The request to the node is prepared
// before it is known to be needed.
import { hasNonEvmAccounts } from '../../chain/non-evm-accounts.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import { ERRORS, rpcError } from '../../rpc-errors.js';
import type { Caller } from '../answer/request-response-types.js';
import { type CallResult, isError } from '../answer/call-result.js';
import type { ForwardedCall } from '../view/backing-node.js';
import type { UpstreamPosition } from '../view/stored-blocks.js';
import type { LocalPosition, ReadView } from '../view/pinned-read-view.js';
import type { BackingNodeDeps } from './method-types.js';
import { nodePositionOf, type UpstreamExecutions, type NotLocalExecution } from './node-executions.js';

/** What determines whether an execution runs here or at the upstream node. */
export interface NodeFallbackDeps extends BackingNodeDeps {
  readonly chain: ChainDescription;
  readonly revertErrorCode: number;
  /** `node`: the upstream node answers all estimates and calls. */
  readonly estimates: 'local' | 'node';
  /**
   * Returns why the chain's rules here may be wrong, in which case nothing is executed here; `null` if they are known
   * to be right.
   */
  readonly doubt: () => string | null;
  /**
   * Sends executions to the upstream node. `null` for an execution that is repeated after each block: repetitions are
   * not sent to it.
   */
  readonly nodeExecutions: UpstreamExecutions | null;
}

/** An execution that may be sent to the upstream node instead of running here. */
interface NodeFallback {
  /** Why the execution is sent to the node at once; `null` if it is sent only after it has called non-EVM code here. */
  readonly why: NotLocalExecution | null;
  readonly name: string;
  /** The request to the node, or the reason why the node cannot answer it. */
  readonly source: ForwardedCall | 'preConfirmed' | 'noNode';
  readonly deps: NodeFallbackDeps;
  readonly caller: Caller;
}

/**
 * Method, parameters and caller of an execution. `forward` returns the request with which the upstream node can do the
 * same at `place`.
 */
interface Execution {
  readonly name: string;
  readonly forward: (place: UpstreamPosition) => ForwardedCall;
  readonly caller: Caller;
}

const SETTING: NotLocalExecution = {
  reason: 'setting',
  error: 'foreign',
  text: 'estimates and calls are answered by the node',
};

/**
 * Prepares the request to the node now, while the parsed parameters exist; returns `null` if it can never be needed.
 */
export function prepareNodeFallback(
  position: LocalPosition,
  readView: ReadView,
  deps: NodeFallbackDeps,
  { name, forward, caller }: Execution,
): NodeFallback | null {
  const why = deps.estimates === 'node' ? SETTING : inDoubt(deps.doubt());
  if (why === null && !hasNonEvmAccounts(deps.chain)) return null;
  const place = nodePositionOf(position, readView);
  return { why, name, source: typeof place === 'string' ? place : forward(place), deps: deps, caller };
}

/** Returns the result of the execution here, or the node's result if the execution has called non-EVM code. */
export async function rerunNonEvmAtNode(
  result: CallResult | Promise<CallResult>,
  fallback: NodeFallback,
): Promise<CallResult> {
  const ours = await result;
  return isError(ours) && ours.error === 'foreign' ? forwardToNode(nonEvmCodeReason(ours.message), fallback) : ours;
}

/** Sends the execution to the node and returns the node's response, or an error if the node cannot answer. */
export function forwardToNode(
  why: NotLocalExecution,
  { name, source, deps, caller }: NodeFallback,
): CallResult | Promise<CallResult> {
  const { nodeExecutions, backing, revertErrorCode } = deps;
  if (nodeExecutions === null) return rpcError(why.error, `${why.text}; it is not asked of a node again and again`);
  if (source === 'preConfirmed') return nodeExecutions.refuse(source, why);
  if (source === 'noNode' || backing === null) return nodeExecutions.refuse('noNode', why);
  const question = { method: name, forward: source, client: caller.client };
  return nodeExecutions.run(why, question, { backing, revertErrorCode });
}

/**
 * Returns the reason not to answer here an execution that called non-EVM code. `text` is the error with which it ended.
 */
export function nonEvmCodeReason(text: string): NotLocalExecution {
  return { reason: 'foreign', error: 'foreign', text };
}

function inDoubt(doubt: string | null): NotLocalExecution | null {
  if (doubt === null) return null;
  return { reason: 'rules', error: 'rulesUnknown', text: `${ERRORS.rulesUnknown.message}: ${doubt}` };
}
