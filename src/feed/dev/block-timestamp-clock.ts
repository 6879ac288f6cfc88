// Converts monotonic times, by which the dev chain schedules blocks, to wall-clock times for block timestamps.
import type { Clock } from '../../lib/clock.js';

/** If the wall clock has moved by more than this against the monotonic clock, somebody has set it. Less is drift. */
const CLOCK_SET_MS = 500;

/** Remembers the offset between the monotonic clock and the wall clock. */
export class BlockTimestampClock {
  readonly #clock: Pick<Clock, 'now' | 'wall'>;
  #offsetMs = 0;

  constructor(clock: Pick<Clock, 'now' | 'wall'>) {
    this.#clock = clock;
  }

  /** Returns the wall-clock time, in seconds since 1970, at time `timeMs` of the monotonic clock. */
  secondsAt(timeMs: number): number {
    this.#offsetMs = wallOffsetMs(this.#offsetMs, this.#clock.wall() - this.#clock.now());
    return Math.floor((timeMs + this.#offsetMs) / 1000);
  }
}

/**
 * Returns the offset between the clocks: the known one as long as only drift was measured, the measured one if the wall
 * clock was set. If it were measured each time, it would vary by a millisecond.
 */
function wallOffsetMs(knownMs: number, measuredMs: number): number {
  return Math.abs(measuredMs - knownMs) < CLOCK_SET_MS ? knownMs : measuredMs;
}
