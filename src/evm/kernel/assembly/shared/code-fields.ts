// Fields of a code's table entry, which starts with the code's hash.

/** Length of the code in bytes, u32. */
export const LENGTH: usize = 32;
/** Address of the code's bytes, u32. They are followed by 32 zero bytes. */
export const BYTES: usize = 36;
/** Address of the first decoded instruction, u32; 0 until the beginning of the code is decoded (code/decode.ts). */
export const FIRST_INSTRUCTION: usize = 40;
/**
 * Address of a table with a u32 for each byte of the code: the basic block at that jump target; 0 if no jump has
 * reached it yet.
 */
export const JUMP_TARGET_BLOCK_TABLE: usize = 44;
/**
 * First instruction of the careful form of the code, in which each instruction is a basic block of its own (decode.ts),
 * u32; 0 until the careful form is decoded.
 */
export const CAREFUL_FIRST_INSTRUCTION: usize = 48;
/**
 * Address of a table with a u32 for each byte of the code: the instruction at that position in the careful form, in
 * which each instruction is a basic block of its own (decode.ts).
 */
export const CAREFUL_ENTRIES: usize = 52;
/** Address of a bitmap of JUMPDESTs, one bit for each byte of the code, valid up to SCANNED_BYTES; u32. */
export const JUMPDESTS: usize = 56;
/** 1 if the code is a delegation (EIP-7702), u32. */
export const IS_DELEGATION: usize = 60;
/** Address of the account to which the code delegates (EIP-7702). */
export const DELEGATION_TARGET: usize = 64;
/** Position up to which the JUMPDEST bitmap is valid, u32. */
export const SCANNED_BYTES: usize = 88;
/** First instruction of the stretch of code that was decoded last (decode.ts), u32; 0 for none. */
export const LAST_DECODED_STRETCH: usize = 92;
