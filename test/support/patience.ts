// Generous time limits for events that a test waits for. No result is decided by them: the event comes long before,
// even on a machine many times as busy. They only end and name a test whose event never comes.

/** The one limit of every wait. */
export const PATIENCE_MS = 240_000;

/** Execution time of jobs whose time is not what is tested: longer than any test file may run. */
export const UNLIMITED_MS = 24 * 3_600_000;

const LOOK_MS = 2;

/** Waits until `look` answers something that is not undefined; fails, naming `what`, when that never happens. */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string | (() => string) = 'what is waited for',
): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > endMs) throw new Error(`never: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Waits until `isDone`. */
export async function until(isDone: () => boolean | Promise<boolean>, what?: string | (() => string)): Promise<void> {
  await eventually(async () => ((await isDone()) ? true : undefined), what);
}
