// Fields of a decoded instruction; its operation, u16, comes first. Runs on publisher and estimators.

/** Of BLOCK, u16: how often it has run, up to the number at which it is compiled. Of COMPILED: its place in the table. */
export const RUNS: usize = 2;
/** Position of the instruction in the code, u32. */
export const PC: usize = 4;
/** Operand of the operation, u64: see operations.table.ts. */
export const OPERAND: usize = 8;
/** Place of the second one's operand in that of two instructions in one, u32. */
export const SECOND: usize = 12;
/** Bytes of an instruction. */
export const BYTES: usize = 16;
/** Bytes before the first instruction of a run (code/decode.ts). Offsets from there: */
export const RUN_BYTES: usize = 16;
/** First instruction of the run that was decoded next, u32; 0 for none. */
export const NEXT: usize = 0;
/** End of its instructions, u32. */
export const END: usize = 4;
/** Set in the address of a block that a compiled one answers: it could not begin, and is to be interpreted. */
export const NOT_BEGUN: u32 = 1;
