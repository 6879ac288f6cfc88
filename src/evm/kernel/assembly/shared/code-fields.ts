// Fields of a code's entry, after the code's hash.

/** Bytes of the code, u32. */
export const LENGTH: usize = 32;
/** Address of the bytes, u32; they are followed by 32 zeros. */
export const BYTES: usize = 36;
/** First instruction of its first run (code/decode.ts), u32; 0 until that is decoded. */
export const START: usize = 40;
/** A u32 for each byte of the code: the block to jump to there, 0 if no jump has led there yet. */
export const JUMP_TARGET_BLOCKS: usize = 44;
/** First instruction of the careful form (decode.ts), u32; 0 until it is decoded. */
export const CAREFUL_START: usize = 48;
/** A u32 for each byte of the code: the instruction there in the careful form. */
export const CAREFUL_ENTRIES: usize = 52;
/** Address of a bitmap of JUMPDESTs with a bit for each byte of the code, valid up to SCANNED; u32. */
export const JUMPDESTS: usize = 56;
/** EIP-7702: 1 when the code is a delegation, u32. */
export const IS_DELEGATION: usize = 60;
/** EIP-7702: the address it delegates to. */
export const DELEGATION_TARGET: usize = 64;
/** Position up to which the code was scanned for JUMPDESTs, u32. */
export const SCANNED: usize = 88;
/** First instruction of the run that was decoded last, u32; 0 for none. */
export const LAST_RUN: usize = 92;
