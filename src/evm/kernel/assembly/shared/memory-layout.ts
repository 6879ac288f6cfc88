// Layout of the kernel's memory. Regions are only address space: the system allocates a page when it is first written.
// The host reads the limits of what it writes (INPUT_MAX, BLOBS_MAX, RETURN_DATA_MAX) from the kernel's exports,
// because kernels in tests have smaller regions.

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

// ---- what the host writes and reads (from 1 MiB on; lower memory has the AssemblyScript compiler's data) ----

/** The message to execute; the host writes it before `runMessage`. Offsets of its fields: */
export const MESSAGE: usize = MIB;
/** Sender, an address. */
export const MESSAGE_CALLER: usize = 0;
/** Recipient, an address; unused with FLAG_CREATE. */
export const MESSAGE_TO: usize = 32;
/** Value in wei, a word. */
export const MESSAGE_VALUE: usize = 64;
/** Effective gas price in wei per gas, a word. */
export const MESSAGE_GAS_PRICE: usize = 96;
/** Gas that the message may use, i64. */
export const MESSAGE_GAS: usize = 128;
/** Flags FLAG_CREATE to FLAG_HOOKED, u32. */
export const MESSAGE_FLAGS: usize = 136;
/** Length of the message data at INPUT, u32. */
export const MESSAGE_DATA_LENGTH: usize = 140;
/** Number of blob hashes at BLOBS, u32. */
export const MESSAGE_BLOB_COUNT: usize = 144;
/** Time of `performance.now()` (ms) at which the execution is aborted, f64. */
export const MESSAGE_DEADLINE: usize = 152;
/** Wei that the sender pays before the first instruction, if FLAG_PAYS is set; a word. */
export const MESSAGE_UPFRONT: usize = 160;
/** Gas in the reservoir, which can only pay for state gas (EIP-8037), i64. */
export const MESSAGE_RESERVOIR: usize = 192;
/** Flag: the message data is init code and creates a contract. */
export const FLAG_CREATE: u32 = 1;
/** Flag: logs are collected. */
export const FLAG_LOGS: u32 = 2;
/** Flag: transfers of ether are logged, too. */
export const FLAG_TRANSFERS: u32 = 4;
/**
 * Flag: the lists of accessed accounts, slots and logs must be exact, even if a frame fails in the middle of a basic
 * block.
 */
export const FLAG_EXACT_LISTS_AND_LOGS: u32 = 8;
/** Flag: the sender pays upfront, and its nonce is raised. */
export const FLAG_PAYS: u32 = 16;
/** Flag: the fee recipient is warm from the start (EIP-3651). */
export const FLAG_WARM_COINBASE: u32 = 32;
/**
 * Flag: the lists of accessed accounts and slots must be exact, without accesses that could not be paid for (EIP-7928).
 */
export const FLAG_EXACT_ACCESS_LISTS: u32 = 64;
/** Flag: the host is called when frames start and end, and when logs are made. */
export const FLAG_HOOKED: u32 = 128;

/** Block environment; the host writes it before `runMessage`. Offsets of its fields: */
export const ENV: usize = MIB + 512;
/** Fee recipient, an address. */
export const ENV_COINBASE: usize = 0;
/** Block number, u64. */
export const ENV_NUMBER: usize = 32;
/** Block timestamp in seconds since 1970, u64. */
export const ENV_TIMESTAMP: usize = 40;
/** Block gas limit, u64. */
export const ENV_GAS_LIMIT: usize = 48;
/** Number of the block's slot on the beacon chain (EIP-7843), u64. */
export const ENV_SLOT_NUMBER: usize = 56;
/** Randomness of the beacon chain (PREVRANDAO), a word. */
export const ENV_RANDAO: usize = 64;
/** Base fee in wei per gas, a word. */
export const ENV_BASE_FEE: usize = 96;
/** Blob base fee in wei per gas, a word. */
export const ENV_BLOB_BASE_FEE: usize = 128;
/** The chain's id, a word. */
export const ENV_CHAIN_ID: usize = 160;

