// Instructions that a code is decoded to, one behind the other.
//
// Fields of one: shared/instruction-fields.ts; a word that belongs to it takes the place of the next two.
import { allocate, trim } from './codes';
import * as op from './operations';
import { BYTES, OPERAND, PC, SECOND } from './shared/instruction-fields';
import { swap } from './word';

/** In the operand of what drops items: one of them. */
export const ITEM_DROPPED: u64 = 32 << 32;

/** Where the next instruction goes. */
export let out: usize = 0;
/** The last one. */
export let last: usize = 0;

/** Takes room for so many instructions, and begins there. 0 when there is none: the execution is aborted (FULL). */
export function reserve(count: usize): usize {
  out = allocate(count * BYTES);
  return out;
}

/** Gives back the room behind the last instruction. */
export function release(): void {
  trim(out);
}

/** Puts an instruction behind the others. */
@inline
export function emit(operation: u32, pc: u32, operand: u64): void {
  store<u32>(out, operation);
  store<u32>(out, pc, PC);
  store<u64>(out, operand, OPERAND);
  last = out;
  out += BYTES;
}

/** Whether the last instruction of the block is such a one: a block begins with BLOCK. */
@inline
export function isLast(operation: u32): bool {
  return load<u32>(last) == operation;
}

/** Whether it pushes a constant of 32 bits at most. */
@inline
export function isLastU32(): bool {
  return isLast(op.PUSH_SMALL) && load<u32>(last, SECOND) == 0;
}

/** Makes the last instruction one of two. */
export function join(operation: u32, operand: u64): void {
  store<u32>(last, operation);
  store<u32>(last, <u32>operand, SECOND);
}

/** Takes back the DUP that is last, and answers its operand; -1 where none is. */
export function takeDup(): i32 {
  if (isLast(op.DUP)) {
    out = last;
    return load<i32>(last, OPERAND);
  }
  if (!isLast(op.DUP_DUP) && !isLast(op.PUSH_DUP)) return -1;
  const distance = load<i32>(last, SECOND);
  join(isLast(op.DUP_DUP) ? op.DUP : op.PUSH_SMALL, 0);
  return distance;
}

/** Puts a word of so many bytes behind the last instruction. */
export function putWord(size: u32, from: usize): void {
  const word = out;
  memory.fill(word, 0, 32);
  memory.copy(word + 32 - size, from, size);
  swap(word, word);
  out += 32;
}

/** Puts a word there whose lowest bits are set. */
export function putMask(bits: i32): void {
  for (let i = 0; i < 4; i++, bits -= 64, out += 8) {
    store<u64>(out, bits <= 0 ? 0 : bits >= 64 ? u64.MAX_VALUE : (1 << <u64>bits) - 1);
  }
}
