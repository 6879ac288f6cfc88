// The error with which an execution ends at its deadline.

/**
 * Thrown when a transaction or system call is interrupted at its deadline. Its changes stay in the state; the caller
 * must revert them.
 */
export class DeadlineError extends Error {}
