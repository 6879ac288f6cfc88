// Fields of an opcode's row at OPCODES, which the host writes.

/** Bytes of a row. */
export const ROW_BYTES: usize = 8;
/** Static gas, u32. */
export const STATIC_GAS: usize = 0;
/** Items popped, u8. */
export const ITEMS_POPPED: usize = 4;
/** Items pushed, u8. */
export const ITEMS_PUSHED: usize = 5;
/** 1 if the fork has the instruction, u8. */
export const IS_DEFINED: usize = 6;
/** What ends with the instruction, u8: 0 for nothing, or one of the following. */
export const ENDS: usize = 7;
/** Its block ends, and the next instruction starts another one. */
export const ENDS_BLOCK: u32 = 1;
/** Its block ends, and what follows can only be reached by a jump. */
export const ENDS_FLOW: u32 = 2;
