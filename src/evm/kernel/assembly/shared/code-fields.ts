// Fields of a code's entry; its hash comes first. Runs on publisher and estimators.

export const LENGTH: usize = 32;
export const BYTES: usize = 36;
/** Decoded: instructions, and for each byte of the code the instruction that may be jumped to, or 0. */
export const START: usize = 40;
export const JUMPS: usize = 44;
/** The careful form, likewise: for each byte the instruction there. */
export const CAREFUL_START: usize = 48;
export const CAREFUL_ENTRIES: usize = 52;
/** EIP-7702: 1 when the code is a delegation; then to which address. */
export const DELEGATES: usize = 60;
export const DELEGATE: usize = 64;
