// Access to the upstream node that has the state which is missing in an incomplete state table.
import type { RpcError } from '../../rpc-errors.js';
import type { CallToPrefetchFor } from '../../feed/feed.js';
import type { MissingKeys } from '../../state/views/miss-recording-view.js';
import type { RpcCallOutcome } from '../answer/call-result.js';

/** A call that is forwarded to the upstream node with the parameters in `forward`. */
export interface ForwardedCall {
  readonly forward: readonly unknown[];
  /** The requested block. If the node does not know it, the client gets our error for that, not the node's. */
  readonly block?: string;
  /** The method to call at the node, if it differs from the client's. */
  readonly method?: string;
  /** Converts the node's response to the result for the client. Without it, the node's response is the result. */
  readonly decorate?: (answer: Exclude<RpcCallOutcome, RpcError>) => Promise<RpcCallOutcome>;
  /** Milliseconds allowed for the response; LIMITS.fillMsMax by default. */
  readonly answerMsMax?: number;
}

export interface BackingNode {
  /**
   * Fetches missing state into the table. Resolves with `null`, or with the error if that fails before `untilMs`
   * (monotonic clock). `purpose` is the call that needs the state.
   */
  fill(missing: MissingKeys, untilMs: number, purpose?: CallToPrefetchFor): Promise<RpcError | null>;
  /**
   * Calls a method of the node. Resolves with the result, or with an error at `untilMs` (monotonic clock) at the
   * latest.
   */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<RpcCallOutcome>;
  /** Number of resets of the state table. Version numbers from before a reset mean nothing after it. */
  epoch(): number;
}
