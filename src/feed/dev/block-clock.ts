// The wall clock's time at moments of the monotonic clock: blocks are made by the one and bear the time of the other.
import type { Clock } from '../../lib/clock.js';

/** A wall clock that is this far from where it was expected has been set; what is less is its drift. */
const CLOCK_SET_MS = 500;

/** Remembers how far the two clocks are apart. */
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
 * Offset of the wall clock to the monotonic clock: as before, until the wall clock has been set. A difference measured
 * anew for each block would let timestamps leave their grid now and then, by a millisecond.
 */
function wallOffsetMs(knownMs: number, measuredMs: number): number {
  return Math.abs(measuredMs - knownMs) < CLOCK_SET_MS ? knownMs : measuredMs;
}
