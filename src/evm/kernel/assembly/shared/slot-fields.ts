// Fields of the table entries of storage slots and of transient slots. An entry starts with the key, a word.

/** Table entry of the account that the slot belongs to, u32. */
export const SLOT_ACCOUNT: usize = 32;
/** Number of the account's storage that the slot belongs to (INCARNATION of account-fields.ts), u32. */
export const SLOT_INCARNATION: usize = 36;
/**
 * Number of the message for which SLOT_FLAGS and SLOT_VALUE are valid, u32. For any other message, the slot's value is
 * SLOT_BASE and no flag is set.
 */
export const SLOT_EPOCH: usize = 40;
/** Flags WARM, DIRTY, REACHED and NAMED of account-fields.ts, u32. */
export const SLOT_FLAGS: usize = 44;
/**
 * Number of the job that has replaced this slot's base value (e.g. by a state override), u32; 0 if it is that of the
 * state.
 */
export const SLOT_OVERRIDDEN_BY_JOB: usize = 48;
/** Value of the slot as the running message sees it, a word. */
export const SLOT_VALUE: usize = 64;
/** Base value: the slot's value when the message started, a word. EIP-2200 calls it original. */
export const SLOT_BASE: usize = 96;

/** Transient slot: table entry of its account, u32. */
export const TRANSIENT_ACCOUNT: usize = 32;
/** Transient slot: its value (EIP-1153), a word. */
export const TRANSIENT_VALUE: usize = 64;
