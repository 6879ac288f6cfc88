// Sends estimates and calls to the upstream node if they call non-EVM code. Sends all of them if this program's rules
// for the chain are unverified, or if the operator has configured it.
import type { ChainDescription } from '../../chain/chain-description.js';
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../../fairness/total-and-client-limit.js';
import { ERRORS, rpcError, type RpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import type { RpcCallOutcome } from '../answer/call-result.js';
import type { Caller } from '../answer/request-response-types.js';
import type { ForwardedCall } from '../view/upstream-node-access.js';
import type { UpstreamBlockRef } from '../view/stored-blocks.js';
import type { LocalPosition, ReadView } from '../view/pinned-read-view.js';
import type { BackingNodeDeps } from './method-types.js';
import { resultOrForwarded, type UpstreamCallDeps } from './run-with-state-fetch.js';

/**
 * Why this program does not answer a call or estimate itself. It is sent to the node if it calls a non-EVM account
 * (`foreign`), if the chain's rules are unverified (`rules`), or if the node answers all executions (`setting`). It is
 * refused if the node does not know the pre-confirmed state, if there is no node, or if too many requests to it are
 * open (`full`).
 */
export type NotLocalReason = 'foreign' | 'rules' | 'setting' | keyof typeof REFUSED | 'full';

/** Why an execution is sent to the node, and the start of the error message if the node does not answer it either. */
export interface NotLocalExecution {
  readonly reason: Extract<NotLocalReason, 'foreign' | 'rules' | 'setting'>;
  readonly text: string;
}

/** What determines whether a call or estimate runs in this program or at the upstream node. */
export interface NodeFallbackDeps extends BackingNodeDeps {
  readonly chain: ChainDescription;
  readonly revertErrorCode: number;
  /** `node`: the upstream node answers all estimates and calls. */
  readonly estimates: 'local' | 'node';
  /**
   * Returns why this program's rules for the chain may be wrong. The program then executes nothing itself. Returns
   * `null` if the rules are known to be right.
   */
  readonly doubt: () => string | null;
  /**
   * Sends executions to the upstream node. `null` for an execution that is repeated after each block: repetitions are
   * not sent to it.
   */
  readonly nodeExecutions: UpstreamExecutions | null;
}

/** Method, request to the node, and caller of an execution. */
interface NodeQuestion {
  readonly name: string;
  readonly forward: ForwardedCall;
  readonly caller: Caller;
}

const REFUSED = {
  preConfirmed: 'only a node can answer it, and none knows pre-confirmed state: ask at latest',
  noNode: 'only a node can answer it, and there is none here',
} as const;

const SETTING: NotLocalExecution = { reason: 'setting', text: 'estimates and calls are answered by the node' };

/**
 * Returns the reason if no call or estimate may be executed in this program. Returns `null` if all may be, except those
 * that call non-EVM code.
 */
export function whyNothingRunsHere({ estimates, doubt }: NodeFallbackDeps): NotLocalExecution | null {
  if (estimates === 'node') return SETTING;
  const why = doubt();
  return why === null ? null : { reason: 'rules', text: `${ERRORS.rulesUnknown.message}: ${why}` };
}

/** Returns the error for an execution that the node does not answer either. */
function unansweredError({ reason, text }: NotLocalExecution, why: string): RpcError {
  return rpcError(reason === 'rules' ? 'rulesUnknown' : 'foreign', `${text}; ${why}`);
}

/**
 * Returns a function that sends the execution to the node and returns the node's response, or an error if the node
 * cannot answer. `forward` makes the request from the node's reference to the block. It is called before this function
 * returns, because the parsed parameters exist only until then.
 */
export function prepareForNode(
  position: LocalPosition,
  readView: ReadView,
  { nodeExecutions, backing, revertErrorCode }: NodeFallbackDeps,
  execution: Omit<NodeQuestion, 'forward'> & { readonly forward: (place: UpstreamBlockRef) => ForwardedCall },
): (why: NotLocalExecution) => RpcCallOutcome | Promise<RpcCallOutcome> {
  const place = nodePositionOf(position, readView);
  const { name, caller } = execution;
  const forward = typeof place === 'string' ? place : execution.forward(place);
  return (why) => {
    if (nodeExecutions === null) return unansweredError(why, 'it is not asked of a node again and again');
    if (typeof forward === 'string') return nodeExecutions.refuse(forward, why);
    if (backing === null) return nodeExecutions.refuse('noNode', why);
    return nodeExecutions.run(why, { name, forward, caller }, { backing, revertErrorCode });
  };
}

/** Returns the reference by which the node finds one of our blocks, or the reason why the node does not have it. */
function nodePositionOf(
  { block }: LocalPosition,
  { blocks, pinned }: ReadView,
): UpstreamBlockRef | keyof typeof REFUSED {
  if (block > pinned.record.heads.latest) return 'preConfirmed';
  return blocks.upstream(block) ?? 'noNode';
}

/** Sends executions to the node. Equal requests that are open at the same time are sent once. */
export class UpstreamExecutions {
  readonly counts: Record<NotLocalReason, number> = {
    foreign: 0,
    rules: 0,
    setting: 0,
    preConfirmed: 0,
    noNode: 0,
    full: 0,
  };
  readonly #open = new Map<string, Promise<RpcCallOutcome>>();
  readonly #shares: TotalAndClientLimit;

  constructor(ledger: UsageLedger) {
    const { nodeExecutionsMax, nodeExecutionsPerClientMax } = LIMITS;
    this.#shares = new TotalAndClientLimit(ledger, 'nodeExecutions', nodeExecutionsMax, nodeExecutionsPerClientMax);
  }

  /**
   * Sends an execution to the node, and converts the response to our form. Returns an error if too many requests are
   * open.
   */
  run(why: NotLocalExecution, question: NodeQuestion, deps: UpstreamCallDeps): Promise<RpcCallOutcome> | RpcError {
    const { client } = question.caller;
    const key = JSON.stringify([question.name, question.forward.forward]);
    const open = this.#open.get(key);
    if (open === undefined && !this.#shares.take(client, 1)) return this.refuse('full', why);
    this.counts[why.reason]++;
    if (open !== undefined) return open;
    const answer = Promise.resolve(resultOrForwarded(question, question.forward, deps)).finally(() => {
      this.#shares.release(client, 1);
      this.#open.delete(key);
    });
    if (key.length <= LIMITS.nodeQuestionMergedCharacters) this.#open.set(key, answer);
    return answer;
  }

  /** Returns the error for an execution that neither this program nor the node can answer. */
  refuse(reason: keyof typeof REFUSED | 'full', why: NotLocalExecution): RpcError {
    this.counts[reason]++;
    return reason === 'full' ? rpcError('overload') : unansweredError(why, REFUSED[reason]);
  }
}
