// The upstream node behind an incomplete table.
import type { RpcError } from '../../errors.js';
import type { CallToFetchFor } from '../../feed/feed.js';
import type { MissingKeys } from '../../state/views/miss-recording-view.js';
import type { CallResult } from '../answer/call-result.js';

/** A call that is forwarded to the upstream node with these parameters. */
export interface ForwardedCall {
  readonly forward: readonly unknown[];
  /** The requested block. If the node does not know it, its error is replaced by ours. */
  readonly block?: string;
  /** The node's method, if it is not the one that was called. */
  readonly method?: string;
  /** Converts the node's response to the result; by default, it is the result. */
  readonly decorate?: (answer: Exclude<CallResult, RpcError>) => Promise<CallResult>;
  /** Milliseconds allowed for the response; LIMITS.fillMsMax by default. */
  readonly answerMsMax?: number;
}

export interface BackingNode {
  /** Fetches missing state. `null`, or why not by `untilMs` (monotonic). `purpose`: the call in need. */
  fill(missing: MissingKeys, untilMs: number, purpose?: CallToFetchFor): Promise<RpcError | null>;
  /** Calls any method of the node. Responds by `untilMs` on the monotonic clock. */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<CallResult>;
  /** Number of resets of the table: versions from before a reset mean nothing after it. */
  epoch(): number;
}
