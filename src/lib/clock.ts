// Clocks, as a dependency that tests can replace. Durations are measured on the monotonic clock, which nobody can set;
// the wall clock is used only for dates.
import { hrtime } from 'node:process';

/** Clocks and a sleep function. Outside of tests this is `systemClock`. */
export interface Clock {
  /** Returns whole milliseconds on the monotonic clock: see `monotonicMs`. */
  now(): number;
  /** Returns whole milliseconds since 1970, on a clock that may be set at any time. */
  wall(): number;
  /**
   * Sleeps. Resolves when `now()` has reached `timeMs`, never earlier, or as soon as `signal` is aborted. Never
   * rejects.
   */
  sleepUntil(timeMs: number, signal: AbortSignal): Promise<void>;
}

/**
 * Returns whole milliseconds since an arbitrary moment that is the same for all threads. (`performance.now()` counts
 * from the start of each thread.) Setting the wall clock does not affect it. A call takes about 35 ns.
 */
export function monotonicMs(): number {
  return Math.floor(preciseMonotonicMs());
}

/**
 * Returns milliseconds on the clock of `monotonicMs` including fractions, for durations of microseconds. A call takes
 * about 40 ns.
 */
export function preciseMonotonicMs(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

export const systemClock: Clock = {
  now: monotonicMs,
  wall: () => Date.now(),
  async sleepUntil(timeMs, signal) {
    // A timer may fire a millisecond early.
    await abortableSleep(timeMs - monotonicMs(), signal);
    if (monotonicMs() < timeMs && !signal.aborted) await systemClock.sleepUntil(timeMs, signal);
  },
};

/** Resolves after `ms`, or as soon as `signal` is aborted. Never rejects. */
export function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.max(0, ms));
    signal.addEventListener('abort', wake);
  });
}
