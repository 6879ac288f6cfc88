// Fields of a decoded instruction; its operation, u16, comes first.

/** For BLOCK, u16: how often it has run, until it is compiled. For COMPILED: the function's table index. */
export const BLOCK_RUN_COUNT: usize = 2;
/** Position of the instruction in the code, u32. */
export const PC: usize = 4;
/** Operand of the operation, u64; see operations.table.ts. */
export const OPERAND: usize = 8;
/** For two instructions fused into one: position of the second one's operand, u32. */
export const SECOND_OPERAND: usize = 12;
/** Bytes of an instruction. */
export const INSTRUCTION_BYTES: usize = 16;
/** Bytes before the first instruction of a run (code/decode.ts). Offsets within them: */
export const RUN_HEAD_BYTES: usize = 16;
/** First instruction of the next decoded run, u32; 0 for none. */
export const NEXT_RUN: usize = 0;
/** End of this run's instructions, u32. */
export const RUN_END: usize = 4;
/** Set in the block address that a compiled block returns if the block could not be entered and must be interpreted. */
export const BLOCK_NOT_ENTERED: u32 = 1;
