// Prices and limits of the fork at PRICES, an i64 each, which the host writes in this order.

/** First access to an account (EIP-2929). */
export const COLD_ACCOUNT: usize = 0;
/** Surcharge of SSTORE's first access to a slot (EIP-2929). */
export const COLD_STORE: usize = 8;
/** SSTORE that changes a clean slot from zero (EIP-2200). */
export const SLOT_SET: usize = 16;
/** SSTORE that changes any other clean slot (EIP-2200). */
export const SLOT_RESET: usize = 24;
/** Refund for clearing a slot (EIP-3529). */
export const SLOT_CLEAR_REFUND: usize = 32;
/** Surcharge for reading an account's code. */
export const CODE_READ: usize = 40;
/** A call with value (yellow paper, appendix G). */
export const VALUE_TRANSFER: usize = 48;
/** A call with value to an empty account (EIP-161). */
export const CALLED_ACCOUNT: usize = 56;
/** A SELFDESTRUCT that sends value to an empty account (EIP-161). */
export const BENEFICIARY_ACCOUNT: usize = 64;
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
/** Most bytes of deposited code (EIP-170). */
export const CODE_MAX: usize = 112;
/** Most bytes of init code (EIP-3860). */
export const INITCODE_MAX: usize = 120;
