// Time as a part that can be replaced: tests run on a clock of their own. Runs on every thread.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves at `timeMs`, at once when that has passed, or as soon as `signal` is aborted. Never rejects. */
  sleepUntil(timeMs: number, signal: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleepUntil: (timeMs, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(0, timeMs - Date.now()));
      signal.addEventListener('abort', wake);
    }),
};
