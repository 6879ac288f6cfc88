// Reads a decoded code where it lies in a kernel's memory (assembly/instruction.ts). Runs on publisher and estimators.
import * as CODE from '../assembly/shared/code-fields.js';
import { OPERATIONS } from '../operations.table.js';
import type { BlockNeeds } from './trace-writer.js';

/** One instruction. */
export interface Instruction {
  /** Of its operation. */
  readonly name: string;
  /** Its address, and that of the next one. */
  readonly at: number;
  readonly next: number;
  /** Its position in the code. */
  readonly pc: number;
  /** The operand, and its halves. */
  readonly operand: bigint;
  readonly low: number;
  readonly high: number;
  /** The word behind it, where it has one. */
  readonly word: bigint;
}

const INSTRUCTION_BYTES = 16;
const WORD_LIMBS = 8;
/** Fields of an instruction, 32 bits each. */
const FIELD = { operation: 0, pc: 1, low: 2, high: 3 } as const;
const OPERATION_MASK = 0xffff;
const UPPER = 16;
const BY_NUMBER = new Map(OPERATIONS.map((operation) => [operation.number, operation]));
const [BLOCK, STOP, COMPILED] = ['BLOCK', 'STOP', 'COMPILED'].map(
  (name) => OPERATIONS.find((operation) => operation.name === name)!.number,
) as [number, number, number];

/** Number of the operation that begins a compiled block. */
export const COMPILED_BLOCK = COMPILED;

/** Has a block that is compiled run by the interpreter, and its runs counted from 0 on. */
export function interpret(u32: Uint32Array, block: number): void {
  u32[block >>> 2] = BLOCK;
}

/** One code; blocks and instructions are named by their addresses. */
export class CodeReader {
  /** Address of the table of jumps. */
  readonly jumps: number;
  /** Bytes of the code. */
  readonly length: number;
  readonly #u32: Uint32Array;
  readonly #start: number;

  /** `u32`: the memory. `entry`: the code's (code-fields.ts). */
  constructor(u32: Uint32Array, entry: number) {
    const field = (at: number): number => u32[(entry + at) >>> 2]!;
    this.#u32 = u32;
    this.#start = field(CODE.START);
    this.jumps = field(CODE.JUMPS);
    this.length = field(CODE.LENGTH);
  }

  /** The blocks among so many instructions, from the first one on. */
  *blocks(instructionsMax: number): Generator<number> {
    let at = this.#start;
    for (let i = 0; i < instructionsMax && !this.#isEnd(at); i++, at = this.after(at)) if (this.isBlock(at)) yield at;
  }

  /** Where a jump leads, 0 for nowhere. */
  destination(target: bigint): number {
    return target < this.length ? this.#u32[(this.jumps >>> 2) + Number(target)]! : 0;
  }

  /** Whether a block begins there. */
  isBlock(at: number): boolean {
    const number = this.#numberAt(at);
    return number === BLOCK || number === COMPILED;
  }

  /** How often a block has run; infinitely often where it is compiled. */
  runsOf(block: number): number {
    return this.#numberAt(block) === BLOCK ? this.#field(block, FIELD.operation) >>> UPPER : Infinity;
  }

  /** Has a block that is not compiled count its runs from there on. */
  setRuns(block: number, runs: number): void {
    this.#u32[block >>> 2] = BLOCK | (runs << UPPER);
  }

  /** The place in the table of a block that is compiled; `null` of another. */
  placeOf(block: number): number | null {
    return this.#numberAt(block) === COMPILED ? this.#field(block, FIELD.operation) >>> UPPER : null;
  }

  /** Has a block run by the function at that place in the table. */
  setPlace(block: number, place: number): void {
    this.#u32[block >>> 2] = COMPILED | (place << UPPER);
  }

  needsOf(block: number): BlockNeeds {
    const stack = this.#field(block, FIELD.high);
    return { gas: this.#field(block, FIELD.low), needed: stack & 0xffff, added: stack >>> UPPER };
  }

  instructionAt(at: number): Instruction {
    const { name, skips } = BY_NUMBER.get(this.#numberAt(at))!;
    const [low, high] = [this.#field(at, FIELD.low), this.#field(at, FIELD.high)];
    const word = skips > 0 ? this.#wordAt(at + INSTRUCTION_BYTES) : 0n;
    const operand = BigInt(low) | (BigInt(high) << 32n);
    return { name, at, next: this.after(at), pc: this.#field(at, FIELD.pc), operand, low, high, word };
  }

  /** The instruction behind this one. */
  after(at: number): number {
    return at + (1 + BY_NUMBER.get(this.#numberAt(at))!.skips) * INSTRUCTION_BYTES;
  }

  /** A STOP behind the last byte is the last instruction. */
  #isEnd(at: number): boolean {
    return this.#numberAt(at) === STOP && this.#field(at, FIELD.pc) === this.length;
  }

  #numberAt(at: number): number {
    return this.#field(at, FIELD.operation) & OPERATION_MASK;
  }

  #field(at: number, field: number): number {
    return this.#u32[(at >>> 2) + field]!;
  }

  #wordAt(at: number): bigint {
    let word = 0n;
    for (let i = WORD_LIMBS - 1; i >= 0; i--) word = (word << 32n) | BigInt(this.#u32[(at >>> 2) + i]!);
    return word;
  }
}
