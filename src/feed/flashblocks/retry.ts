// How long to wait before the next connection to a feed. Pure but for what it remembers. Runs on the publisher.
import { LIMITS } from '../../limits.js';

export interface RetryOptions {
  /** The first wait, of which at least half is waited. */
  readonly retryMsMin: number;
  /** What it is doubled up to. */
  readonly retryMsMax: number;
}

/** Doubles from try to try, with jitter so that a server that comes back is not met by all its followers at once. */
export class Retry {
  readonly #options: RetryOptions;
  readonly #random: () => number;
  #nextMs: number;

  /** `random`: from 0 to below 1. */
  constructor(options: RetryOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
    this.#nextMs = options.retryMsMin;
  }

  /** Half to all of the wait at hand, which doubles up to its limit. */
  next(): number {
    const waitMs = this.#nextMs * (0.5 + this.#random() / 2);
    this.#nextMs = Math.min(this.#nextMs * 2, this.#options.retryMsMax);
    return waitMs;
  }

  /** The server asked to be left alone (close code 1013, 429 without a time): the longest wait comes next. */
  slow(): void {
    this.#nextMs = this.#options.retryMsMax;
  }

  /** A connection has lived. */
  reset(): void {
    this.#nextMs = this.#options.retryMsMin;
  }
}

/**
 * Milliseconds that a `Retry-After` header asks for (RFC 9110, 10.2.3: seconds or a date), bounded; `null`: none, or not
 * to be understood. `nowMs`: the wall clock, for dates.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), LIMITS.feedRetryAfterMsMax);
}
