// How long to wait before the next connection to a feed. Pure but for what it remembers. Runs on the publisher.
import { pauseMs } from '../../upstream/transport/back-off.js';

/** Bounds of the wait, in milliseconds. */
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
  /** In a row. */
  #failures = 0;

  /** `random`: from 0 to below 1. */
  constructor(options: RetryOptions, random: () => number) {
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
