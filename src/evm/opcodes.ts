// Looks up opcodes by their codes.
import { includesFork } from '../chain/forks.js';
import { OPCODES, type MemoryOperand, type Opcode } from './opcodes.table.js';

const BY_CODE: readonly (Opcode | undefined)[] = byCode();

/** The row of a code; undefined for a byte that is not an instruction. */
export function opcodeAt(code: number): Opcode | undefined {
  return BY_CODE[code];
}

/** Items that the instruction pops; 0 for a byte that is not an instruction. */
export function stackItemsPopped(code: number): number {
  return BY_CODE[code]?.popped ?? 0;
}

/** Items that it pushes. */
export function stackItemsPushed(code: number): number {
  return BY_CODE[code]?.pushed ?? 0;
}

/** Memory that it accesses. */
export function memoryOperands(code: number): readonly MemoryOperand[] {
  return BY_CODE[code]?.memory ?? [];
}

/** True if `fork`, from London on, has the instruction. The library may not know the fork, so this list is ours. */
export function isOpcodeDefined({ since }: Opcode, fork: string): boolean {
  return since !== null && includesFork(fork, since);
}

export function opcodeGas({ gas, repriced }: Opcode, fork: string): number {
  return repriced !== null && includesFork(fork, repriced.since) ? repriced.gas : gas;
}

function byCode(): (Opcode | undefined)[] {
  const rows = Array.from({ length: 256 }, (): Opcode | undefined => undefined);
  for (const opcode of OPCODES) rows[opcode.code] = opcode;
  return rows;
}
