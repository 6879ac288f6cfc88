// Fields of an account's entry: its address, what the running message sees, and the base that it began with.
// Runs on publisher and estimators.

export const EPOCH: usize = 24;
export const FLAGS: usize = 28;
export const BALANCE: usize = 32;
export const CODE_HASH: usize = 64;
export const NONCE: usize = 96;
/** Its code, once looked for, and the generation of codes that it is of. */
export const CODE: usize = 104;
export const CODE_GENERATION: usize = 108;
/** Which storage is the account's: 0 what the host knows, any other one that began empty. */
export const INCARNATION: usize = 112;
export const BASE_FLAGS: usize = 116;
/** The job whose own value the base is, 0 for one that lasts. */
export const JOB: usize = 120;
export const BASE_INCARNATION: usize = 124;
export const BASE_BALANCE: usize = 128;
export const BASE_CODE_HASH: usize = 160;
export const BASE_NONCE: usize = 192;

// ---- flags; of slots too: WARM and DIRTY ----
export const WARM: u32 = 1;
export const DIRTY: u32 = 2;
export const CREATED: u32 = 4;
export const DESTROYED: u32 = 8;
/** An empty account that was there, and was touched (EIP-161). */
export const TOUCHED: u32 = 16;

// ---- base flags, which the host answers ----
export const EXISTS: u32 = 1;
export const OF_JOB: u32 = 2;
/** EIP-7610: storage, but neither nonce nor code. */
export const STORED: u32 = 4;
