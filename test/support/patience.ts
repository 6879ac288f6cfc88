// Generous time limits for events that a test waits for. They decide no result: the event comes long before, even on a
// machine that is many times as busy. They only end and name a test whose event never comes.
import { setTimeout as sleep } from 'node:timers/promises';

/** The time limit of every wait. */
export const PATIENCE_MS = 240_000;

/** Execution timeout of jobs whose time is not under test: longer than any test file may run. */
export const UNLIMITED_MS = 24 * 3_600_000;

/**
 * Delay between two polls: the first one, and the longest. A poll often queries a running program and takes CPU time of
 * both.
 */
const POLL_MS = { first: 2, max: 25 };
/** The delay grows to this share of the time waited so far. */
const POLL_SHARE = 1 / 20;

/** Polls `poll` until it returns something other than undefined; fails, naming `what`, if that never happens. */
export async function eventually<T>(
  poll: () => T | undefined | Promise<T | undefined>,
  what: string | (() => string) = 'what is waited for',
): Promise<T> {
  const startMs = performance.now();
  for (;;) {
    const found = await poll();
    if (found !== undefined) return found;
    const waitedMs = performance.now() - startMs;
    if (waitedMs > PATIENCE_MS) throw new Error(`never: ${typeof what === 'string' ? what : what()}`);
    await sleep(Math.min(POLL_MS.max, POLL_MS.first + waitedMs * POLL_SHARE));
  }
}

/** Polls until `isDone` returns true. */
export async function until(isDone: () => boolean | Promise<boolean>, what?: string | (() => string)): Promise<void> {
  await eventually(async () => ((await isDone()) ? true : undefined), what);
}
