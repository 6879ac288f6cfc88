// Reason for which the running execution is given up, once it is. Looked at where frames begin and end and wherever a look-up
// answers nothing; until then execution continues harmlessly, and its result is discarded.

/** Reason for which the execution is given up, MISS, FULL or FOREIGN of status.ts; 0 while it is not. */
export let aborted: u32 = 0;

/** Gives up the execution for `reason`, MISS, FULL or FOREIGN. The first reason stands. */
export function abortWith(reason: u32): void {
  if (aborted == 0) aborted = reason;
}

/** Forgets the reason, before another execution. */
export function clearAbort(): void {
  aborted = 0;
}
