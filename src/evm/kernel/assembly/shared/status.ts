// Status codes: how executions and call frames end, and why.

// ---- how an execution ends: returned by `runMessage` and the resume functions ----
/** The message succeeded. */
export const SUCCESS: u32 = 0;
/** The message ended with REVERT. Output and unused gas are returned (EIP-140). */
export const REVERT: u32 = 1;
/** The message halted exceptionally and has consumed all its gas; RESULT_ERROR says why. */
export const HALT: u32 = 2;
/** The execution was aborted, because the deadline has passed. */
export const DEADLINE: u32 = 3;
/**
 * The execution was aborted, because the host does not know a value yet. It must be repeated once the value is known.
 */
export const STATE_MISS: u32 = 4;
/**
 * The execution was aborted, because a table or memory region is full. The reference engine must execute the message.
 */
export const TABLE_FULL: u32 = 5;
/** The execution is paused: the host must run a precompile, and then call `resumeAfterPrecompile`. */
export const PRECOMPILE: u32 = 6;
/**
 * The execution is paused, because a basic block has run often. The host can compile it, and must then call
 * `resumeAfterHotBlock`.
 */
export const HOT_BLOCK_REACHED: u32 = 7;
/** The execution was aborted, because it called an account with non-EVM code; RESULT_NON_EVM_ACCOUNT says which. */
export const NON_EVM_ACCOUNT: u32 = 8;

// ---- how a call frame ends ----
/** The call frame has not ended: the interpreter continues with the running frame. */
export const RUNNING: u32 = 16;
/** The running instruction fails. It has not changed anything yet. */
export const INSTRUCTION_FAILED: u32 = 17;
/** A call or creation has not started a frame, because of balance, depth or nonce. */
export const FRAME_NOT_STARTED: u32 = 18;

// ---- why a call frame halted ----
/** Not enough gas. */
export const OUT_OF_GAS: u32 = 1;
/** The stack has fewer items than the instruction pops. */
export const STACK_UNDERFLOW: u32 = 2;
/** The stack would have more than 1024 items. */
export const STACK_OVERFLOW: u32 = 3;
/** The fork does not define the opcode, or it is INVALID (EIP-141). */
export const INVALID_OPCODE: u32 = 4;
/** A jump to a position without a JUMPDEST. */
export const INVALID_JUMP: u32 = 5;
/** A state change in a static frame (EIP-214). */
export const STATIC_CHANGE: u32 = 6;
/** The init code is longer than the fork's INITCODE_MAX (EIP-3860). */
export const INITCODE_SIZE: u32 = 7;
/** The address of the new contract already has code or a nonce (EIP-684). */
export const COLLISION: u32 = 8;
/** The code to be deposited is longer than the fork's CODE_MAX (EIP-170). */
export const CODE_SIZE: u32 = 9;
/** The code to be deposited starts with the byte 0xef (EIP-3541). */
export const CODE_INVALID: u32 = 10;
/** Not enough gas to deposit the code. */
export const CODE_STORE_GAS: u32 = 11;
/** The sender of the outermost message has less than the value to transfer. */
export const INSUFFICIENT_BALANCE: u32 = 12;
/** The recipient's balance would overflow. */
export const VALUE_OVERFLOW: u32 = 13;
/** A precompile refused its input or ran out of gas. */
export const PRECOMPILE_FAILED: u32 = 14;

// ---- why a call frame was refused, besides INSUFFICIENT_BALANCE ----
/** The new frame would be deeper than 1024 calls. */
export const TOO_DEEP: u32 = 15;
/** The creator's nonce already has the highest value (EIP-2681). */
export const NONCE_OVERFLOW: u32 = 16;
