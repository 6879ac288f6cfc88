// Converts monotonic times, by which blocks are scheduled, to the wall clock, for their timestamps.
import type { Clock } from '../../lib/clock.js';

/** If the wall clock differs by more than this, somebody has set it; anything less is drift. */
const CLOCK_SET_MS = 500;

/** Remembers the offset between the two clocks. */
export class BlockClock {
  readonly #clock: Pick<Clock, 'now' | 'wall'>;
  #offsetMs = 0;

  constructor(clock: Pick<Clock, 'now' | 'wall'>) {
    this.#clock = clock;
  }

  /** Seconds since 1970 at the time `timeMs` of the monotonic clock. */
  secondsAt(timeMs: number): number {
    this.#offsetMs = wallOffsetMs(this.#offsetMs, this.#clock.wall() - this.#clock.now());
    return Math.floor((timeMs + this.#offsetMs) / 1000);
  }
}

/** The offset between the clocks, kept until the wall clock is set: measured each time it would vary by a ms. */
function wallOffsetMs(knownMs: number, measuredMs: number): number {
  return Math.abs(measuredMs - knownMs) < CLOCK_SET_MS ? knownMs : measuredMs;
}
