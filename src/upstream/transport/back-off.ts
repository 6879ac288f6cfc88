// Exponential backoff: the pauses between attempts double. They have jitter (a random part), so that many clients do
// not reconnect at the same time. Pure except for the state of a BackOff.

/**
 * Returns a random pause between half and all of the current level. The level starts with `firstMs`, and doubles with
 * each failure up to `mostMs`. `random` is a number from 0 to 1.
 */
export function backoffPauseMs(failures: number, firstMs: number, mostMs: number, random: number): number {
  const level = Math.min(firstMs * 2 ** Math.min(failures, 30), mostMs);
  return level * (0.5 + random / 2);
}

/**
 * Parses a `Retry-After` header (RFC 9110, 10.2.3), which contains a number of seconds or a date. Returns milliseconds;
 * `null` if it contains neither. `nowMs` is the time of the wall clock.
 */
export function parseRetryAfterMs(value: string | null | undefined, nowMs: number): number | null {
  if (value === null || value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

export interface BackOffOptions {
  /** The first pause, before jitter, which shortens each pause by up to a half. */
  readonly retryMsMin: number;
  /** The longest pause, before jitter. Pauses double until they reach it. */
  readonly retryMsMax: number;
}

export class BackOff {
  readonly #options: BackOffOptions;
  readonly #random: () => number;
  /** Number of failures in a row. */
  #failures = 0;

  /** `random` returns a number from 0 to below 1. */
  constructor(options: BackOffOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
  }

  /**
   * Returns the milliseconds to wait now: between half and all of the current pause, which then doubles up to its
   * limit.
   */
  next(): number {
    const { retryMsMin, retryMsMax } = this.#options;
    return backoffPauseMs(this.#failures++, retryMsMin, retryMsMax, this.#random());
  }

  /**
   * Makes the next pause as long as possible. Called if the server has throttled us by close code 1013, or by status
   * 429 without a `Retry-After` header.
   */
  slow(): void {
    this.#failures = Infinity;
  }

  /** Starts again with the first pause. Called after a connection that has lasted long enough. */
  reset(): void {
    this.#failures = 0;
  }
}
