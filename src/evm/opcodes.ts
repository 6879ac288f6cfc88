// Looks up the properties of opcodes.
import { includesFork } from '../chain/active-forks.js';
import { OPCODES, type MemoryOperand, type Opcode } from './opcodes.table.js';

const BY_CODE = Array.from({ length: 256 }, (_, byte) => OPCODES.find(({ code }) => code === byte));

/** Returns the row of an opcode; undefined for a byte that is not an instruction. */
export function opcodeOfByte(code: number): Opcode | undefined {
  return BY_CODE[code];
}

/** Returns how many stack items the instruction pops; 0 for a byte that is not an instruction. */
export function stackItemsPopped(code: number): number {
  return BY_CODE[code]?.popped ?? 0;
}

/** Returns how many stack items the instruction pushes; 0 for a byte that is not an instruction. */
export function stackItemsPushed(code: number): number {
  return BY_CODE[code]?.pushed ?? 0;
}

/** Returns the memory ranges that the instruction accesses. */
export function memoryOperands(code: number): readonly MemoryOperand[] {
  return BY_CODE[code]?.memory ?? [];
}

/**
 * True if `fork`, which must be London or later, has the instruction. The answer comes from our own table of opcodes,
 * because @ethereumjs may not know the fork.
 */
export function isOpcodeDefined({ since }: Opcode, fork: string): boolean {
  return since !== null && includesFork(fork, since);
}

export function opcodeGas({ gas, repriced }: Opcode, fork: string): number {
  return repriced !== null && includesFork(fork, repriced.since) ? repriced.gas : gas;
}
