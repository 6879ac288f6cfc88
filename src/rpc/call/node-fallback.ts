// Executions that may be left to the upstream node: their requests are prepared until it is known whether they are
// needed.
import { hasNonEvmAccounts } from '../../chain/non-evm.js';
import type { ChainDescription } from '../../chain/spec.js';
import { ERRORS, rpcError } from '../../errors.js';
import type { Caller } from '../answer/response.js';
import { type CallResult, isError } from '../answer/call-result.js';
import type { Forward } from '../view/backing.js';
import type { UpstreamPosition } from '../view/chain-blocks.js';
import type { LocalPosition, ReadView } from '../view/read-view.js';
import type { BackingPart } from './method.js';
import { placeAtNode, type NodeExecutions, type Unanswered } from './node-executions.js';

/** What decides where an execution runs. */
export interface NodeTurnDeps extends BackingPart {
  readonly chain: ChainDescription;
  readonly revertErrorCode: number;
  /** `node`: the node answers all estimates and calls. */
  readonly estimates: 'local' | 'node';
  /** Why the rules are not known to be right, in which case nothing is executed here; `null`: they are. */
  readonly doubt: () => string | null;
  /** Sends executions to the node; `null`: repeated executions are not sent there. */
  readonly nodeExecutions: NodeExecutions | null;
}

/** An execution that may be sent to the node. */
export interface NodeFallback {
  /** Why it is sent at once; `null`: it is sent only if it calls non-EVM code. */
  readonly why: Unanswered | null;
  readonly name: string;
  /** The request to the node, or why there is none. */
  readonly source: Forward | 'preConfirmed' | 'noNode';
  readonly deps: NodeTurnDeps;
  readonly caller: Caller;
}

/** Method and parameters of an execution, and its caller. `forward`: the parameters for a block of the node. */
interface Execution {
  readonly name: string;
  readonly forward: (place: UpstreamPosition) => Forward;
  readonly caller: Caller;
}

const SETTING: Unanswered = {
  reason: 'setting',
  error: 'foreign',
  text: 'estimates and calls are answered by the node',
};

/**
 * Prepared at once, because the parameters are gone once a call waits; `null`: the execution never goes to the node.
 */
export function nodeFallback(
  position: LocalPosition,
  readView: ReadView,
  deps: NodeTurnDeps,
  { name, forward, caller }: Execution,
): NodeFallback | null {
  const why = deps.estimates === 'node' ? SETTING : inDoubt(deps.doubt());
  if (why === null && !hasNonEvmAccounts(deps.chain)) return null;
  const place = placeAtNode(position, readView);
  return { why, name, source: typeof place === 'string' ? place : forward(place), deps: deps, caller };
}

/** The result, or the node's if the execution has called non-EVM code. */
export async function nonEvmAtNode(
  result: CallResult | Promise<CallResult>,
  fallback: NodeFallback,
): Promise<CallResult> {
  const ours = await result;
  return isError(ours) && ours.error === 'foreign' ? forwardedToNode(metNonEvmCode(ours.message), fallback) : ours;
}

/** The node's answer, or an error if it cannot answer. */
export function forwardedToNode(
  why: Unanswered,
  { name, source, deps, caller }: NodeFallback,
): CallResult | Promise<CallResult> {
  const { nodeExecutions, backing, revertErrorCode } = deps;
  if (nodeExecutions === null) return rpcError(why.error, `${why.text}; it is not asked of a node again and again`);
  if (source === 'preConfirmed') return nodeExecutions.refuse(source, why);
  if (source === 'noNode' || backing === null) return nodeExecutions.refuse('noNode', why);
  const question = { method: name, forward: source, client: caller.client };
  return nodeExecutions.run(why, question, { backing, revertErrorCode });
}

/** `text`: the error with which the execution ended here. */
export function metNonEvmCode(text: string): Unanswered {
  return { reason: 'foreign', error: 'foreign', text };
}

function inDoubt(doubt: string | null): Unanswered | null {
  if (doubt === null) return null;
  return { reason: 'rules', error: 'rulesUnknown', text: `${ERRORS.rulesUnknown.message}: ${doubt}` };
}
