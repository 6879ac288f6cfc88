// Fields of a storage slot's entry and of a transient one's.

/** Entry of its account, u32. The key, a word, comes before it. */
export const SLOT_ACCOUNT: usize = 32;
/** Number of the account's storage to which it belongs, u32. */
export const SLOT_INCARNATION: usize = 36;
/** Epoch for which flags and value are valid, u32. */
export const SLOT_EPOCH: usize = 40;
/** WARM, DIRTY, REACHED and NAMED of account-fields.ts, u32. */
export const SLOT_FLAGS: usize = 44;
/** Job that has set the base to a value of its own, u32; 0: the base is the state's. */
export const SLOT_JOB: usize = 48;
/** Value that the running message sees, a word. */
export const SLOT_VALUE: usize = 64;
/** Value at the message's start, a word: EIP-2200 calls it original. */
export const SLOT_BASE: usize = 96;

/** Entry of its account, u32. The key, a word, comes before it. */
export const TRANSIENT_ACCOUNT: usize = 32;
/** Its word (EIP-1153). */
export const TRANSIENT_VALUE: usize = 64;
