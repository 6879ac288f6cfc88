// Fields of a storage slot's entry and of a transient one's. Runs on publisher and estimators.

/** Key at 0, then whose it is. */
export const SLOT_ACCOUNT: usize = 32;
export const SLOT_INCARNATION: usize = 36;
export const SLOT_EPOCH: usize = 40;
export const SLOT_FLAGS: usize = 44;
export const SLOT_JOB: usize = 48;
export const SLOT_VALUE: usize = 64;
/** The value when the message began: what SSTORE calls original. */
export const SLOT_BASE: usize = 96;

export const TRANSIENT_ACCOUNT: usize = 32;
export const TRANSIENT_VALUE: usize = 64;
