// Time as an injectable dependency: tests use a clock of their own. Durations are measured on the monotonic clock,
// which nobody can set; the wall clock is only used for dates.
import { hrtime } from 'node:process';

/** Clocks and sleep; `systemClock` outside of tests. */
export interface Clock {
  /** Whole milliseconds of the monotonic clock: see `monotonicMs`. */
  now(): number;
  /** Whole milliseconds since 1970, by a clock that may be set at any time. */
  wall(): number;
  /** Resolves when `now()` is `timeMs`, never before it, or as soon as `signal` is aborted. Never rejects. */
  sleepUntil(timeMs: number, signal: AbortSignal): Promise<void>;
}

/**
 * Whole milliseconds since an arbitrary moment, the same for all threads: never decreases, whatever happens to the wall
 * clock. (`performance.now()` counts from the start of each thread.) About 35 ns.
 */
export function monotonicMs(): number {
  return Math.floor(preciseMs());
}

/** Milliseconds of the same clock with fractions, for durations of microseconds. About 40 ns. */
export function preciseMs(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The machine's clocks. */
export const systemClock: Clock = {
  now: monotonicMs,
  wall: () => Date.now(),
  async sleepUntil(timeMs, signal) {
    // A timer may fire a millisecond early.
    await sleep(timeMs - monotonicMs(), signal);
    if (monotonicMs() < timeMs && !signal.aborted) await systemClock.sleepUntil(timeMs, signal);
  },
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
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
