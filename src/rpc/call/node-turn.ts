// Executions that are not answered here: the node's turn, kept ready until it comes. Runs on main.
import { hasForeign } from '../../chain/foreign.js';
import type { ChainDescription } from '../../chain/spec.js';
import { ERRORS, rpcError } from '../../errors.js';
import type { Asker } from '../answer/answer.js';
import { type CallResult, isError } from '../answer/call-result.js';
import type { Forward } from '../view/backing.js';
import type { UpstreamPosition } from '../view/chain-blocks.js';
import type { LocalPosition, ReadView } from '../view/read-view.js';
import type { BackingPart } from './method.js';
import { placeAtNode, type NodeExecutions, type Unanswered } from './node-executions.js';

/** Parts that decide who answers an execution. */
export interface NodeTurnParts extends BackingPart {
  readonly chain: ChainDescription;
  readonly revertErrorCode: number;
  /** `node`: it answers all estimates and calls. */
  readonly estimates: 'local' | 'node';
  /** Reason for which the rules are not known to be right: nothing is executed by them; `null`: they are. */
  readonly doubt: () => string | null;
  /** Executions that the node answers; `null`: nothing that runs again and again is sent there. */
  readonly nodeExecutions: NodeExecutions | null;
}

/** An execution that the node may be asked for. */
export interface NodeTurn {
  /** Reason for which it is sent at once; `null`: it is only where it meets foreign code. */
  readonly why: Unanswered | null;
  readonly name: string;
  /** Question for the node, or why there is none. */
  readonly asked: Forward | 'preConfirmed' | 'noNode';
  readonly parts: NodeTurnParts;
  readonly asker: Asker;
}

/** Method and parameters of an execution, and for whom it is. `forward`: the parameters at a block of the node. */
interface Execution {
  readonly name: string;
  readonly forward: (place: UpstreamPosition) => Forward;
  readonly asker: Asker;
}

const SETTING: Unanswered = {
  reason: 'setting',
  error: 'foreign',
  text: 'estimates and calls are answered by the node',
};

/** Made at once, as parameters are gone once a call waits; `null`: the execution is answered here whatever it meets. */
export function nodeTurn(
  position: LocalPosition,
  readView: ReadView,
  parts: NodeTurnParts,
  { name, forward, asker }: Execution,
): NodeTurn | null {
  const why = parts.estimates === 'node' ? SETTING : inDoubt(parts.doubt());
  if (why === null && !hasForeign(parts.chain)) return null;
  const place = placeAtNode(position, readView);
  return { why, name, asked: typeof place === 'string' ? place : forward(place), parts, asker };
}

/** The result, or the node's where the execution has met foreign code. */
export async function foreignSent(result: CallResult | Promise<CallResult>, turn: NodeTurn): Promise<CallResult> {
  const ours = await result;
  return isError(ours) && ours.error === 'foreign' ? sentToNode(metForeign(ours.message), turn) : ours;
}

/** The node's answer, or why it has none. */
export function sentToNode(why: Unanswered, { name, asked, parts, asker }: NodeTurn): CallResult | Promise<CallResult> {
  const { nodeExecutions, backing, revertErrorCode } = parts;
  if (nodeExecutions === null) return rpcError(why.error, `${why.text}; it is not asked of a node again and again`);
  if (asked === 'preConfirmed') return nodeExecutions.refuse(asked, why);
  if (asked === 'noNode' || backing === null) return nodeExecutions.refuse('noNode', why);
  const question = { method: name, forward: asked, client: asker.client };
  return nodeExecutions.ask(why, question, { backing, revertErrorCode });
}

/** `text`: how the execution has ended here. */
export function metForeign(text: string): Unanswered {
  return { reason: 'foreign', error: 'foreign', text };
}

function inDoubt(doubt: string | null): Unanswered | null {
  if (doubt === null) return null;
  return { reason: 'rules', error: 'rulesUnknown', text: `${ERRORS.rulesUnknown.message}: ${doubt}` };
}
