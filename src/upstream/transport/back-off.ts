// Exponential backoff: the pauses between attempts double, with jitter, so that many clients do not come back at the
// same time. Pure except for the state of a BackOff.

/** A pause of half to all of `firstMs`, doubled for each failure (from 0) up to `mostMs`; `random`: 0 to 1. */
export function backoffPauseMs(failures: number, firstMs: number, mostMs: number, random: number): number {
  const level = Math.min(firstMs * 2 ** Math.min(failures, 30), mostMs);
  return level * (0.5 + random / 2);
}

/** Milliseconds of a `Retry-After` (RFC 9110, 10.2.3), seconds or a date; `null` if neither. `nowMs`: wall clock. */
export function parseRetryAfterMs(value: string | null | undefined, nowMs: number): number | null {
  if (value === null || value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

export interface BackOffOptions {
  /** The first pause; at least half of it is waited. */
  readonly retryMsMin: number;
  /** The longest pause, up to which it doubles. */
  readonly retryMsMax: number;
}

export class BackOff {
  readonly #options: BackOffOptions;
  readonly #random: () => number;
  /** Consecutive failures. */
  #failures = 0;

  /** `random` returns a number from 0 to below 1. */
  constructor(options: BackOffOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
  }

  /** Milliseconds to wait now: between half and all of the current pause, which then doubles up to its limit. */
  next(): number {
    const { retryMsMin, retryMsMax } = this.#options;
    return backoffPauseMs(this.#failures++, retryMsMin, retryMsMax, this.#random());
  }

  /** The server has throttled us (close code 1013, or status 429 without a time), so the next pause is the longest. */
  slow(): void {
    this.#failures = Infinity;
  }

  /** Starts again with the first pause, after a connection that lasted long enough. */
  reset(): void {
    this.#failures = 0;
  }
}
