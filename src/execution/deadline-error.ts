// Error that ends an execution at its deadline.

/**
 * Thrown if a transaction or a system call of a block is interrupted at the deadline. What it has done so far is left
 * in the state, for the caller to revert.
 */
export class DeadlineError extends Error {}
