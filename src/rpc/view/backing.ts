// The upstream node behind a table that does not hold everything. Runs on main.
import type { RpcError } from '../../errors.js';
import type { FillPurpose } from '../../feed/feed.js';
import type { Wants } from '../../state/views/recording-view.js';
import type { CallResult } from '../answer/call-result.js';

/** The call is for the upstream node, with these parameters. */
export interface Forward {
  readonly forward: readonly unknown[];
  /** The block that is asked about, where an answer that the node does not know it is to be ours. */
  readonly block?: string;
  /** Present where it is another one than was called. */
  readonly method?: string;
  /** Result that is made of the answer; the answer itself where it is not given. */
  readonly told?: (answer: Exclude<CallResult, RpcError>) => Promise<CallResult>;
  /** Time for the answer, milliseconds; LIMITS.fillMsMax where it is not given. */
  readonly answerMsMax?: number;
}

/** State that is read from the upstream node, where there is one. */
export interface Backing {
  /**
   * Makes state held; answers why it could not be by `untilMs` of the monotonic clock. `purpose`: what it is for, where that
   * is a call.
   */
  fill(wants: Wants, untilMs: number, purpose?: FillPurpose): Promise<RpcError | null>;
  /** Any method; answered by `untilMs` of the monotonic clock. */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<CallResult>;
  /** Counts the tables that began anew: versions of one mean nothing in another. */
  epoch(): number;
}
