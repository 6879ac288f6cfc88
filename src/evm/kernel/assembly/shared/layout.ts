// The layout of the kernel's memory. Regions are only address space, because the system allocates pages when they are
// written. The host reads the values from the kernel's exports, because kernels in tests have smaller bounds.

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

// ---- what the host writes and reads (from 1 MiB on; the compiler's constants are below) ----

/** One message; the host writes it before `runMessage`. Offsets from here: */
export const MESSAGE: usize = MIB;
/** Sender, an address. */
export const MESSAGE_CALLER: usize = 0;
/** Callee, an address; unused with FLAG_CREATE. */
export const MESSAGE_TO: usize = 32;
/** Value in wei, a word. */
export const MESSAGE_VALUE: usize = 64;
/** Effective gas price in wei per gas, a word. */
export const MESSAGE_GAS_PRICE: usize = 96;
/** Gas of the message, i64. */
export const MESSAGE_GAS: usize = 128;
/** FLAG_CREATE to FLAG_WARM_COINBASE, u32. */
export const MESSAGE_FLAGS: usize = 136;
/** Bytes of data at INPUT, u32. */
export const MESSAGE_DATA_LENGTH: usize = 140;
/** Number of blob hashes at BLOBS, u32. */
export const MESSAGE_BLOBS: usize = 144;
/** Time of `performance.now()`, ms, at which the execution is aborted; f64. */
export const MESSAGE_DEADLINE: usize = 152;
/** With FLAG_PAYS: wei that the sender pays before the first instruction, a word. */
export const MESSAGE_UPFRONT: usize = 160;
/** Gas that can pay only for state (EIP-8037), i64. */
export const MESSAGE_RESERVOIR: usize = 192;
/** The data is init code and creates a contract. */
export const FLAG_CREATE: u32 = 1;
/** Logs are collected. */
export const FLAG_LOGS: u32 = 2;
/** Transfers of ether are logged too. */
export const FLAG_TRANSFERS: u32 = 4;
/** The lists of what was reached and logged are exact, even if a frame fails in the middle of a block. */
export const FLAG_TRACED: u32 = 8;
/** The sender pays upfront, and its nonce is raised. */
export const FLAG_PAYS: u32 = 16;
/** The fee recipient is warm from the start (EIP-3651). */
export const FLAG_WARM_COINBASE: u32 = 32;
/** The lists of what was reached are exact as well, without what could not be paid for (EIP-7928). */
export const FLAG_LISTED: u32 = 64;
/** The host is called when frames start and end and when logs are made. */
export const FLAG_HOOKED: u32 = 128;

/** Environment of the block; the host writes it before `runMessage`. Offsets from here: */
export const ENV: usize = MIB + 512;
/** Fee recipient, an address. */
export const ENV_COINBASE: usize = 0;
/** Number, u64. */
export const ENV_NUMBER: usize = 32;
/** Seconds since 1970, u64. */
export const ENV_TIMESTAMP: usize = 40;
/** Gas limit, u64. */
export const ENV_GAS_LIMIT: usize = 48;
/** Number of its slot (EIP-7843), u64. */
export const ENV_SLOT_NUMBER: usize = 56;
/** Beacon chain's randomness, a word. */
export const ENV_RANDAO: usize = 64;
/** Base fee in wei per gas, a word. */
export const ENV_BASE_FEE: usize = 96;
/** Blob base fee in wei per gas, a word. */
export const ENV_BLOB_BASE_FEE: usize = 128;
/** The chain's id, a word. */
export const ENV_CHAIN_ID: usize = 160;

/** Result of an execution; the host reads it after `runMessage` and `resumeAfterPrecompile`. Offsets from here: */
export const RESULT: usize = MIB + 1024;
/** Gas left, i64. */
export const RESULT_GAS_LEFT: usize = 0;
/** Refund counter, gas, i64; the host caps it (EIP-3529). */
export const RESULT_REFUND: usize = 8;
/** Minimum gas with which the message ends the same way, i64. */
export const RESULT_MINIMUM_GAS: usize = 16;
/** Hash of the call tree (`PayloadProgress.tree`), f64. */
export const RESULT_CALL_TREE: usize = 104;
/** 1 if RESULT_MINIMUM_GAS must be confirmed by a run, u32. */
export const RESULT_GAS_SENSITIVE: usize = 24;
/** Why the last frame halted (status.ts), u32. */
export const RESULT_ERROR: usize = 28;
/** Address of the output, u32. */
export const RESULT_DATA: usize = 32;
/** Bytes of output, u32. */
export const RESULT_LENGTH: usize = 36;
/** Opcode at which the outermost frame failed, u32. This and the next three are for error messages. */
export const RESULT_OPCODE: usize = 40;
/** Items on the stack there, u32. */
export const RESULT_STACK: usize = 44;
/** Address of the stack's top item there, u32. */
export const RESULT_TOP: usize = 48;
/** Bytes of return data there, u32. */
export const RESULT_RETURN_DATA: usize = 52;
/** Number of logs at LOGS, u32. */
export const RESULT_LOGS: usize = 56;
/** Number of accounts at DIRTY_ACCOUNTS, u32. */
export const RESULT_ACCOUNTS: usize = 60;
/** Number of slots at DIRTY_SLOTS, u32. */
export const RESULT_SLOTS: usize = 64;
/** Entry of the account that an outermost creation created, u32; else 0. */
export const RESULT_CREATED: usize = 68;
/** After PRECOMPILE: the last four bytes of the precompile's address, u32. */
export const RESULT_PRECOMPILE: usize = 72;
/** After PRECOMPILE: address of its input, u32. */
export const RESULT_INPUT: usize = 76;
/** After PRECOMPILE: bytes of its input, u32. */
export const RESULT_INPUT_LENGTH: usize = 80;
/** 1 if the code has read its block environment, u32. */
export const RESULT_READS_BLOCK_ENV: usize = 84;
/** After PRECOMPILE: the gas of its call, i64. */
export const RESULT_PRECOMPILE_GAS: usize = 88;