/** Result of an execution; the host reads it after `runMessage` and the resume functions. Offsets of its fields: */
export const RESULT: usize = MIB + 1024;
/** Gas left, i64. */
export const RESULT_GAS_LEFT: usize = 0;
/** Refund counter in gas, i64; the host limits the refund (EIP-3529). */
export const RESULT_REFUND: usize = 8;
/** Minimum gas with which the message would end the same way, i64. */
export const RESULT_MINIMUM_GAS: usize = 16;
/** Hash of the tree of calls (call-tree-fingerprint.ts), f64. */
export const RESULT_CALL_TREE: usize = 104;
/** 1 if RESULT_MINIMUM_GAS must be confirmed by another run, u32. */
export const RESULT_GAS_SENSITIVE: usize = 24;
/** Why the last frame halted (status.ts), u32. */
export const RESULT_ERROR: usize = 28;
/** Address of the message's output, u32. */
export const RESULT_OUTPUT_ADDRESS: usize = 32;
/** Length of the message's output in bytes, u32. */
export const RESULT_LENGTH: usize = 36;
/** Opcode at which the outermost frame has failed, u32. This and the next three fields are for error messages. */
export const RESULT_FAILED_OPCODE: usize = 40;
/** Number of stack items when the frame failed, u32. */
export const RESULT_STACK_ITEM_COUNT: usize = 44;
/** Address of the top stack item when the frame failed, u32. */
export const RESULT_STACK_TOP_ADDRESS: usize = 48;
/** Length of the return data when the frame failed, u32. */
export const RESULT_RETURN_DATA_BYTES: usize = 52;
/** Number of logs at LOGS, u32; logs of failed frames are not among them. */
export const RESULT_LOG_COUNT: usize = 56;
/** Number of accounts at DIRTY_ACCOUNTS, u32. */
export const RESULT_DIRTY_ACCOUNT_COUNT: usize = 60;
/** Number of slots at DIRTY_SLOTS, u32. */
export const RESULT_DIRTY_SLOT_COUNT: usize = 64;
/** Table entry of the account that an outermost creation has created, u32; 0 otherwise. */
export const RESULT_CREATED_ACCOUNT: usize = 68;
/** If the execution has stopped with status PRECOMPILE: last four bytes of the precompile's address, u32. */
export const RESULT_PRECOMPILE_ADDRESS: usize = 72;
/** If the execution has stopped with status PRECOMPILE: address of the precompile's input, u32. */
export const RESULT_PRECOMPILE_INPUT: usize = 76;
/** If the execution has stopped with status PRECOMPILE: length of the precompile's input, u32. */
export const RESULT_INPUT_LENGTH: usize = 80;
/** 1 if code has read its block environment, u32. */
export const RESULT_READS_BLOCK_ENV: usize = 84;
/** If the execution has stopped with status PRECOMPILE: gas of the precompile's call, i64. */
export const RESULT_PRECOMPILE_CALL_GAS: usize = 88;

/** Number of logs made, including those of failed frames, u32. */
export const RESULT_LOGS_MADE: usize = 96;
/** If the execution has stopped with status NON_EVM_ACCOUNT: table entry of that account, u32. */
export const RESULT_NON_EVM_ACCOUNT: usize = 124;
/** Gas left in the state-gas reservoir (EIP-8037), i64. */
export const RESULT_RESERVOIR: usize = 128;
/** State gas used (EIP-8037), i64. */
export const RESULT_STATE_GAS: usize = 136;
/** 1 if a call made by code has halted exceptionally, u32. */
export const RESULT_HAS_HALTS: usize = 144;
/** 1 if the gas was not enough for the charges before the outermost frame (EIP-2780), u32. */
export const RESULT_ENTRY_OUT_OF_GAS: usize = 152;

/** Arguments of functions that set or warm an account or slot. Offsets of its fields: */
export const STAGE: usize = MIB + 1536;
/** The account's address. */
export const STAGE_ADDRESS: usize = 0;
/** The slot's key, a word. */
export const STAGE_KEY: usize = 32;
/** The slot's value, a word. */
export const STAGE_SLOT_VALUE: usize = 64;
/** The account's balance in wei, a word. */
export const STAGE_BALANCE: usize = 64;
/** The account's code hash: 32 bytes in the order of the hash, not reversed as words are. */
export const STAGE_CODE_HASH: usize = 96;
/** The account's nonce, u64. */
export const STAGE_NONCE: usize = 128;
/** Flags of the account (base flags of account-fields.ts), u32. */
export const STAGE_BASE_FLAGS: usize = 136;

