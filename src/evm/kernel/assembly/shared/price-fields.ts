// Prices and limits of the fork at PRICES, an i64 each, which the host writes in this order. Runs on publisher and estimators.

/** First access to an account (EIP-2929). */
export const COLD_ACCOUNT: usize = 0;
/** SSTORE's first access to a slot, beside its other prices (EIP-2929). */
export const COLD_STORE: usize = 8;
/** SSTORE from zero to another value, of a clean slot (EIP-2200). */
export const SLOT_SET: usize = 16;
/** SSTORE to any other clean slot (EIP-2200). */
export const SLOT_RESET: usize = 24;
/** Refund for clearing a slot (EIP-3529). */
export const CLEARS: usize = 32;
/** Reading a code, beside its account. */
export const CODE_READ: usize = 40;
/** A call with value (yellow paper, appendix G). */
export const VALUE_TRANSFER: usize = 48;
/** Value that a call sends to an empty account (EIP-161). */
export const CALLED_ACCOUNT: usize = 56;
/** Value that SELFDESTRUCT sends to an empty account (EIP-161). */
export const HEIR_ACCOUNT: usize = 64;
/** Creations, for each byte of the code deposited (yellow paper, appendix G). */
export const CODE_BYTE: usize = 72;
/** Creations, for each word of the code deposited (EIP-8037). */
export const CODE_WORD: usize = 80;
/** State gas of a new slot (EIP-8037). */
export const STATE_SLOT: usize = 88;
/** State gas of a new account (EIP-8037). */
export const STATE_ACCOUNT: usize = 96;
/** State gas of a byte of code deposited (EIP-8037). */
export const STATE_CODE_BYTE: usize = 104;
/** Bytes of a code deposited, at most (EIP-170). */
export const CODE_MAX: usize = 112;
/** Bytes of init code, at most (EIP-3860). */
export const INITCODE_MAX: usize = 120;
