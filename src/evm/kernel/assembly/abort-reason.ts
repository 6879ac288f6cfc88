// Records why the running execution is aborted. The reason is checked when call frames start and end, and wherever a
// look-up returns 0. Until then the execution goes on harmlessly, and its result is discarded.

/** Reason of the abort: STATE_MISS, TABLE_FULL or NON_EVM_ACCOUNT (status.ts); 0 if the execution is not aborted. */
export let abortReason: u32 = 0;

/**
 * Aborts the execution with a reason: STATE_MISS, TABLE_FULL or NON_EVM_ACCOUNT. If it is called again, the first
 * reason stays.
 */
export function abortExecution(reason: u32): void {
  if (abortReason == 0) abortReason = reason;
}

/** Clears the reason before the next execution. */
export function clearAbort(): void {
  abortReason = 0;
}
