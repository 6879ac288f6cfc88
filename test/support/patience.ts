// Generous time limits for events that a test waits for. No result is decided by them: the event comes long before,
// even on a machine many times as busy. They only end and name a test whose event never comes.
import { setTimeout as sleep } from 'node:timers/promises';

/** The one limit of every wait. */
export const PATIENCE_MS = 240_000;

/** Execution time of jobs whose time is not what is tested: longer than any test file may run. */
export const UNLIMITED_MS = 24 * 3_600_000;

/**
 * From one look to the next: at first, and at most. A look often asks a running program, which takes both their time.
 */
const LOOK_MS = { first: 2, max: 25 };
/** Grows by this share of the time waited so far. */
const LOOK_SHARE = 1 / 20;

/** Waits until `look` answers something that is not undefined; fails, naming `what`, when that never happens. */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string | (() => string) = 'what is waited for',
): Promise<T> {
  const startMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const waitedMs = performance.now() - startMs;
    if (waitedMs > PATIENCE_MS) throw new Error(`never: ${typeof what === 'string' ? what : what()}`);
    await sleep(Math.min(LOOK_MS.max, LOOK_MS.first + waitedMs * LOOK_SHARE));
  }
}

/** Waits until `isDone`. */
export async function until(isDone: () => boolean | Promise<boolean>, what?: string | (() => string)): Promise<void> {
  await eventually(async () => ((await isDone()) ? true : undefined), what);
}
