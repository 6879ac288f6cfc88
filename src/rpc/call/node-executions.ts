// Sends estimates and calls to the upstream node if only the node can answer them: those that call non-EVM code, or all
// of them if the chain's rules are unverified here or the operator has configured it.
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import { UsageLimit } from '../../fairness/usage-limit.js';
import { rpcError, type ErrorName, type RpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import type { CallResult } from '../answer/call-result.js';
import type { ForwardedCall } from '../view/backing-node.js';
import type { UpstreamPosition } from '../view/stored-blocks.js';
import type { LocalPosition, ReadView } from '../view/pinned-read-view.js';
import { resultOrForwarded, type UpstreamCallDeps } from './run-with-state-fetch.js';

/**
 * Why an execution is not answered here. It is sent to the node if it calls a non-EVM account (`foreign`), if the rules
 * are in doubt (`rules`), or if the node answers all executions (`setting`). With the other reasons it is refused: the
 * node does not know pre-confirmed state, there is no node, or too many requests to it are open.
 */
export type NotLocalReason = 'foreign' | 'rules' | 'setting' | 'preConfirmed' | 'noNode' | 'full';

/** Why an execution is sent to the node, and the error for the client if the node does not answer it either. */
export interface NotLocalExecution {
  readonly reason: Extract<NotLocalReason, 'foreign' | 'rules' | 'setting'>;
  readonly error: ErrorName;
  readonly text: string;
}

/** A request to the node, and the client for which it is sent. */
interface NodeQuestion {
  readonly method: string;
  readonly forward: ForwardedCall;
  readonly client: string | undefined;
}

/** A reference by which the node finds a block's state, or the reason why the node does not have that state. */
type NodePosition = UpstreamPosition | 'preConfirmed' | 'noNode';

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
  readonly #open = new Map<string, Promise<CallResult>>();
  readonly #shares: UsageLimit;

  constructor(ledger: UsageLedger) {
    const { nodeExecutionsMax, nodeExecutionsPerClientMax } = LIMITS;
    this.#shares = new UsageLimit(ledger, 'nodeExecutions', nodeExecutionsMax, nodeExecutionsPerClientMax);
  }

  /**
   * Sends an execution to the node, and converts the response to our form. Returns an error if too many requests are
   * open.
   */
  run(why: NotLocalExecution, question: NodeQuestion, deps: UpstreamCallDeps): Promise<CallResult> | RpcError {
    const { reason } = why;
    const key = JSON.stringify([question.method, question.forward.forward]);
    const open = this.#open.get(key);
    if (open !== undefined) {
      this.counts[reason]++;
      return open;
    }
    if (!this.#shares.take(question.client, 1)) return this.refuse('full', why);
    this.counts[reason]++;
    const answer = this.#runAtNode(question, deps).finally(() => {
      this.#shares.release(question.client, 1);
      this.#open.delete(key);
    });
    if (key.length <= LIMITS.nodeQuestionMergedCharacters) this.#open.set(key, answer);
    return answer;
  }

  /** Returns the error for an execution that neither this program nor the node can answer. */
  refuse(reason: 'preConfirmed' | 'noNode' | 'full', { error, text }: NotLocalExecution): RpcError {
    this.counts[reason]++;
    return reason === 'full' ? rpcError('overload') : rpcError(error, `${text}; ${REFUSED[reason]}`);
  }

  async #runAtNode({ method, forward }: NodeQuestion, deps: UpstreamCallDeps): Promise<CallResult> {
    return resultOrForwarded({ name: method }, forward, deps);
  }
}

/** Returns the reference by which the node finds the state of a block that is here. */
export function nodePositionOf({ block }: LocalPosition, { blocks, pinned }: ReadView): NodePosition {
  if (block > pinned.record.heads.latest) return 'preConfirmed';
  return blocks.upstream(block) ?? 'noNode';
}

const REFUSED = {
  preConfirmed: 'only a node can answer it, and none knows pre-confirmed state: ask at latest',
  noNode: 'only a node can answer it, and there is none here',
} as const;
