// Error that ends an execution whose time is over.

/**
 * Thrown where a transaction or a system call of a block is broken off at the deadline. What it has done so far is left
 * in the state, for the caller to undo.
 */
export class DeadlineError extends Error {}
