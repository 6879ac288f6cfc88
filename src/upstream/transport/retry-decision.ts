// Decides whether and when a failed request is sent again. Pure.
import { backoffPauseMs } from './back-off.js';
import { UpstreamError, type RpcErrorObject } from './upstream-error.js';
import type { UpstreamClientLimits } from './upstream-client-limits.js';

/**
 * How a request can fail without a usable response. `lost`: there is no connection. `limited`: the node reports a rate
 * limit by JSON-RPC error code -32005.
 */
export type RequestFailure =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'limited'; readonly rpc: RpcErrorObject };

/** What to do with a failed request. */
export type RetryDecision =
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'giveUp'; readonly error: UpstreamError };

/** The state of a request on which the decision depends. */
export interface RetryInput {
  /** How often the request was sent so far, and how often it may be sent at most. */
  readonly tries: number;
  readonly triesMax: number;
  /** True if executing the request twice has the same effect as executing it once. */
  readonly repeatable: boolean;
  /**
   * Milliseconds that are left until the response is needed. 0 if the node is down, so that no request is sent again.
   */
  readonly leftMs: number;
  /** A random number from 0 to 1. */
  readonly random: number;
}

type RetryTuning = Pick<UpstreamClientLimits, 'retryMs' | 'retryAfterMsMax'>;

/** The longest pause between two attempts. */
const PAUSE_MS_MAX = 5000;

/**
 * Decides what to do after a failure. A request is sent again after a timeout, a lost connection, a response with HTTP
 * status 408, 429, or 500 and above, or error code -32005. A request that must not be executed twice is sent again only
 * if the response means that it was not executed (429, 503, -32005).
 */
export function decideRetry(failure: RequestFailure, attempt: RetryInput, tuning: RetryTuning): RetryDecision {
  const allowed = isPassing(failure) && (attempt.repeatable || isUntouched(failure));
  if (!allowed || attempt.tries >= attempt.triesMax) return giveUp(failure);
  const retryAfter = failure.kind === 'status' ? failure.retryAfterMs : null;
  if (retryAfter !== null && retryAfter > tuning.retryAfterMsMax) return giveUp(failure);
  const pause = backoffPauseMs(attempt.tries - 1, tuning.retryMs, PAUSE_MS_MAX, attempt.random);
  const afterMs = Math.max(pause, retryAfter ?? 0);
  return afterMs < attempt.leftMs ? { kind: 'again', afterMs } : giveUp(failure);
}

function isPassing(failure: RequestFailure): boolean {
  if (failure.kind !== 'status') return true;
  return failure.status === 408 || failure.status === 429 || failure.status >= 500;
}

function isUntouched(failure: RequestFailure): boolean {
  return (
    failure.kind === 'limited' || (failure.kind === 'status' && (failure.status === 429 || failure.status === 503))
  );
}

function giveUp(failure: RequestFailure): RetryDecision {
  return { kind: 'giveUp', error: errorOf(failure) };
}

function errorOf(failure: RequestFailure): UpstreamError {
  switch (failure.kind) {
    case 'timeout':
      return new UpstreamError('unreachable', 'the upstream node does not answer in time');
    case 'lost':
      return new UpstreamError('unreachable', `the upstream node cannot be reached: ${failure.reason}`);
    case 'limited':
      return new UpstreamError('unreachable', `the upstream node limits requests: ${failure.rpc.message}`, failure.rpc);
    case 'status': {
      const kind = isPassing(failure) ? 'unreachable' : 'refused';
      return new UpstreamError(kind, `the upstream node answers HTTP status ${failure.status}`);
    }
  }
}
