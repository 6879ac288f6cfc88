// Fields of an opcode's row at OPCODES, which the host writes for each fork.

/** Length of a row in bytes. */
export const ROW_BYTES: usize = 8;
/** Static gas, u32. */
export const STATIC_GAS: usize = 0;
/** Number of stack items popped, u8. */
export const ITEMS_POPPED: usize = 4;
/** Number of stack items pushed, u8. */
export const ITEMS_PUSHED: usize = 5;
/** 1 if the fork has the instruction, u8. */
export const IS_DEFINED: usize = 6;
/** What ends after the instruction, u8: 0 for nothing, ENDS_BLOCK or ENDS_FLOW. */
export const ENDS: usize = 7;
/** The basic block ends; the next instruction starts another one. */
export const ENDS_BLOCK: u32 = 1;
/** The basic block ends, and the code after it can only be reached by a jump. */
export const ENDS_FLOW: u32 = 2;
