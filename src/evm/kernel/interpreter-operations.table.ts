// The operations to which the kernel decodes EVM instructions, one row each, with the functions of
// assembly/instructions/ that execute them.
import { OPCODES, type MemoryOperand } from '../opcodes.table.js';

/** One operation: a case of the interpreter's switch. */
export interface InterpreterOperation {
  readonly number: number;
  readonly name: string;
  /**
   * Name of the function that executes the operation; `null` if the interpreter executes it itself, or if decoding
   * replaces it.
   */
  readonly run: string | null;
  readonly popped: number;
  readonly pushed: number;
  readonly memory: readonly MemoryOperand[];
  readonly writes: boolean;
  /** Number of following instruction slots that the operation's 32-byte operand occupies. */
  readonly skips: number;
}

/**
 * Opcodes that are never executed as such: they decode to DUP, SWAP, PUSH_SMALL or PUSH_WORD, only start a basic block,
 * or are undefined.
 */
const NEVER_RUN = /^(?:PUSH|DUP|SWAP)\d+$|^(?:DUP|SWAP)N$|^JUMPDEST$|^INVALID$/;

/**
 * Opcodes that share a function and a case, to keep the interpreter small: with a case for each, a swap on a DEX took 5
 * % longer.
 */
const SHARED: readonly (readonly [names: RegExp, run: string])[] = [
  [/^LOG\d$/, 'LOG'],
  [/^(?:CALLDATA|CODE|RETURNDATA)COPY$/, 'COPY'],
];

/** Number of the first operation that is not an opcode. */
const FIRST_MADE = 0x100;

type Made = readonly [name: string, popped: number, pushed: number, more?: Partial<InterpreterOperation>];

/** Operations that are not opcodes, in the order of their numbers. */
const MADE: readonly Made[] = [
  // Starts a basic block. The operand has the block's gas (u32), the bytes of stack that the block needs (u16), and the
  // largest number of bytes that it adds (u16).
  ['BLOCK', 0, 0, { run: null }],
  // The operand is the value to push.
  ['PUSH_SMALL', 0, 1],
  // The value to push, a word, occupies the slots of the next two instructions.
  ['PUSH_WORD', 0, 1, { skips: 2 }],
  // The operand is the item's distance from the top in bytes.
  ['DUP', 0, 1],
  ['SWAP', 0, 0],
  // Stands for an opcode that the fork does not have.
  ['UNDEFINED', 0, 0, { run: null }],
  // Replaces BLOCK once the basic block is compiled.
  ['COMPILED', 0, 0, { run: null }],
];

/** All operations: first the EVM's opcodes, then those that only decoding makes. */
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
