// The decoded instructions of a code, stored consecutively.
//
// shared/instruction-fields.ts defines their fields. A 32-byte operand takes the place of the next two instructions.
import { allocate, trim } from './codes';
import { BYTES, OPERAND, PC } from '../shared/instruction-fields';
import { swap } from '../words/word';

/** Address at which the next instruction is written. */
export let out: usize = 0;

/**
 * Allocates `head` bytes and space for this many instructions after them, and starts writing there. Returns 0 if there
 * is no space; the execution is aborted then (FULL).
 */
export function reserve(count: usize, head: usize): usize {
  const at = allocate(head + count * BYTES);
  out = at == 0 ? 0 : at + head;
  return out;
}

/** Releases the space after the last instruction. */
export function release(): void {
  trim(out);
}

/** Appends an instruction. */
@inline
export function emit(operation: u32, pc: u32, operand: u64): void {
  store<u32>(out, operation);
  store<u32>(out, pc, PC);
  store<u64>(out, operand, OPERAND);
  out += BYTES;
}

/** Appends a 32-byte operand after the last instruction, from a big-endian number of `size` bytes. */
export function putWord(size: u32, from: usize): void {
  const word = out;
  memory.fill(word, 0, 32);
  memory.copy(word + 32 - size, from, size);
  swap(word, word);
  out += 32;
}
