// Writes the decoded instructions of a code one after another.
//
// shared/instruction-fields.ts defines their fields. If an instruction has a 32-byte operand, it occupies the slots of
// the next two instructions.
import { allocateCodeBytes, trimCodeAllocation } from './code-table';
import { INSTRUCTION_BYTES, OPERAND, PC } from '../shared/instruction-fields';
import { swap } from '../words/word';

/** Address at which the next decoded instruction will be written. */
export let instructionEnd: usize = 0;

/**
 * Allocates `head` bytes, followed by space for this many instructions, and starts writing instructions there. Returns
 * 0 if there is no space, which aborts the execution (TABLE_FULL).
 */
export function reserveInstructions(count: usize, head: usize): usize {
  const at = allocateCodeBytes(head + count * INSTRUCTION_BYTES);
  instructionEnd = at == 0 ? 0 : at + head;
  return instructionEnd;
}

/** Releases the unused space after the last instruction. */
export function releaseReserved(): void {
  trimCodeAllocation(instructionEnd);
}

/** Appends an instruction. */
@inline
export function emitInstruction(operation: u32, pc: u32, operand: u64): void {
  store<u32>(instructionEnd, operation);
  store<u32>(instructionEnd, pc, PC);
  store<u64>(instructionEnd, operand, OPERAND);
  instructionEnd += INSTRUCTION_BYTES;
}

/** Appends the 32-byte operand of the last instruction, read from a big-endian number of `size` bytes. */
export function emitWordOperand(size: u32, from: usize): void {
  const word = instructionEnd;
  memory.fill(word, 0, 32);
  memory.copy(word + 32 - size, from, size);
  swap(word, word);
  instructionEnd += 32;
}
