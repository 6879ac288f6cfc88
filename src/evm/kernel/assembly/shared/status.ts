// Results of executions and frames.

// ---- of an execution: returned by `runMessage` and `resumeAfterPrecompile` ----
/** The message succeeded. */
export const SUCCESS: u32 = 0;
/** It ended with REVERT: output and remaining gas are returned (EIP-140). */
export const REVERT: u32 = 1;
/** It failed and consumed all its gas; RESULT_ERROR says why. */
export const HALT: u32 = 2;
/** Aborted because the deadline has passed. */
export const DEADLINE: u32 = 3;
/** Aborted because the host does not know a requested value yet; the execution has to be repeated. */
export const STATE_MISS: u32 = 4;
/** Aborted because a table or arena is full; the reference must execute the message. */
export const TABLE_FULL: u32 = 5;
/** Paused because the host must run a precompile and then call `resumeAfterPrecompile`. */
export const PRECOMPILE: u32 = 6;
/** Paused because a block has run often, so that the host may compile it and then call `resumeAfterHotBlock`. */
export const HOT_BLOCK_REACHED: u32 = 7;
/** Aborted because it has reached an account with non-EVM code; RESULT_NON_EVM_ACCOUNT says which. */
export const NON_EVM_ACCOUNT: u32 = 8;

// ---- of a frame ----
/** None of the above: a frame continues. */
export const RUNNING: u32 = 16;
/** The running instruction fails and has changed nothing yet. */
export const FAILING: u32 = 17;
/** A call or creation has not started a frame, because of balance, depth or nonce. */
export const REFUSED: u32 = 18;

// ---- why a frame halted ----
/** Not enough gas. */
export const OUT_OF_GAS: u32 = 1;
/** The stack has fewer items than the instruction takes. */
export const STACK_UNDERFLOW: u32 = 2;
/** The stack would have more than 1024 items. */
export const STACK_OVERFLOW: u32 = 3;
/** The fork has no such opcode, or it is INVALID (EIP-141). */
export const INVALID_OPCODE: u32 = 4;
/** A jump to a position without a JUMPDEST. */
export const INVALID_JUMP: u32 = 5;
/** A state change in a static frame (EIP-214). */
export const STATIC_CHANGE: u32 = 6;
/** Init code of more than 49,152 bytes (EIP-3860). */
export const INITCODE_SIZE: u32 = 7;
/** The address of a creation has code or a nonce (EIP-684). */
export const COLLISION: u32 = 8;
/** Code to be deposited of more than 24,576 bytes (EIP-170). */
export const CODE_SIZE: u32 = 9;
/** Code to be deposited that starts with 0xef (EIP-3541). */
export const CODE_INVALID: u32 = 10;
/** Not enough gas to deposit the code. */
export const CODE_STORE_GAS: u32 = 11;
/** The outermost message's sender has less than its value. */
export const INSUFFICIENT_BALANCE: u32 = 12;
/** The receiver's balance would overflow. */
export const VALUE_OVERFLOW: u32 = 13;
/** A precompile refused its input or ran out of gas. */
export const PRECOMPILE_FAILED: u32 = 14;

// ---- why a frame was refused, besides INSUFFICIENT_BALANCE ----
/** There are 1024 frames around it. */
export const TOO_DEEP: u32 = 15;
/** The creator's nonce is the highest (EIP-2681). */
export const NONCE_OVERFLOW: u32 = 16;
