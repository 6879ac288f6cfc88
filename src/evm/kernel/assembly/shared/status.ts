// How executions and frames end. Runs on publisher and estimators.

// ---- of an execution: what `run` and `resume` answer ----
export const SUCCESS: u32 = 0;
export const REVERT: u32 = 1;
export const HALT: u32 = 2;
/** The deadline has passed. */
export const DEADLINE: u32 = 3;
/** The host did not know what it was asked for. */
export const MISS: u32 = 4;
/** Something is full that has a bound: the reference has to do it. */
export const FULL: u32 = 5;
/** A precompile has to be run by the host, then `resume`. */
export const PRECOMPILE: u32 = 6;

// ---- of a frame ----
/** None of the below: the frame goes on. */
export const RUNNING: u32 = 16;
/** Its instruction fails, before it has changed anything. */
export const FAILING: u32 = 17;

// ---- why a frame halted ----
export const OUT_OF_GAS: u32 = 1;
export const STACK_UNDERFLOW: u32 = 2;
export const STACK_OVERFLOW: u32 = 3;
export const INVALID_OPCODE: u32 = 4;
export const INVALID_JUMP: u32 = 5;
export const STATIC_CHANGE: u32 = 6;
export const INITCODE_SIZE: u32 = 7;
export const COLLISION: u32 = 8;
export const CODE_SIZE: u32 = 9;
export const CODE_INVALID: u32 = 10;
export const CODE_STORE_GAS: u32 = 11;
export const INSUFFICIENT_BALANCE: u32 = 12;
export const VALUE_OVERFLOW: u32 = 13;
export const PRECOMPILE_FAILED: u32 = 14;
