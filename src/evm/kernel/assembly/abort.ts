// Records why the current execution is aborted, if it is. This is checked where frames start and end, and wherever a
// look-up returns 0. Until then execution continues without harm, and its result is discarded.

/** The reason: STATE_MISS, TABLE_FULL or NON_EVM_ACCOUNT of status.ts; 0 while the execution is not aborted. */
export let aborted: u32 = 0;

/** Aborts the execution for `reason`, which is STATE_MISS, TABLE_FULL or NON_EVM_ACCOUNT. The first reason is kept. */
export function abortWith(reason: u32): void {
  if (aborted == 0) aborted = reason;
}

/** Clears the reason, before another execution. */
export function clearAbort(): void {
  aborted = 0;
}
