// Call frames, stored one after another. While a frame runs, the interpreter holds some of its fields in variables; it
// writes them back when another frame starts to run.
import { FRAMES, FRAME_BYTES, MEMORY, STACKS } from '../shared/memory-layout';

// ---- fields of a call frame ----
/**
 * Address of the next instruction, u32. IP, SP, GAS_LEFT and MEMORY_BYTES are only up to date while another frame runs.
 */
export const IP: usize = 0;
/** Address of the top stack item, u32; STACK_START - 32 if the stack is empty. */
export const SP: usize = 4;
/** Gas left in the frame, i64. */
export const GAS_LEFT: usize = 8;
/** Gas that the frame had at its start, i64. */
export const GAS_GIVEN: usize = 16;
/** Minimum gas at the frame's start with which it would have come this far in the same way, i64. */
export const MINIMUM_START_GAS: usize = 24;
/** Address of the frame's memory, u32. */
export const MEMORY_START: usize = 32;
/** Length of the frame's memory in bytes, a multiple of 32, u32. */
export const MEMORY_BYTES: usize = 36;
/** Address of the first (lowest) stack item, u32. */
export const STACK_START: usize = 40;
/** Table entry of the running code, u32. */
export const CODE_ENTRY: usize = 44;
/** Table entry of the account whose storage and balance the frame uses, u32. */
export const SELF_ACCOUNT: usize = 48;
/** Flags STATIC_FLAG and CREATION_FLAG, u32. */
export const FLAGS: usize = 52;
/** Address of the call data, u32. */
export const INPUT: usize = 56;
/** Length of the call data, u32. */
export const INPUT_BYTES: usize = 60;
/** End of the journal at the frame's start, u32; a failing frame is reverted to it. */
export const JOURNAL_MARK: usize = 64;
/** End of the logs at the frame's start, u32. */
export const LOGS_MARK: usize = 68;
/** Refund counter at the frame's start, i64. */
export const REFUND_MARK: usize = 72;
/** Result of CALLER, an address. */
export const CALLER: usize = 80;
/** Number of logs at the frame's start, without reverted ones, u32. */
export const LOG_COUNT_MARK: usize = 104;
// ---- fields about the child frame that is running ----
/** Offset in this frame's memory to which the running child's output will be copied, u32. */
export const RET_OFFSET: usize = 112;
/** Maximum number of bytes of the child's output that will be copied, u32. */
export const RET_SIZE: usize = 116;
/** Gas that this frame has given to its running child, i64, without the stipend. */
export const CHILD_GAS_GIVEN: usize = 120;
/** Gas of this frame before it gave the child its share, i64. EIP-150 leaves it at least a 64th. */
export const GAS_LEFT_BEFORE_CHILD: usize = 128;
/** Stipend that the child got because the call has value, i64; no frame pays for it. */
export const CHILD_STIPEND: usize = 136;
/** Result of CALLVALUE, a word. */
export const VALUE: usize = 160;
// ---- fields for state gas (state-gas.ts), i64 each ----
/** State gas that this frame and its successful children have paid from their own gas instead of the reservoir. */
export const STATE_GAS_SPILL: usize = 192;
/** State-gas reservoir at the frame's start. The next field, STATE_GAS_MARK, is the state gas that was used by then. */
export const RESERVOIR_MARK: usize = 208;
export const STATE_GAS_MARK: usize = 224;
/** State gas that this frame has paid for the account that its running child creates. */
export const CHILD_ACCOUNT_STATE_GAS: usize = 240;

// ---- values of FLAGS ----
/** The frame must not change state (EIP-214). */
export const STATIC_FLAG: u32 = 1;
/** The frame runs init code, and its output becomes the contract's code. */
export const CREATION_FLAG: u32 = 2;

/** Address of the frame that is running. */
export let runningFrame: usize = FRAMES;
/** Depth of the running frame: 0 for the outermost message, -1 for the root frame that calls it. */
export let depth: i32 = -1;

/**
 * Highest address of stack memory ever used by frames that made calls. The host uses it to report the kernel's memory
 * usage.
 */
export let stackPeakAddress: usize = STACKS;

/** Makes the root frame the running one, with an empty stack and empty memory. */
export function enterRootFrame(): void {
  runningFrame = FRAMES;
  depth = -1;
  store<u32>(runningFrame, <u32>STACKS - 32, SP);
  store<u32>(runningFrame, <u32>STACKS, STACK_START);
  store<u32>(runningFrame, <u32>MEMORY, MEMORY_START);
  store<u32>(runningFrame, 0, MEMORY_BYTES);
  store<i64>(runningFrame, 0, GAS_LEFT);
  store<i64>(runningFrame, 0, GAS_GIVEN);
  store<i64>(runningFrame, 0, MINIMUM_START_GAS);
}

/**
 * Returns the next frame, after setting where its stack and memory start: at the end of those of the running frame,
 * whose SP and MEMORY_BYTES must be up to date.
 */
export function placeNextFrame(): usize {
  const next = runningFrame + FRAME_BYTES;
  const stack = <usize>load<u32>(runningFrame, SP) + 32;
  if (stack > stackPeakAddress) stackPeakAddress = stack;
  store<u32>(next, <u32>stack, STACK_START);
  store<u32>(next, load<u32>(runningFrame, MEMORY_START) + load<u32>(runningFrame, MEMORY_BYTES), MEMORY_START);
  return next;
}

/**
 * Writes the interpreter's variables to the running frame: next instruction, top of the stack, gas, length of memory.
 */
@inline
export function saveFrame(ip: usize, sp: usize, gas: i64, memoryBytes: u32): void {
  store<u32>(runningFrame, <u32>ip, IP);
  store<u32>(runningFrame, <u32>sp, SP);
  store<i64>(runningFrame, gas, GAS_LEFT);
  store<u32>(runningFrame, memoryBytes, MEMORY_BYTES);
}

/** Makes the next frame the running frame. */
export function enterNextFrame(next: usize): void {
  runningFrame = next;
  depth++;
}

/** Makes the caller's frame the running frame. */
export function returnToCallerFrame(): void {
  runningFrame -= FRAME_BYTES;
  depth--;
}

/** Raises MINIMUM_START_GAS of a frame, the gas that it needs to come this far in the same way, to at least `gas`. */
@inline
export function raiseMinimumGas(target: usize, gas: i64): void {
  if (gas > load<i64>(target, MINIMUM_START_GAS)) store<i64>(target, gas, MINIMUM_START_GAS);
}

/** Returns the least gas that a frame must have to pass `gas` to a call, for which it must keep a 64th (EIP-150). */
@inline
export function gasBeforeSixtyFourth(gas: i64): i64 {
  return gas <= 0 ? 0 : gas + (gas - 1) / 63;
}
