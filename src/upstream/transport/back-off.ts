// Pauses between attempts that double, with jitter, so that many clients do not come back at once. Pure but for what a BackOff
// remembers. Runs on the publisher.

/** Half to all of `firstMs`, doubled with every failure before (`failures` from 0) up to `mostMs`. `random`: 0 to 1. */
export function pauseMs(failures: number, firstMs: number, mostMs: number, random: number): number {
  const level = Math.min(firstMs * 2 ** Math.min(failures, 30), mostMs);
  return level * (0.5 + random / 2);
}

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as milliseconds from `nowMs`, the wall clock; `null` where it is neither. */
export function retryAfterMs(value: string | null | undefined, nowMs: number): number | null {
  if (value === null || value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** Bounds of a wait, in milliseconds. */
export interface BackOffOptions {
  /** The first wait, of which at least half is waited. */
  readonly retryMsMin: number;
  /** Doubled up to this. */
  readonly retryMsMax: number;
}

/** Doubles from try to try. */
export class BackOff {
  readonly #options: BackOffOptions;
  readonly #random: () => number;
  /** In a row. */
  #failures = 0;

  /** `random`: from 0 to below 1. */
  constructor(options: BackOffOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
  }

  /** Milliseconds: half to all of the wait at hand, which doubles up to its limit. */
  next(): number {
    const { retryMsMin, retryMsMax } = this.#options;
    return pauseMs(this.#failures++, retryMsMin, retryMsMax, this.#random());
  }

  /** The server asked to be left alone (close code 1013, 429 without a time): the longest wait comes next. */
  slow(): void {
    this.#failures = Infinity;
  }

  /** A connection has lived. */
  reset(): void {
    this.#failures = 0;
  }
}
