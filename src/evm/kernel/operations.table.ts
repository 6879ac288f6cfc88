// The operations to which the kernel decodes instructions, one row each, with the functions of assembly/instructions/
// that execute them.
import { OPCODES, type MemoryOperand } from '../opcodes.table.js';

/** A case of the interpreter's switch. */
export interface InterpreterOperation {
  readonly number: number;
  readonly name: string;
  /** The function that executes it; `null` if decoding replaces it, or the interpreter executes it itself. */
  readonly run: string | null;
  readonly popped: number;
  readonly pushed: number;
  readonly memory: readonly MemoryOperand[];
  readonly writes: boolean;
  /** Number of instruction slots after this one that its word occupies. */
  readonly skips: number;
}

/** Opcodes that decode to DUP, SWAP, PUSH_SMALL or PUSH_WORD, only start a block, or are never executed. */
const NEVER_RUN = /^(?:PUSH|DUP|SWAP)\d+$|^(?:DUP|SWAP)N$|^JUMPDEST$|^INVALID$/;

/** Opcodes that share a function and a case: it keeps the code small; with a case each, a swap took 5 % longer. */
const SHARED: readonly (readonly [names: RegExp, run: string])[] = [
  [/^LOG\d$/, 'LOG'],
  [/^(?:CALLDATA|CODE|RETURNDATA)COPY$/, 'COPY'],
];

/** First number of an operation that is not an opcode. */
const FIRST_MADE = 0x100;

type Made = readonly [name: string, popped: number, pushed: number, more?: Partial<InterpreterOperation>];

/** Operations that are not opcodes, in the order of their numbers. */
const MADE: readonly Made[] = [
  // Starts a block. The operand is gas (u32), bytes of stack needed (u16), and most bytes of stack added (u16).
  ['BLOCK', 0, 0, { run: null }],
  // The operand is the value.
  ['PUSH_SMALL', 0, 1],
  // The value, a word, occupies the slots of the next two instructions.
  ['PUSH_WORD', 0, 1, { skips: 2 }],
  // The operand is the distance of the item from the top, in bytes.
  ['DUP', 0, 1],
  ['SWAP', 0, 0],
  // An opcode that the fork does not have.
  ['UNDEFINED', 0, 0, { run: null }],
  // BLOCK, for a block that is compiled.
  ['COMPILED', 0, 0, { run: null }],
];

/** Every operation: those of the EVM, then those that only decoding makes. */
export const OPERATIONS: readonly InterpreterOperation[] = [
  ...OPCODES.map(({ code, name, popped, pushed, memory, writes }) => {
    return { number: code, name, run: runOf(name), popped, pushed, memory, writes, skips: 0 };
  }),
  ...MADE.map(([name, popped, pushed, more], i) => {
    const number = FIRST_MADE + i;
    return { number, name, run: name, popped, pushed, memory: [], writes: false, skips: 0, ...more };
  }),
];

function runOf(name: string): string | null {
  if (NEVER_RUN.test(name)) return null;
  return SHARED.find(([names]) => names.test(name))?.[1] ?? name;
}
