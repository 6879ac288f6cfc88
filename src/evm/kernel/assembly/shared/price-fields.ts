// Offsets of the fork's prices and limits at PRICES, an i64 each, which the host writes in this order.

/** Gas of the first access to an account (EIP-2929). */
export const COLD_ACCOUNT: usize = 0;
/** Additional gas of SSTORE for the first access to a slot (EIP-2929). */
export const COLD_STORE: usize = 8;
/** Gas of an SSTORE that changes a slot from zero, if the message has not changed it before (EIP-2200). */
export const SLOT_SET: usize = 16;
/**
 * Gas of an SSTORE that changes a slot from a value other than zero, if the message has not changed it before
 * (EIP-2200).
 */
export const SLOT_RESET: usize = 24;
/** Refund for clearing a slot (EIP-3529). */
export const SLOT_CLEAR_REFUND: usize = 32;
/** Additional gas for reading an account's code. */
export const CODE_READ: usize = 40;
/** Additional gas of a call with value (yellow paper, appendix G). */
export const VALUE_TRANSFER: usize = 48;
/** Additional gas of a call with value to an empty account (EIP-161). */
export const CALL_EMPTY_ACCOUNT: usize = 56;
/** Additional gas of a SELFDESTRUCT that sends value to an empty account (EIP-161). */
export const SELFDESTRUCT_EMPTY_BENEFICIARY: usize = 64;
/** Gas of a creation per byte of deposited code (yellow paper, appendix G). */
export const CODE_BYTE: usize = 72;
/** Gas of a creation per word of deposited code (EIP-8037). */
export const CODE_DEPOSIT_WORD: usize = 80;
/** State gas of a new slot (EIP-8037). */
export const STATE_SLOT: usize = 88;
/** State gas of a new account (EIP-8037). */
export const STATE_ACCOUNT: usize = 96;
/** State gas per byte of deposited code (EIP-8037). */
export const STATE_CODE_BYTE: usize = 104;
/** Greatest length of deposited code in bytes (EIP-170). */
export const CODE_MAX: usize = 112;
/** Greatest length of init code in bytes (EIP-3860). */
export const INITCODE_MAX: usize = 120;
