// Fields of an account's entry: its address, its current values as the running message sees them, and the base values
// from which the message started.

/** Epoch for which FLAGS to INCARNATION are valid, u32. */
export const EPOCH: usize = 24;
/** Flags of what the message did with the account (below), u32. */
export const FLAGS: usize = 28;
/** Balance in wei, a word. */
export const BALANCE: usize = 32;
/** Keccak-256 of its code, 32 bytes in order. */
export const CODE_HASH: usize = 64;
/** Nonce, u64. */
export const NONCE: usize = 96;
/** Entry of its code, u32; valid while CODE_GENERATION is current. */
export const CODE: usize = 104;
/** Generation of codes to which CODE belongs, u32; 0 if it was never looked up. */
export const CODE_GENERATION: usize = 108;
/** Number of the account's storage, u32: 0 is the host's, any other one was empty at first. */
export const INCARNATION: usize = 112;
/** EXISTS to NON_EVM_WARM, u32, as returned by the host. */
export const BASE_FLAGS: usize = 116;
/** Job that has set the base to a value of its own, u32; 0 if the base is the state's. */
export const JOB: usize = 120;
/** INCARNATION at the message's start, u32. */
export const BASE_INCARNATION: usize = 124;
/** BALANCE at the message's start. */
export const BASE_BALANCE: usize = 128;
/** CODE_HASH at the message's start. */
export const BASE_CODE_HASH: usize = 160;
/** NONCE at the message's start. */
export const BASE_NONCE: usize = 192;

// ---- flags; slots have WARM, DIRTY, REACHED and NAMED, too ----
/** Already accessed (EIP-2929). */
export const WARM: u32 = 1;
/** Listed as changed; stays set when a frame is reverted. */
export const DIRTY: u32 = 2;
/** Created by this message (EIP-6780). */
export const CREATED: u32 = 4;
/** To be deleted at the end (SELFDESTRUCT). */
export const DESTROYED: u32 = 8;
/** Existed empty and was touched: to be deleted at the end (EIP-161). */
export const TOUCHED: u32 = 16;
/** Accessed by an instruction, for read sets; stays set when a frame is reverted. */
export const REACHED: u32 = 32;
/** Read in another way so that a block access list contains it (EIP-7928); stays set when a frame is reverted. */
export const ACCESSED: u32 = 64;
/** Accessed by a paid instruction other than calls, creations and SELFDESTRUCT; stays when a frame is reverted. */
export const NAMED: u32 = 128;
/** All flags that stay set when a frame is reverted. */
export const FLAGS_KEPT_ON_REVERT: u32 = DIRTY | REACHED | ACCESSED | NAMED;

// ---- base flags, returned by the host ----
/** The account exists, even if it is empty. */
export const EXISTS: u32 = 1;
/** The value is only valid in this job: it overrides the state's. */
export const VALID_IN_JOB_ONLY: u32 = 2;
/** EIP-7610: it has storage, but neither nonce nor code. */
export const HAS_STORAGE_ALONE: u32 = 4;
/** Its code is non-EVM code, whatever the bytes are. */
export const NON_EVM: u32 = 8;
/** Its code is non-EVM code if it is the single byte 0xef. */
export const NON_EVM_TOKEN: u32 = 16;
/** It is warm from the start, like a precompile. */
export const NON_EVM_WARM: u32 = 32;
