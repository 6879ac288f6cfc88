// Why the execution in progress cannot be finished here, once it is so. Looked at where frames begin and end and wherever a
// look-up answers nothing; until then, what runs on runs in vain but in bounds.

/** 0, or MISS or FULL of status.ts. */
export let problem: u32 = 0;

export function giveUp(reason: u32): void {
  if (problem == 0) problem = reason;
}

export function noProblem(): void {
  problem = 0;
}
