// The error that ends an execution at its deadline.

/** A deadline interrupts a transaction or system call. What it has done stays, and the caller must revert it. */
export class DeadlineError extends Error {}
