// Fields of an account's table entry: its address, its current values as the running message sees them, and its base
// values, which it had when the message started.

/**
 * Number of the message for which the fields FLAGS to INCARNATION are valid, u32. In any other message, the account has
 * its base values.
 */
export const EPOCH: usize = 24;
/** Flags for what the running message did with the account (see below), u32. */
export const FLAGS: usize = 28;
/** Balance in wei, a word. */
export const BALANCE: usize = 32;
/** Keccak-256 of the account's code: 32 bytes in the order of the hash, not reversed as words are. */
export const CODE_HASH: usize = 64;
/** Nonce, u64. */
export const NONCE: usize = 96;
/** Table entry of the account's code, u32; valid if CODE_GENERATION is current. */
export const CODE: usize = 104;
/** Generation of the code table to which CODE belongs, u32; 0 if the code was never looked up. */
export const CODE_GENERATION: usize = 108;
/**
 * Identifies the account's current storage, u32: 0 is the storage in the host's state; any other number stands for a
 * storage that started empty.
 */
export const INCARNATION: usize = 112;
/** Flags that the host has returned (EXISTS to NON_EVM_WARM below), u32. */
export const BASE_FLAGS: usize = 116;
/**
 * Number of the job that has replaced this account's base values (e.g. by a state override), u32; 0 if they are those
 * of the state.
 */
export const OVERRIDDEN_BY_JOB: usize = 120;
/** INCARNATION when the message started, u32. */
export const BASE_INCARNATION: usize = 124;
/** BALANCE when the message started. */
export const BASE_BALANCE: usize = 128;
/** CODE_HASH when the message started. */
export const BASE_CODE_HASH: usize = 160;
/** NONCE when the message started. */
export const BASE_NONCE: usize = 192;

// ---- values of FLAGS; slots also use WARM, DIRTY, REACHED and NAMED ----
/** The message has already accessed the account (EIP-2929). */
export const WARM: u32 = 1;
/** The account is listed at DIRTY_ACCOUNTS. The flag stays set when a frame is reverted. */
export const DIRTY: u32 = 2;
/** The running message has created this contract (EIP-6780). */
export const CREATED: u32 = 4;
/** The account is deleted when the transaction ends (SELFDESTRUCT). */
export const DESTROYED: u32 = 8;
/** The account existed, was empty and was touched: it is deleted when the transaction ends (EIP-161). */
export const TOUCHED_EMPTY: u32 = 16;
/** An instruction has accessed the account, so it belongs in read sets. The flag stays set when a frame is reverted. */
export const REACHED: u32 = 32;
/**
 * The account was read as a delegate (EIP-7702) or to create a contract there, so a block access list contains it
 * (EIP-7928). The flag stays set when a frame is reverted.
 */
export const IN_BLOCK_ACCESS_LIST: u32 = 64;
/**
 * An instruction other than a call, a creation or SELFDESTRUCT has accessed the account, and its gas was paid. The flag
 * stays set when a frame is reverted.
 */
export const NAMED: u32 = 128;
/** All flags that stay set when a frame is reverted. */
export const FLAGS_KEPT_ON_REVERT: u32 = DIRTY | REACHED | IN_BLOCK_ACCESS_LIST | NAMED;

// ---- values of BASE_FLAGS, which the host returns ----
/** The account exists, although it may be empty. */
export const EXISTS: u32 = 1;
/** The values are only valid in this job, because they override those of the state. */
export const VALID_IN_JOB_ONLY: u32 = 2;
/** The account has storage, but neither nonce nor code (EIP-7610). */
export const HAS_STORAGE_ALONE: u32 = 4;
/** The account has non-EVM code, whatever its code bytes are. */
export const NON_EVM: u32 = 8;
/** The account has non-EVM code if its code is the single byte 0xef. */
export const NON_EVM_IF_CODE_IS_EF: u32 = 16;
/** The account is warm from the start, like a precompile. */
export const NON_EVM_WARM: u32 = 32;
