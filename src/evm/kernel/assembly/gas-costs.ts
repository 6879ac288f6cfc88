// Gas of instructions beside their static gas, which comes from the host with the rules.

// ---- EIP-2929, EIP-3529 ----
/** First access to an account (EIP-2929). */
export const COLD_ACCOUNT: i64 = 2600;
/** First access to a slot (EIP-2929). */
export const COLD_SLOT: i64 = 2100;
/** Any later access (EIP-2929). */
export const WARM: i64 = 100;
/** SSTORE fails with no more than this left (EIP-2200). */
export const SSTORE_SENTRY: i64 = 2300;
/** SSTORE from zero to another value (EIP-2200). */
export const SLOT_SET: i64 = 20_000;
/** SSTORE to any other clean slot, its cold access taken off (EIP-2929). */
export const SLOT_RESET: i64 = 2900;
/** Refund for clearing a slot (EIP-3529). */
export const CLEARS: i64 = 4800;

// ---- by length ----
/** EXP, for each byte of the exponent (EIP-160). */
export const EXPONENT_BYTE: i64 = 50;
/** KECCAK256 and CREATE2, for each word hashed (yellow paper, appendix G; EIP-1014). */
export const HASH_WORD: i64 = 6;
/** Copies to memory, for each word (yellow paper, appendix G). */
export const COPY_WORD: i64 = 3;
/** Logs, for each byte of data (yellow paper, appendix G). */
export const LOG_BYTE: i64 = 8;
/** Creations, for each word of init code (EIP-3860). */
export const INITCODE_WORD: i64 = 2;

// ---- calls and creations ----
/** A call with value (yellow paper, appendix G). */
export const VALUE_TRANSFER: i64 = 9000;
/** Value sent to an empty account (EIP-161). */
export const NEW_ACCOUNT: i64 = 25_000;
/** Gas that a call with value gives to its callee on top (yellow paper, appendix G). */
export const STIPEND: i64 = 2300;
/** Creations, for each byte of the code deposited (yellow paper, appendix G). */
export const CODE_BYTE: i64 = 200;
