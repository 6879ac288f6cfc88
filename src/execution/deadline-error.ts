// The error that ends an execution at its deadline.

/**
 * Thrown if a transaction or a system call of a block is interrupted at the deadline. What it has done so far stays in
 * the state, and the caller must revert it.
 */
export class DeadlineError extends Error {}