/** Rules of the fork as flags (rule-flags.ts), u32. */
export const RULES: usize = MIB + 2048;
/** Prices of the fork (price-fields.ts). */
export const PRICES: usize = MIB + 2112;
/** Properties of the opcodes under the fork's rules, one row for each of the 256 opcodes (opcode-fields.ts). */
export const OPCODES: usize = MIB + 4096;
/**
 * One byte for each address below PRECOMPILE_ADDRESS_END: the kind of the precompile there (precompile-kinds.ts), 0 for
 * none.
 */
export const PRECOMPILES: usize = MIB + 8192;
/** Upper bound of the addresses of precompiles. */
export const PRECOMPILE_ADDRESS_END: u32 = 0x200;
/** Blob hashes of the transaction: 32 bytes each in the order of the hash, not reversed as words are. */
export const BLOBS: usize = MIB + 16 * KIB;
/** Maximum number of blob hashes of a transaction. */
export const BLOBS_MAX: u32 = 256;
/** Scratch space: an address that is looked up or computed. */
export const SCRATCH_ADDRESS: usize = MIB + 64 * KIB;
/** Scratch space: a hash, 32 bytes in the order of the hash, not reversed as words are. */
export const SCRATCH_HASH: usize = SCRATCH_ADDRESS + 32;
/** Scratch space: a word. */
export const SCRATCH_WORD: usize = SCRATCH_ADDRESS + 64;
/** Scratch space: the preimage of a new contract's address, at most 85 bytes. */
export const SCRATCH_NEW_ADDRESS_PREIMAGE: usize = SCRATCH_ADDRESS + 128;
/** A word that is always zero. */
export const ZERO_WORD_ADDRESS: usize = SCRATCH_ADDRESS + 256;
/** Address of the top of the stack when compiled code returns, u32. */
export const COMPILED_SP: usize = SCRATCH_ADDRESS + 320;
/** Gas left when compiled code returns, i64. */
export const COMPILED_GAS_LEFT: usize = SCRATCH_ADDRESS + 328;
/** Length of the frame's memory when compiled code returns, u32. */
export const COMPILED_FRAME_MEMORY_BYTES: usize = SCRATCH_ADDRESS + 340;
/** Address of the hot basic block, u32; valid if the status is HOT_BLOCK_REACHED. */
export const HOT_BASIC_BLOCK_ADDRESS: usize = SCRATCH_ADDRESS + 344;
/** Table entry of the code that contains the hot basic block, u32; valid if the status is HOT_BLOCK_REACHED. */
export const HOT_BASIC_BLOCK_CODE_ENTRY: usize = SCRATCH_ADDRESS + 336;
/** Length of a row of the Keccak cache: 96 bytes of input, the hash, the length of the input, padding. */
export const KECCAK_ROW_BYTES: usize = 144;
/** Binary logarithm of the number of rows of the Keccak cache (4096). */
export const KECCAK_CACHE_BITS: u32 = 12;
/** Cache of hashes of short inputs (keccak-cache.ts). */
export const KECCAK_CACHE: usize = MIB + 128 * KIB;

// ---- tables and stacks ----

/** Length of a call frame's fields in bytes (frame.ts). */
export const FRAME_BYTES: usize = 256;
/** Greatest call depth (yellow paper, section 8). */
export const DEPTH_MAX: usize = 1024;
/** Fields of all call frames; the first one is the root frame. */
export const FRAMES: usize = 2 * MIB;

/** Length of a full stack in bytes: 1024 words. */
export const STACK_BYTES: usize = 1024 * 32;
/** Stacks of all frames, stored consecutively. */
export const STACKS: usize = 3 * MIB;
/** End of the stacks: every frame's stack may be full, and the word below the first item must be readable. */
export const STACKS_END: usize = STACKS + (DEPTH_MAX + 2) * STACK_BYTES;

