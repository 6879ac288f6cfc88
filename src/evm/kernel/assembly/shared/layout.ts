// Where everything lies in the kernel's memory. Regions are address space: the system gives pages when they are written to.
// The host reads the values from the kernel's exports: kernels of tests have smaller bounds. Runs on publisher and estimators.

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

// ---- what the host writes and reads (1 MiB; below it lie the compiler's constants) ----

/** One message. */
export const MESSAGE: usize = MIB;
export const MESSAGE_CALLER: usize = 0;
export const MESSAGE_TO: usize = 32;
export const MESSAGE_VALUE: usize = 64;
export const MESSAGE_GAS_PRICE: usize = 96;
export const MESSAGE_GAS: usize = 128;
export const MESSAGE_FLAGS: usize = 136;
export const MESSAGE_DATA_LENGTH: usize = 140;
export const MESSAGE_BLOBS: usize = 144;
/** `performance.now()` at which execution is broken off, f64. */
export const MESSAGE_DEADLINE: usize = 152;
/** Flags of a message. */
export const FLAG_CREATE: u32 = 1;
export const FLAG_LOGS: u32 = 2;

/** Environment of the block. */
export const ENV: usize = MIB + 512;
export const ENV_COINBASE: usize = 0;
export const ENV_NUMBER: usize = 32;
export const ENV_TIMESTAMP: usize = 40;
export const ENV_GAS_LIMIT: usize = 48;
export const ENV_RANDAO: usize = 64;
export const ENV_BASE_FEE: usize = 96;
export const ENV_BLOB_BASE_FEE: usize = 128;
export const ENV_CHAIN_ID: usize = 160;

/** How an execution went. */
export const RESULT: usize = MIB + 1024;
export const RESULT_GAS_LEFT: usize = 0;
export const RESULT_REFUND: usize = 8;
export const RESULT_NEED: usize = 16;
export const RESULT_SENSITIVE: usize = 24;
export const RESULT_ERROR: usize = 28;
export const RESULT_DATA: usize = 32;
export const RESULT_LENGTH: usize = 36;
/** Of the instruction that failed: opcode, items on the stack, address of the top item, bytes of return data. */
export const RESULT_OPCODE: usize = 40;
export const RESULT_STACK: usize = 44;
export const RESULT_TOP: usize = 48;
export const RESULT_RETURN_DATA: usize = 52;
export const RESULT_LOGS: usize = 56;
export const RESULT_ACCOUNTS: usize = 60;
export const RESULT_SLOTS: usize = 64;
/** Account that a creation has made. */
export const RESULT_CREATED: usize = 68;
/** A precompile that the host has to run: its address's last two bytes, gas, input. */
export const RESULT_PRECOMPILE: usize = 72;
export const RESULT_INPUT: usize = 76;
export const RESULT_INPUT_LENGTH: usize = 80;
export const RESULT_PRECOMPILE_GAS: usize = 88;

/** What is handed over in single calls: an address, a key, a word, account fields. */
export const STAGE: usize = MIB + 1536;
export const STAGE_ADDRESS: usize = 0;
export const STAGE_KEY: usize = 32;
export const STAGE_WORD: usize = 64;
export const STAGE_BALANCE: usize = 64;
export const STAGE_CODE_HASH: usize = 96;
export const STAGE_NONCE: usize = 128;
export const STAGE_EXISTS: usize = 136;

/** Rules of the fork: flags (rule-flags.ts), and a row for each opcode (opcode-fields.ts). */
export const RULES: usize = MIB + 2048;
export const OPCODES: usize = MIB + 4096;
/** A byte for each precompile address below PRECOMPILES_MAX: its kind (precompile-kinds.ts). */
export const PRECOMPILES: usize = MIB + 8192;
export const PRECOMPILES_MAX: u32 = 0x200;
/** Blob hashes, words. */
export const BLOBS: usize = MIB + 16 * KIB;
export const BLOBS_MAX: u32 = 256;
/** Room for what is being made: an address, a hash, a word, and what is hashed to an address. */
export const ADDRESS: usize = MIB + 64 * KIB;
export const HASH: usize = ADDRESS + 32;
export const WORD: usize = ADDRESS + 64;
export const PREIMAGE: usize = ADDRESS + 128;
/** A word that stays zero. */
export const ZERO: usize = ADDRESS + 256;
/** Hashes of 64 bytes, see keccak-cache.ts. */
export const KECCAK_ROW_BYTES: usize = 112;
export const KECCAK_CACHE_BITS: u32 = 12;
export const KECCAK_CACHE: usize = MIB + 128 * KIB;

// ---- tables ----

export const FRAME_BYTES: usize = 192;
export const DEPTH_MAX: usize = 1024;
export const FRAMES: usize = 2 * MIB;

export const STACK_BYTES: usize = 1024 * 32;
export const STACKS: usize = 3 * MIB;
/** Every frame's stack may be full, and a word below the first is readable. */
export const STACKS_END: usize = STACKS + (DEPTH_MAX + 2) * STACK_BYTES;

export const ACCOUNT_BYTES: usize = 224;
export const ACCOUNTS_MAX: u32 = 1 << 17;
export const ACCOUNTS: usize = 40 * MIB;
export const ACCOUNT_INDEX: usize = 72 * MIB;
export const ACCOUNT_INDEX_BITS: u32 = 18;

export const SLOT_BYTES: usize = 128;
export const SLOTS_MAX: u32 = 1 << 18;
export const SLOTS: usize = 80 * MIB;
export const SLOT_INDEX: usize = 112 * MIB;
export const SLOT_INDEX_BITS: u32 = 19;

export const TRANSIENT_BYTES: usize = 96;
export const TRANSIENT_MAX: u32 = 1 << 18;
export const TRANSIENT: usize = 120 * MIB;
export const TRANSIENT_INDEX: usize = 148 * MIB;
export const TRANSIENT_INDEX_BITS: u32 = 19;

export const JOURNAL_BYTES: usize = 48;
export const JOURNAL_MAX: u32 = 1 << 20;
export const JOURNAL: usize = 156 * MIB;

/** Addresses of the accounts and slots that a message has changed. */
export const DIRTY_ACCOUNTS: usize = 208 * MIB;
export const DIRTY_SLOTS: usize = 210 * MIB;

/** Logs one behind the other (log-fields.ts). */
export const LOGS: usize = 216 * MIB;
export const LOGS_END: usize = 248 * MIB;

export const INPUT: usize = 248 * MIB;
export const INPUT_MAX: u32 = 8 << 20;

export const RETURN_DATA: usize = 256 * MIB;
export const RETURN_DATA_MAX: u32 = 32 << 20;

export const CODE_INDEX: usize = 288 * MIB;
export const CODE_INDEX_BITS: u32 = 16;
export const CODES: usize = 290 * MIB;
export const CODES_END: usize = 482 * MIB;

/** Memories of all frames, one behind the other. */
export const MEMORY: usize = 482 * MIB;
export const MEMORY_END: usize = 738 * MIB;
