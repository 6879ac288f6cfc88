// Ends of executions and frames. Runs on publisher and estimators.

// ---- of an execution: what `run` and `resume` answer ----
/** The message succeeded. */
export const SUCCESS: u32 = 0;
/** REVERT ended it: output and unused gas come back (EIP-140). */
export const REVERT: u32 = 1;
/** It failed and used up all its gas; RESULT_ERROR says why. */
export const HALT: u32 = 2;
/** The deadline passed: given up. */
export const DEADLINE: u32 = 3;
/** The host does not know yet what it was asked for: given up, to be run again. */
export const MISS: u32 = 4;
/** A table or arena is full: given up, for the reference to do. */
export const FULL: u32 = 5;
/** A precompile waits for the host to run it, then `resume`. */
export const PRECOMPILE: u32 = 6;
/** A block has run often: the host may compile it, then `proceed`. */
export const HOT: u32 = 7;
/** It has come to an account whose code is not the EVM's: given up; RESULT_FOREIGN says which. */
export const FOREIGN: u32 = 8;

// ---- of a frame ----
/** None of the above: a frame goes on. */
export const RUNNING: u32 = 16;
/** The running instruction fails and has changed nothing yet. */
export const FAILING: u32 = 17;
/** A call has begun no frame, for want of balance, depth or a nonce. */
export const REFUSED: u32 = 18;

// ---- why a frame halted ----
/** Gas lacks. */
export const OUT_OF_GAS: u32 = 1;
/** The stack has fewer items than the instruction takes. */
export const STACK_UNDERFLOW: u32 = 2;
/** The stack would have more than 1024 items. */
export const STACK_OVERFLOW: u32 = 3;
/** The fork has no such opcode, or it is INVALID (EIP-141). */
export const INVALID_OPCODE: u32 = 4;
/** A jump leads to something that is no JUMPDEST. */
export const INVALID_JUMP: u32 = 5;
/** A change in a static frame (EIP-214). */
export const STATIC_CHANGE: u32 = 6;
/** Init code of more than 49,152 bytes (EIP-3860). */
export const INITCODE_SIZE: u32 = 7;
/** The address of a creation has code or a nonce (EIP-684). */
export const COLLISION: u32 = 8;
/** Code to be deposited of more than 24,576 bytes (EIP-170). */
export const CODE_SIZE: u32 = 9;
/** Code to be deposited that begins with 0xef (EIP-3541). */
export const CODE_INVALID: u32 = 10;
/** Gas lacks for depositing the code. */
export const CODE_STORE_GAS: u32 = 11;
/** The outermost message's sender lacks its value. */
export const INSUFFICIENT_BALANCE: u32 = 12;
/** The receiver's balance would pass 256 bits. */
export const VALUE_OVERFLOW: u32 = 13;
/** A precompile refused its input or lacked gas. */
export const PRECOMPILE_FAILED: u32 = 14;