/** Length of an account's table entry in bytes (account-fields.ts). */
export const ACCOUNT_BYTES: usize = 224;
/** Maximum number of accounts in the table. When a message starts, at most half of them are in use. */
export const ACCOUNTS_MAX: u32 = 1 << 17;
/** Table entries of the accounts. */
export const ACCOUNTS: usize = 40 * MIB;
/** Hash index of the accounts. A cell has a generation and an entry's address, u32 each. */
export const ACCOUNT_INDEX: usize = 72 * MIB;
/** Binary logarithm of the number of cells: two cells for each account. */
export const ACCOUNT_INDEX_CELLS_LOG2: u32 = 18;

/** Length of a slot's table entry in bytes (slot-fields.ts). */
export const SLOT_BYTES: usize = 128;
/** Maximum number of storage slots in the table. When a message starts, at most half of them are in use. */
export const SLOTS_MAX: u32 = 1 << 18;
/** Table entries of the storage slots. */
export const SLOTS: usize = 80 * MIB;
/** Hash index of the storage slots. A cell has a generation and an entry's address, u32 each. */
export const SLOT_INDEX: usize = 112 * MIB;
/** Binary logarithm of the number of cells: two cells for each slot. */
export const SLOT_INDEX_BITS: u32 = 19;

/** Length of a transient slot's table entry in bytes (slot-fields.ts). */
export const TRANSIENT_SLOT_BYTES: usize = 96;
/** Maximum number of transient slots that a message may use. */
export const TRANSIENT_MAX: u32 = 1 << 18;
/** Table entries of the transient slots. */
export const TRANSIENT: usize = 120 * MIB;
/** Hash index of the transient slots. A cell has a message number and an entry's address, u32 each. */
export const TRANSIENT_INDEX: usize = 148 * MIB;
/** Binary logarithm of the number of cells of the hash index: twice as many cells as there can be transient slots. */
export const TRANSIENT_INDEX_BITS: u32 = 19;

/** Length of a journal entry in bytes (journal.ts). */
export const JOURNAL_ENTRY_BYTES: usize = 48;
/** Maximum number of journal entries that a message may make. */
export const JOURNAL_MAX: u32 = 1 << 20;
/** The journal, from which failing frames are reverted. */
export const JOURNAL: usize = 156 * MIB;

/** List of the accounts that the message has changed: table entries, u32 each. */
export const DIRTY_ACCOUNTS: usize = 208 * MIB;
/** List of the accounts that the message has read: table entries, u32 each. */
export const READ_ACCOUNTS: usize = 209 * MIB;
/** List of the slots that the message has changed: table entries, u32 each. */
export const DIRTY_SLOTS: usize = 210 * MIB;
/** List of the slots that the message has read: table entries, u32 each. */
export const READ_SLOT_LIST: usize = 213 * MIB;

/** Logs, stored consecutively (log-fields.ts). */
export const LOGS: usize = 216 * MIB;
/** End of the logs, which may take 32 MiB. */
export const LOGS_END: usize = 248 * MIB;

/** Data (input) of the outermost message. */
export const INPUT: usize = 248 * MIB;
/** Greatest length of the outermost message's data in bytes. */
export const INPUT_MAX: u32 = 8 << 20;

/** Return data: the output of the last call frame that has ended. */
export const RETURN_DATA: usize = 256 * MIB;
/** Greatest length of the return data in bytes. */
export const RETURN_DATA_MAX: u32 = 32 << 20;

/** Hash index of the codes. A cell has a generation and an entry's address, u32 each. */
export const CODE_INDEX: usize = 288 * MIB;
/** Binary logarithm of the number of cells: two cells for each code. */
export const CODE_INDEX_BITS: u32 = 16;
/** Codes, each with its table entry (code-fields.ts), its bytes and its decoded instructions. */
export const CODES: usize = 290 * MIB;
/** End of the codes, which may take 192 MiB. */
export const CODES_END: usize = 482 * MIB;

/** Memory of all call frames, one after another. */
export const MEMORY: usize = 482 * MIB;
/** End of the call frames' memory, which may take 256 MiB. */
export const FRAME_MEMORY_END: usize = 738 * MIB;
