// Exponential backoff: pauses between attempts that double, with jitter, so that many clients do not come back at once.
// Pure except for the state of a BackOff.

/** Half to all of `firstMs`, doubled for every earlier failure (`failures` from 0) up to `mostMs`. `random`: 0 to 1. */
export function pauseMs(failures: number, firstMs: number, mostMs: number, random: number): number {
  const level = Math.min(firstMs * 2 ** Math.min(failures, 30), mostMs);
  return level * (0.5 + random / 2);
}

/**
 * `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as milliseconds from `nowMs`, the wall clock; `null` if it is
 * neither.
 */
export function retryAfterMs(value: string | null | undefined, nowMs: number): number | null {
  if (value === null || value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** Bounds of a pause, in milliseconds. */
export interface BackOffOptions {
  /** The first pause, of which at least half is waited. */
  readonly retryMsMin: number;
  /** Doubled up to this. */
  readonly retryMsMax: number;
}

/** Doubles the pause with every failure. */
export class BackOff {
  readonly #options: BackOffOptions;
  readonly #random: () => number;
  /** Consecutive failures. */
  #failures = 0;

  /** `random`: from 0 to below 1. */
  constructor(options: BackOffOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
  }

  /** Milliseconds: half to all of the current pause, which doubles up to its limit. */
  next(): number {
    const { retryMsMin, retryMsMax } = this.#options;
    return pauseMs(this.#failures++, retryMsMin, retryMsMax, this.#random());
  }

  /** The server has throttled us (close code 1013, 429 without a time): the next pause is the longest. */
  slow(): void {
    this.#failures = Infinity;
  }

  /** Resets after a connection that stayed up long enough. */
  reset(): void {
    this.#failures = 0;
  }
}
