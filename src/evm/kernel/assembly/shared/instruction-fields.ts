// Fields of a decoded instruction. The first field, at offset 0, is its operation, u16.

/**
 * In BLOCK: run count of the basic block until it is compiled, u16. In COMPILED: table index of the compiled function,
 * u16.
 */
export const BLOCK_RUN_COUNT: usize = 2;
/** Position of the instruction in the EVM code, u32. */
export const PC: usize = 4;
/** Operand of the instruction, u64; interpreter-operations.table.ts describes its meaning. */
export const OPERAND: usize = 8;
/** Upper half of OPERAND, u32: the stack that a BLOCK needs, or the distance of EXCHANGE's second item. */
export const SECOND_OPERAND: usize = 12;
/** Length of a decoded instruction in bytes. */
export const INSTRUCTION_BYTES: usize = 16;
/**
 * Length of the head before the first instruction of a decoded stretch of code (code/decode.ts). The head's fields
 * follow.
 */
export const STRETCH_HEAD_BYTES: usize = 16;
/** First instruction of the stretch that was decoded next, u32; 0 for none. */
export const NEXT_DECODED_STRETCH: usize = 0;
/** End of this stretch's instructions, u32. */
export const DECODED_STRETCH_END: usize = 4;
/**
 * Bit that a compiled function sets in the basic block address that it returns, if that basic block could not be
 * entered and must be interpreted.
 */
export const RETURNED_BLOCK_NOT_ENTERED: u32 = 1;
