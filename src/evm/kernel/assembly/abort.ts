// Why the execution in progress cannot be finished here, once it is so. Checked where frames begin and end and wherever a
// look-up answers nothing; until then execution continues harmlessly, and its result is discarded.

/** 0, or MISS or FULL of status.ts. */
export let aborted: u32 = 0;

export function abortWith(reason: u32): void {
  if (aborted == 0) aborted = reason;
}

export function clearAbort(): void {
  aborted = 0;
}
