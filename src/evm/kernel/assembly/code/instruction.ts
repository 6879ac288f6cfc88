// Instructions that a code is decoded to, one behind the other.
//
// Fields of one: shared/instruction-fields.ts; a word that belongs to it takes the place of the next two.
import { allocate, trim } from './codes';
import { BYTES, OPERAND, PC } from '../shared/instruction-fields';
import { swap } from '../words/word';

/** Place of the next instruction. */
export let out: usize = 0;

/** Takes room for so many instructions behind `head` bytes, and begins there. 0 when there is none: the execution is aborted (FULL). */
export function reserve(count: usize, head: usize): usize {
  const at = allocate(head + count * BYTES);
  out = at == 0 ? 0 : at + head;
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
  out += BYTES;
}

/** Puts a word of so many bytes behind the last instruction. */
export function putWord(size: u32, from: usize): void {
  const word = out;
  memory.fill(word, 0, 32);
  memory.copy(word + 32 - size, from, size);
  swap(word, word);
  out += 32;
}
