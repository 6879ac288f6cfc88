// Why the running execution is aborted, if it is. Checked where frames start and end and wherever a lookup returns 0;
// until then execution continues harmlessly, and its result is discarded.

/** The reason, MISS, FULL or FOREIGN of status.ts; 0 while the execution is not aborted. */
export let aborted: u32 = 0;

/** Aborts the execution for `reason`, MISS, FULL or FOREIGN. The first reason is kept. */
export function abortWith(reason: u32): void {
  if (aborted == 0) aborted = reason;
}

/** Clears the reason, before another execution. */
export function clearAbort(): void {
  aborted = 0;
}
