// Call frames, stored consecutively. The interpreter keeps these fields in variables while a frame runs, and writes
// them here when another frame runs.
import { FRAMES, FRAME_BYTES, MEMORY, STACKS } from '../shared/layout';

// ---- fields ----
/** Next instruction, u32. IP, SP, GAS_LEFT and MEMORY_BYTES are current only while another frame runs. */
export const IP: usize = 0;
/** Address of the stack's top item, u32; 32 below STACK_START when the stack is empty. */
export const SP: usize = 4;
/** Gas left, i64. */
export const GAS_LEFT: usize = 8;
/** Gas at the frame's start, i64. */
export const GAS_GIVEN: usize = 16;
/** Minimum gas at the frame's start with which it would have come this far in the same way; i64. */
export const MINIMUM_GAS: usize = 24;
/** Address of the frame's memory, u32. */
export const MEMORY_START: usize = 32;
/** Length of its memory, a multiple of 32, u32. */
export const MEMORY_BYTES: usize = 36;
/** Address of the stack's first item, u32. */
export const STACK_START: usize = 40;
/** Entry of the running code, u32. */
export const CODE_ENTRY: usize = 44;
/** Entry of the account whose storage and balance the frame uses, u32. */
export const SELF_ACCOUNT: usize = 48;
/** STATIC_FLAG and CREATION_FLAG, u32. */
export const FLAGS: usize = 52;
/** Address of the call data, u32. */
export const INPUT: usize = 56;
/** Length of the call data, u32. */
export const INPUT_BYTES: usize = 60;
/** Top of the journal at the frame's start, u32. */
export const JOURNAL_MARK: usize = 64;
/** Top of the logs at the frame's start, u32. */
export const LOGS_MARK: usize = 68;
/** Refund counter at the frame's start, i64. */
export const REFUND_MARK: usize = 72;
/** Result of CALLER, an address. */
export const CALLER: usize = 80;
/** Number of logs at the frame's start, u32. */
export const LOG_COUNT_MARK: usize = 104;
// ---- about the running child ----
/** Offset in this frame's memory to which the child's output is copied, u32. */
export const OUTPUT_OFFSET: usize = 112;
/** Most bytes of the child's output that are copied there, u32. */
export const OUTPUT_BYTES_MAX: usize = 116;
/** Gas taken from this frame for the child, i64, without the stipend. */
export const CHILD_GAS_GIVEN: usize = 120;
/** Gas left before the child got its share, i64: EIP-150 keeps a 64th of it. */
export const GAS_LEFT_BEFORE_CHILD: usize = 128;
/** Stipend that the child got because of its value, i64; no frame pays for it. */
export const CHILD_STIPEND: usize = 136;
/** Result of CALLVALUE, a word. */
export const VALUE: usize = 160;
// ---- state gas (state-gas.ts), i64 each ----
/** State gas paid from the gas of the frame itself and of its successful children. */
export const STATE_GAS_SPILL: usize = 192;
/** At the frame's start: the reservoir, and the state gas used so far. */
export const RESERVOIR_MARK: usize = 208;
export const STATE_GAS_MARK: usize = 224;
/** State gas paid for the account that the running child creates. */
export const CHILD_STATE_GAS: usize = 240;

// ---- flags ----
/** EIP-214: the frame may not change state. */
export const STATIC_FLAG: u32 = 1;
/** The frame runs init code, and its output becomes code. */
export const CREATION_FLAG: u32 = 2;

/** The running frame. */
export let runningFrame: usize = FRAMES;
/** Depth of the running frame: 0 is the outermost message, -1 the root that calls it. */
export let depth: i32 = -1;

/** Highest end of stack memory ever used by frames that made calls. */
export let stackPeak: usize = STACKS;

/** Makes the root the running frame, with an empty stack and memory. */
export function enterRootFrame(): void {
  runningFrame = FRAMES;
  depth = -1;
  store<u32>(runningFrame, <u32>STACKS - 32, SP);
  store<u32>(runningFrame, <u32>STACKS, STACK_START);
  store<u32>(runningFrame, <u32>MEMORY, MEMORY_START);
  store<u32>(runningFrame, 0, MEMORY_BYTES);
  store<i64>(runningFrame, 0, GAS_LEFT);
  store<i64>(runningFrame, 0, GAS_GIVEN);
  store<i64>(runningFrame, 0, MINIMUM_GAS);
}

/** Places the next frame's stack and memory after the running one's, whose SP and MEMORY_BYTES are up to date. */
export function placeNextFrame(): usize {
  const next = runningFrame + FRAME_BYTES;
  const stack = <usize>load<u32>(runningFrame, SP) + 32;
  if (stack > stackPeak) stackPeak = stack;
  store<u32>(next, <u32>stack, STACK_START);
  store<u32>(next, load<u32>(runningFrame, MEMORY_START) + load<u32>(runningFrame, MEMORY_BYTES), MEMORY_START);
  return next;
}

/** Writes the interpreter's variables to the frame: next instruction, top of the stack, gas, length of memory. */
@inline
export function saveFrame(ip: usize, sp: usize, gas: i64, memoryBytes: u32): void {
  store<u32>(runningFrame, <u32>ip, IP);
  store<u32>(runningFrame, <u32>sp, SP);
  store<i64>(runningFrame, gas, GAS_LEFT);
  store<u32>(runningFrame, memoryBytes, MEMORY_BYTES);
}

/** Makes the next frame the running one. */
export function enterNextFrame(next: usize): void {
  runningFrame = next;
  depth++;
}

/** Makes the caller's frame the running one. */
export function leaveFrame(): void {
  runningFrame -= FRAME_BYTES;
  depth--;
}

/** Raises a frame's MINIMUM_GAS to `gas`, if it is below. */
@inline
export function raiseMinimumGas(target: usize, gas: i64): void {
  if (gas > load<i64>(target, MINIMUM_GAS)) store<i64>(target, gas, MINIMUM_GAS);
}

/** The smallest amount of which all but a 64th is `gas`: the inverse of EIP-150. */
@inline
export function gasBeforeSixtyFourth(gas: i64): i64 {
  return gas <= 0 ? 0 : gas + (gas - 1) / 63;
}
