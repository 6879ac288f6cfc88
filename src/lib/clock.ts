// Time as a part that can be replaced: tests run on a clock of their own. Runs on every thread.

export interface Clock {
  /** Whole milliseconds since 1970. */
  now(): number;
  /** Resolves at `timeMs`, never before it, or as soon as `signal` is aborted. Never rejects. */
  sleepUntil(timeMs: number, signal: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleepUntil(timeMs, signal) {
    // A timer may fire a millisecond early.
    await sleep(timeMs - Date.now(), signal);
    if (Date.now() < timeMs && !signal.aborted) await systemClock.sleepUntil(timeMs, signal);
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
