// Decides which executions are left to the node. The request is prepared before it may be needed.
import { hasNonEvmAccounts } from '../../chain/non-evm-accounts.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import { ERRORS, rpcError } from '../../errors.js';
import type { Caller } from '../answer/rpc-handler-types.js';
import { type CallResult, isError } from '../answer/call-result.js';
import type { ForwardedCall } from '../view/backing-node.js';
import type { UpstreamPosition } from '../view/chain-blocks.js';
import type { LocalPosition, ReadView } from '../view/read-view.js';
import type { BackingNodeDeps } from './method-types.js';
import { nodePositionOf, type NodeExecutions, type NotLocalExecution } from './node-executions.js';

/** What determines where an execution runs. */
export interface NodeFallbackDeps extends BackingNodeDeps {
  readonly chain: ChainDescription;
  readonly revertErrorCode: number;
  /** With `node`, the node answers all estimates and calls. */
  readonly estimates: 'local' | 'node';
  /** Returns why the rules are not known to be right, so that nothing is executed here; `null` if they are. */
  readonly doubt: () => string | null;
  /** Sends executions to the node; `null` when an execution is repeated, which is not sent there. */
  readonly nodeExecutions: NodeExecutions | null;
}

/** An execution that may be sent to the node. */
interface NodeFallback {
  /** Why it is sent to the node at once; `null` if it is only sent if it calls non-EVM code. */
  readonly why: NotLocalExecution | null;
  readonly name: string;
  /** The request to the node, or the reason why there is none. */
  readonly source: ForwardedCall | 'preConfirmed' | 'noNode';
  readonly deps: NodeFallbackDeps;
  readonly caller: Caller;
}

/** Method and parameters of an execution, and its caller. `forward` returns the parameters for a block of the node. */
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

/** Prepares the fallback at once, while there are parameters; `null` if it is never sent to the node. */
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

/** The result, or the node's if the execution has called non-EVM code. */
export async function rerunNonEvmAtNode(
  result: CallResult | Promise<CallResult>,
  fallback: NodeFallback,
): Promise<CallResult> {
  const ours = await result;
  return isError(ours) && ours.error === 'foreign' ? forwardToNode(nonEvmCodeReason(ours.message), fallback) : ours;
}

/** The node's response, or an error if it cannot answer. */
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

/** Why an execution that met non-EVM code is not answered here. `text` is the error with which it ended. */
export function nonEvmCodeReason(text: string): NotLocalExecution {
  return { reason: 'foreign', error: 'foreign', text };
}

function inDoubt(doubt: string | null): NotLocalExecution | null {
  if (doubt === null) return null;
  return { reason: 'rules', error: 'rulesUnknown', text: `${ERRORS.rulesUnknown.message}: ${doubt}` };
}