/** Number of logs made, those of failed frames included, u32. */
export const RESULT_LOGS_MADE: usize = 96;
/** After NON_EVM_ACCOUNT: entry of the account, u32. */
export const RESULT_NON_EVM_ACCOUNT: usize = 124;
/** Gas left in the reservoir (EIP-8037), i64. */
export const RESULT_RESERVOIR: usize = 128;
/** State gas used (EIP-8037), i64. */
export const RESULT_STATE_GAS: usize = 136;
/** 1 when a frame that code has called has halted, u32. */
export const RESULT_HALTS: usize = 144;
/** 1 if the gas was not enough for what a message pays before its outermost frame (EIP-2780), u32. */
export const RESULT_ENTRY_UNPAID: usize = 152;

/** Arguments of `putAccount`, `putSlot`, `warmAccount` and `warmStorage`. Offsets from here: */
export const STAGE: usize = MIB + 1536;
/** The account's address. */
export const STAGE_ADDRESS: usize = 0;
/** The slot's key, a word. */
export const STAGE_KEY: usize = 32;
/** The slot's value, a word. */
export const STAGE_WORD: usize = 64;
/** The account's balance in wei, a word. */
export const STAGE_BALANCE: usize = 64;
/** The account's code hash, 32 bytes in order. */
export const STAGE_CODE_HASH: usize = 96;
/** The account's nonce, u64. */
export const STAGE_NONCE: usize = 128;
/** Base flags (account-fields.ts), u32. */
export const STAGE_EXISTS: usize = 136;

/** Flags of the fork's rules (rule-flags.ts), u32. */
export const RULES: usize = MIB + 2048;
/** Prices of the fork (price-fields.ts). */
export const PRICES: usize = MIB + 2112;
/** A row for each of the 256 opcodes (opcode-fields.ts). */
export const OPCODES: usize = MIB + 4096;
/** A byte for each address below PRECOMPILES_MAX: the kind of its precompile (precompile-kinds.ts), 0 for none. */
export const PRECOMPILES: usize = MIB + 8192;
/** Addresses that may be precompiles. */
export const PRECOMPILES_MAX: u32 = 0x200;
/** The transaction's blob hashes, 32 bytes in order each. */
export const BLOBS: usize = MIB + 16 * KIB;
/** Most blob hashes of a transaction. */
export const BLOBS_MAX: u32 = 256;
/** Scratch: an address that is looked up or computed. */
export const SCRATCH_ADDRESS: usize = MIB + 64 * KIB;
/** Scratch: a digest, 32 bytes in order. */
export const SCRATCH_HASH: usize = SCRATCH_ADDRESS + 32;
/** Scratch: a word. */
export const SCRATCH_WORD: usize = SCRATCH_ADDRESS + 64;
/** Scratch: the preimage of a new contract's address, at most 85 bytes. */
export const SCRATCH_PREIMAGE: usize = SCRATCH_ADDRESS + 128;
/** A word that stays zero. */
export const ZERO_WORD_ADDRESS: usize = SCRATCH_ADDRESS + 256;
/** Top of the stack when a compiled block returns, u32. */
export const COMPILED_SP: usize = SCRATCH_ADDRESS + 320;
/** Gas left when a compiled block returns, i64. */
export const COMPILED_GAS: usize = SCRATCH_ADDRESS + 328;
/** Length of the frame's memory when a compiled block returns, u32. */
export const COMPILED_MEMORY_BYTES: usize = SCRATCH_ADDRESS + 340;
/** After HOT_BLOCK_REACHED: address of the block, u32. */
export const HOT_BLOCK: usize = SCRATCH_ADDRESS + 344;
/** After HOT_BLOCK_REACHED: entry of the code that contains the block to compile, u32. */
export const HOT_CODE: usize = SCRATCH_ADDRESS + 336;
/** Bytes of a row: 96 of input, the digest, the length of the input, padding. */
export const KECCAK_ROW_BYTES: usize = 144;
/** 4096 rows. */
export const KECCAK_CACHE_BITS: u32 = 12;
/** Hashes of short inputs (keccak-cache.ts). */
export const KECCAK_CACHE: usize = MIB + 128 * KIB;

