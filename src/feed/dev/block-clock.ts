// Converts the monotonic clock, which schedules blocks, to the wall clock, which stamps them.
import type { Clock } from '../../lib/clock.js';

/** A wall clock that differs by more than this was set by somebody; anything less is drift. */
const CLOCK_SET_MS = 500;

/** Remembers the offset between the two clocks. */
export class BlockClock {
  readonly #clock: Pick<Clock, 'now' | 'wall'>;
  #offsetMs = 0;

  constructor(clock: Pick<Clock, 'now' | 'wall'>) {
    this.#clock = clock;
  }

  /** Seconds since 1970 at `timeMs` of the monotonic clock. */
  secondsAt(timeMs: number): number {
    this.#offsetMs = wallOffsetMs(this.#offsetMs, this.#clock.wall() - this.#clock.now());
    return Math.floor((timeMs + this.#offsetMs) / 1000);
  }
}

/**
 * Offset of the wall clock to the monotonic clock: kept until the wall clock is set. Measuring it for each block would
 * now and then move a timestamp by a millisecond, off its grid.
 */
function wallOffsetMs(knownMs: number, measuredMs: number): number {
  return Math.abs(measuredMs - knownMs) < CLOCK_SET_MS ? knownMs : measuredMs;
}
