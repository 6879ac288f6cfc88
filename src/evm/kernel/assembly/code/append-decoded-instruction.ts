// Writes the decoded instructions of a code one after another.
//
// shared/instruction-fields.ts defines their fields. A 32-byte operand is stored after its instruction, in the space of
// two further instructions.
import { allocateCodeBytes, trimCodeAllocation } from './code-table';
import { INSTRUCTION_BYTES, OPERAND, PC } from '../shared/instruction-fields';
import { byteSwap } from '../words/word';

/** Address at which the next decoded instruction will be written. */
export let nextInstructionAddress: usize = 0;

/**
 * Allocates `head` bytes, followed by space for this many instructions, and starts writing instructions there. Returns
 * 0 if there is no space, which aborts the execution (TABLE_FULL).
 */
export function reserveInstructions(count: usize, head: usize): usize {
  const at = allocateCodeBytes(head + count * INSTRUCTION_BYTES);
  nextInstructionAddress = at == 0 ? 0 : at + head;
  return nextInstructionAddress;
}

/** Releases the unused space after the last instruction. */
export function releaseUnusedCodeSpace(): void {
  trimCodeAllocation(nextInstructionAddress);
}

/** Appends an instruction. */
@inline
export function appendDecodedInstruction(operation: u32, pc: u32, operand: u64): void {
  store<u32>(nextInstructionAddress, operation);
  store<u32>(nextInstructionAddress, pc, PC);
  store<u64>(nextInstructionAddress, operand, OPERAND);
  nextInstructionAddress += INSTRUCTION_BYTES;
}

/** Appends the 32-byte operand of the last instruction, read from a big-endian number of `size` bytes. */
export function appendWordOperand(size: u32, from: usize): void {
  const word = nextInstructionAddress;
  memory.fill(word, 0, 32);
  memory.copy(word + 32 - size, from, size);
  byteSwap(word, word);
  nextInstructionAddress += 32;
}
