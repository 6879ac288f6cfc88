// Call frames, one behind the other. What the interpreter keeps in variables while a frame runs is written here when another
// one takes over.
import { FRAMES, FRAME_BYTES, MEMORY, STACKS } from './shared/layout';

// ---- fields ----
export const IP: usize = 0;
/** Top item of the stack; below the first there is none. */
export const SP: usize = 4;
export const GAS: usize = 8;
/** Gas at entry. */
export const GAS_GIVEN: usize = 16;
/** Least gas at entry with which the frame comes as far as it has, in the same way. */
export const NEED: usize = 24;
export const MEMORY_START: usize = 32;
export const MEMORY_BYTES: usize = 36;
export const STACK_START: usize = 40;
export const CODE: usize = 44;
export const SELF: usize = 48;
export const FLAGS: usize = 52;
export const INPUT: usize = 56;
export const INPUT_BYTES: usize = 60;
/** What stood when the frame began: journal, logs, refund. */
export const JOURNAL_MARK: usize = 64;
export const LOGS_MARK: usize = 68;
export const REFUND_MARK: usize = 72;
export const CALLER: usize = 80;
export const LOG_COUNT_MARK: usize = 104;
// ---- of the child that is running ----
/** Where in this frame's memory its output goes. */
export const OUT: usize = 112;
export const OUT_BYTES: usize = 116;
export const CHILD_GIVEN: usize = 120;
/** Gas left when the child got its part. */
export const CHILD_LEFT: usize = 128;
export const CHILD_STIPEND: usize = 136;
/** Value of the message, a word. */
export const VALUE: usize = 160;

// ---- flags ----
export const STATIC: u32 = 1;
export const CREATES: u32 = 2;

export let frame: usize = FRAMES;
/** Of the running frame: 0 is the outermost message, -1 the root that has called it. */
export let depth: i32 = -1;

/** Makes the root the running frame, with nothing on its stack and in its memory. */
export function toRoot(): void {
  frame = FRAMES;
  depth = -1;
  store<u32>(frame, <u32>STACKS - 32, SP);
  store<u32>(frame, <u32>STACKS, STACK_START);
  store<u32>(frame, <u32>MEMORY, MEMORY_START);
  store<u32>(frame, 0, MEMORY_BYTES);
  store<i64>(frame, 0, GAS);
  store<i64>(frame, 0, GAS_GIVEN);
  store<i64>(frame, 0, NEED);
}

/** Places the next frame's stack and memory behind those of the running one, whose SP and MEMORY_BYTES are up to date. */
export function nextFrame(): usize {
  const next = frame + FRAME_BYTES;
  store<u32>(next, load<u32>(frame, SP) + 32, STACK_START);
  store<u32>(next, load<u32>(frame, MEMORY_START) + load<u32>(frame, MEMORY_BYTES), MEMORY_START);
  return next;
}

/** Writes down what the interpreter has of the running frame: where it goes on, its stack's top, gas, length of memory. */
@inline
export function suspend(ip: usize, sp: usize, gas: i64, memoryBytes: u32): void {
  store<u32>(frame, <u32>ip, IP);
  store<u32>(frame, <u32>sp, SP);
  store<i64>(frame, gas, GAS);
  store<u32>(frame, memoryBytes, MEMORY_BYTES);
}

export function enter(next: usize): void {
  frame = next;
  depth++;
}

export function leave(): void {
  frame -= FRAME_BYTES;
  depth--;
}

@inline
export function atLeast(target: usize, gas: i64): void {
  if (gas > load<i64>(target, NEED)) store<i64>(target, gas, NEED);
}

/** Least amount of which all but a 64th is `gas` (EIP-150). */
@inline
export function inverse(gas: i64): i64 {
  return gas <= 0 ? 0 : gas + (gas - 1) / 63;
}
