// Steps that are mostly done at once and now and then have to wait. Six of them, one inside another, take 0.8 us as async
// functions, and objects for the collector; 0.02 us this way. Price: a step throws or rejects. Runs on publisher and
// estimators.

// Decision (2026-11, two cores): A step that is done at once takes no promise (`src/lib/threads/at-once.ts`). A transaction
// passes six functions that may have to wait for a precompile or the reference, and mostly need not. Price: these
// functions throw or reject, and are written with `after` for `await`.

/** Result of `use` on a value: at once where the value is there. */
export function after<T, U>(value: T | Promise<T>, use: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** A step, or what `handle` makes of its failure, whether it throws or rejects. */
export function attempt<T, U>(
  step: () => T | Promise<T>,
  handle: (error: unknown) => U | Promise<U>,
): T | U | Promise<T | U> {
  try {
    const result = step();
    return result instanceof Promise ? result.catch(handle) : result;
  } catch (error) {
    return handle(error);
  }
}

/** Runs a step, and then `end`, even if the step fails. */
export function ending<T>(step: () => T | Promise<T>, end: () => void): T | Promise<T> {
  let result: T | Promise<T>;
  try {
    result = step();
  } catch (error) {
    end();
    throw error;
  }
  if (result instanceof Promise) return result.finally(end);
  end();
  return result;
}
