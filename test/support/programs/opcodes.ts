// Instructions by name, and which forks have them.
import { OPCODES as TABLE, type Opcode } from '../../../src/evm/opcodes.table.js';
import { opcodeOfByte } from '../../../src/evm/opcodes.js';

/** The forks that programs are written for, oldest first. */
export const FORKS = ['shanghai', 'cancun', 'prague', 'osaka', 'amsterdam'] as const;
export type Fork = (typeof FORKS)[number];

/** Every instruction, by name. */
export const OPCODES: ReadonlyMap<string, Opcode> = new Map(TABLE.map((row) => [row.name, row]));

/** True if `fork` has the instruction; those from before the first of these forks exist in all of them. */
export function isKnown(opcode: Opcode, fork: Fork): boolean {
  return FORKS.findIndex((first) => first === opcode.since) <= FORKS.indexOf(fork);
}

/** One instruction per line, with its offset. */
export function disassemble(code: Uint8Array): string[] {
  const lines: string[] = [];
  for (let at = 0; at < code.length; at++) {
    const byte = code[at]!;
    const pushed = byte > 0x5f && byte < 0x80 ? byte - 0x5f : 0;
    const data = Buffer.from(code.subarray(at + 1, at + 1 + pushed)).toString('hex');
    lines.push(`${at} ${opcodeOfByte(byte)?.name ?? `0x${byte.toString(16)}`}${pushed > 0 ? ` 0x${data}` : ''}`);
    at += pushed;
  }
  return lines;
}
