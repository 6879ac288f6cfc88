// What instructions cost beside their static gas, which comes from the host with the rules.

// ---- EIP-2929, EIP-3529 ----
export const COLD_ACCOUNT: i64 = 2600;
export const COLD_SLOT: i64 = 2100;
export const WARM: i64 = 100;
export const SSTORE_SENTRY: i64 = 2300;
export const SLOT_SET: i64 = 20_000;
export const SLOT_RESET: i64 = 2900;
export const CLEARS: i64 = 4800;

// ---- by length ----
export const EXPONENT_BYTE: i64 = 50;
export const HASH_WORD: i64 = 6;
export const COPY_WORD: i64 = 3;
export const LOG_BYTE: i64 = 8;
export const INITCODE_WORD: i64 = 2;

// ---- calls and creations ----
export const VALUE_TRANSFER: i64 = 9000;
export const NEW_ACCOUNT: i64 = 25_000;
export const STIPEND: i64 = 2300;
export const CODE_BYTE: i64 = 200;
