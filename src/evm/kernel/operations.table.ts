// What the kernel's decoding makes of instructions, a row each, and which function of assembly/instructions/ executes
// what. Runs on publisher and estimators.
import { OPCODES, type MemoryOperand } from '../opcodes.table.js';

/** Memory that an operation touches; its offset may be the instruction's operand, or an item that lies so far below the top. */
export type OperationMemory =
  | MemoryOperand
  | { readonly operand: true; readonly bytes: number }
  | { readonly item: true; readonly bytes: number };

/** A case of the interpreter. */
export interface Operation {
  readonly number: number;
  readonly name: string;
  /**
   * The function that executes it; `null`: decoding makes other operations of it, or the interpreter does it itself.
   */
  readonly run: string | null;
  readonly taken: number;
  readonly given: number;
  readonly memory: readonly OperationMemory[];
  readonly writes: boolean;
  /** Instructions behind this one whose place a word has taken. */
  readonly skips: number;
  /** The upper half of the operand is how far down the stack goes, bytes, instead of `taken` and `given`. */
  readonly drops: boolean;
}

/** Opcodes that become DUP, SWAP, DROP and PUSH_SMALL or PUSH_WORD, only begin a block, or are never there. */
const NEVER_RUN = /^(?:PUSH|DUP|SWAP)\d+$|^POP$|^JUMPDEST$|^INVALID$/;

/** Opcodes that share a function and a case: for less code in the interpreter, where a case each cost a swap 5 %. */
const SHARED: readonly (readonly [names: RegExp, run: string])[] = [
  [/^LOG\d$/, 'LOG'],
  [/^(?:CALLDATA|CODE|RETURNDATA)COPY$/, 'COPY'],
];

/** First number that is no opcode. */
const FIRST_MADE = 0x100;

type Made = readonly [name: string, taken: number, given: number, more?: Partial<Operation>];

/** In the order of their numbers. */
const MADE: readonly Made[] = [
  // Begins a block: operand gas u32, bytes of stack needed u16, bytes of stack added at most u16.
  ['BLOCK', 0, 0, { run: null }],
  // The operand is the value.
  ['PUSH_SMALL', 0, 1],
  // The value, a word, takes the place of the next two instructions.
  ['PUSH_WORD', 0, 1, { skips: 2 }],
  // The operand is the distance of the item from the top, bytes.
  ['DUP', 0, 1],
  ['SWAP', 0, 0],
  // The operand is where to.
  ['JUMP_TO', 0, 0],
  ['JUMPI_TO', 1, 0],
  // Jumps if the item is zero.
  ['JUMPZ_TO', 1, 0],
  // The operand is the second item.
  ['ADD_SMALL', 1, 1],
  // An opcode that the fork does not have.
  ['UNDEFINED', 0, 0, { run: null }],
  ['SWAP_POP', 1, 0, { drops: true }],
  // As many POPs as there are.
  ['DROP', 1, 0, { drops: true }],
  // PUSH and MLOAD, PUSH and MSTORE: the operand is the offset.
  ['MLOAD_AT', 0, 1, { memory: [{ operand: true, bytes: 32 }] }],
  ['MSTORE_AT', 1, 0, { memory: [{ operand: true, bytes: 32 }] }],
  // AND with a constant, which takes the place of the next two instructions.
  ['AND_WORD', 1, 1, { skips: 2 }],
  // DUP1 PUSH4 EQ PUSH2 JUMPI, how contracts find their functions: the operand is selector u32, where to u32.
  ['SELECT', 1, 1],
  // Two of DUP, PUSH_SMALL and SWAP: the operand is that of the first and that of the second, u32 each.
  ['DUP_DUP', 0, 2],
  ['PUSH_DUP', 0, 2],
  ['PUSH_PUSH', 0, 2],
  ['PUSH_SWAP', 0, 1],
  ['SWAP_SWAP', 0, 0],
  // DUP and what takes the copy: the operand is that of DUP.
  ['DUP_ADD', 1, 1],
  ['DUP_AND', 1, 1],
  // The operand is that of DUP; the constant takes the place of the next two instructions.
  ['DUP_AND_WORD', 0, 1, { skips: 2 }],
  // LT or GT, and JUMPI_TO or JUMPZ_TO: the operand is where to u32, whether it is GT u16, whether it is JUMPZ_TO u16.
  ['COMPARE_JUMP', 2, 0],
  ['DUP_MLOAD', 0, 1, { memory: [{ item: true, bytes: 32 }] }],
  ['DUP_MSTORE', 1, 0, { memory: [{ item: true, bytes: 32 }] }],
  // BLOCK, of a block that is compiled.
  ['COMPILED', 0, 0, { run: null }],
];

/** Every operation: those of the EVM, then those that decoding makes. */
export const OPERATIONS: readonly Operation[] = [
  ...OPCODES.map(({ code, name, taken, given, memory, writes }) => {
    return { number: code, name, run: runOf(name), taken, given, memory, writes, skips: 0, drops: false };
  }),
  ...MADE.map(([name, taken, given, more], i) => {
    const number = FIRST_MADE + i;
    return { number, name, run: name, taken, given, memory: [], writes: false, skips: 0, drops: false, ...more };
  }),
];

function runOf(name: string): string | null {
  if (NEVER_RUN.test(name)) return null;
  return SHARED.find(([names]) => names.test(name))?.[1] ?? name;
}
