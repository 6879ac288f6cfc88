// Fields of a storage slot's entry and of a transient one's. Runs on publisher and estimators.

/** Entry of its account, u32. The key, a word, lies before it. */
export const SLOT_ACCOUNT: usize = 32;
/** Number of the account's storage that it is of, u32. */
export const SLOT_INCARNATION: usize = 36;
/** Epoch that flags and value are of, u32. */
export const SLOT_EPOCH: usize = 40;
/** WARM, DIRTY and REACHED of account-fields.ts, u32. */
export const SLOT_FLAGS: usize = 44;
/** Job whose own value the base is, u32; 0 for the state's. */
export const SLOT_JOB: usize = 48;
/** Value that the running message sees, a word. */
export const SLOT_VALUE: usize = 64;
/** Value when the message began, a word: EIP-2200 calls it original. */
export const SLOT_BASE: usize = 96;

/** Entry of its account, u32. The key, a word, lies before it. */
export const TRANSIENT_ACCOUNT: usize = 32;
/** Its word (EIP-1153). */
export const TRANSIENT_VALUE: usize = 64;
