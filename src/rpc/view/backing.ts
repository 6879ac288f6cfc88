// The upstream node behind an incomplete table.
import type { RpcError } from '../../errors.js';
import type { FetchPurpose } from '../../feed/feed.js';
import type { MissingKeys } from '../../state/views/recording-view.js';
import type { CallResult } from '../answer/call-result.js';

/** A call to be sent to the upstream node, with these parameters. */
export interface Forward {
  readonly forward: readonly unknown[];
  /** The requested block; if the node does not know it, the error is replaced by ours. */
  readonly block?: string;
  /** Present if the method differs from the one that was called. */
  readonly method?: string;
  /** Converts the node's answer to the result; by default it is the result. */
  readonly decorate?: (answer: Exclude<CallResult, RpcError>) => Promise<CallResult>;
  /** Time limit for the answer, milliseconds; defaults to LIMITS.fillMsMax. */
  readonly answerMsMax?: number;
}

/** Reads state from the upstream node. */
export interface Backing {
  /**
   * Fetches missing state into the table; returns why it could not by `untilMs` of the monotonic clock, or `null`.
   * `purpose`: what it is for, if that is a call.
   */
  fill(missing: MissingKeys, untilMs: number, purpose?: FetchPurpose): Promise<RpcError | null>;
  /** Calls any method; answered by `untilMs` of the monotonic clock. */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<CallResult>;
  /** Counts the resets of the table: versions of one mean nothing in another. */
  epoch(): number;
}