// ---- tables ----

/** Bytes of a frame (frame.ts). */
export const FRAME_BYTES: usize = 256;
/** Deepest call (yellow paper, section 8). */
export const DEPTH_MAX: usize = 1024;
/** Frames, the root first. */
export const FRAMES: usize = 2 * MIB;

/** A full stack: 1024 words. */
export const STACK_BYTES: usize = 1024 * 32;
/** Stacks of all frames, stored consecutively. */
export const STACKS: usize = 3 * MIB;
/** Every frame's stack may be full, and the word below the first item must be readable. */
export const STACKS_END: usize = STACKS + (DEPTH_MAX + 2) * STACK_BYTES;

/** Bytes of an account's entry (account-fields.ts). */
export const ACCOUNT_BYTES: usize = 224;
/** Most accounts at a time; at most half of them when a message starts. */
export const ACCOUNTS_MAX: u32 = 1 << 17;
/** Entries of accounts. */
export const ACCOUNTS: usize = 40 * MIB;
/** Index of accounts: cells of generation and entry, u32 each. */
export const ACCOUNT_INDEX: usize = 72 * MIB;
/** Two cells for each account. */
export const ACCOUNT_INDEX_BITS: u32 = 18;

/** Bytes of a slot's entry (slot-fields.ts). */
export const SLOT_BYTES: usize = 128;
/** Most slots at a time; at most half of them when a message starts. */
export const SLOTS_MAX: u32 = 1 << 18;
/** Entries of slots. */
export const SLOTS: usize = 80 * MIB;
/** Index of slots: cells of generation and entry, u32 each. */
export const SLOT_INDEX: usize = 112 * MIB;
/** Two cells for each slot. */
export const SLOT_INDEX_BITS: u32 = 19;

/** Bytes of a transient slot's entry (slot-fields.ts). */
export const TRANSIENT_BYTES: usize = 96;
/** Most transient slots of a message. */
export const TRANSIENT_MAX: u32 = 1 << 18;
/** Entries of transient slots. */
export const TRANSIENT: usize = 120 * MIB;
/** Index of transient slots: cells of epoch and entry, u32 each. */
export const TRANSIENT_INDEX: usize = 148 * MIB;
/** Two cells for each transient slot. */
export const TRANSIENT_INDEX_BITS: u32 = 19;

/** Bytes of a journal entry (journal.ts). */
export const JOURNAL_BYTES: usize = 48;
/** Most journal entries of a message. */
export const JOURNAL_MAX: u32 = 1 << 20;
/** The journal. */
export const JOURNAL: usize = 156 * MIB;

/** Entries of the accounts that a message has changed, u32 each. */
export const DIRTY_ACCOUNTS: usize = 208 * MIB;
/** Entries of the accounts that a message has read, u32 each. */
export const READ_ACCOUNTS: usize = 209 * MIB;
/** Entries of the slots that a message has changed, u32 each. */
export const DIRTY_SLOTS: usize = 210 * MIB;
/** Entries of the slots that a message has read, u32 each. */
export const READ_SLOTS: usize = 213 * MIB;

/** Logs, stored consecutively (log-fields.ts). */
export const LOGS: usize = 216 * MIB;
/** End of the logs' 32 MiB. */
export const LOGS_END: usize = 248 * MIB;

/** Data of the outermost message. */
export const INPUT: usize = 248 * MIB;
/** Most bytes of data. */
export const INPUT_MAX: u32 = 8 << 20;

/** Output of the last frame that ended. */
export const RETURN_DATA: usize = 256 * MIB;
/** Most bytes of output. */
export const RETURN_DATA_MAX: u32 = 32 << 20;

/** Index of codes: cells of generation and entry, u32 each. */
export const CODE_INDEX: usize = 288 * MIB;
/** Two cells for each code. */
export const CODE_INDEX_BITS: u32 = 16;
/** Codes, each with its entry (code-fields.ts), bytes and decoded forms. */
export const CODES: usize = 290 * MIB;
/** End of the codes' 192 MiB. */
export const CODES_END: usize = 482 * MIB;

/** Memories of all frames, stored consecutively. */
export const MEMORY: usize = 482 * MIB;
/** End of the memories' 256 MiB. */
export const MEMORY_END: usize = 738 * MIB;
