// Fields of an opcode's row at OPCODES, which the host writes. Runs on publisher and estimators.

/** Bytes of a row. */
export const ROW_BYTES: usize = 8;
/** Static gas, u32. */
export const GAS: usize = 0;
/** Items taken from the stack, u8. */
export const TAKEN: usize = 4;
/** Items given back, u8. */
export const GIVEN: usize = 5;
/** 1 if the fork has the instruction, u8. */
export const DEFINED: usize = 6;
/** End that comes with the instruction, u8: 0 for none, or one of the following. */
export const ENDS: usize = 7;
/** End of its block: what follows begins another. */
export const ENDS_BLOCK: u32 = 1;
/** End of its block, and nothing behind it is reached but by a jump. */
export const ENDS_FLOW: u32 = 2;
