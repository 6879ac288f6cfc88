// Reads a decoded code where it lies in a kernel's memory (assembly/shared/instruction-fields.ts). Runs on publisher and estimators.
import * as CODE from '../assembly/shared/code-fields.js';
import * as INSTRUCTION from '../assembly/shared/instruction-fields.js';
import { OPERATIONS, type Operation } from '../operations.table.js';

/** Gas and stack that a block needs. */
export interface BlockNeeds {
  readonly gas: number;
  /** Bytes of the stack that it takes, and that it adds at most. */
  readonly needed: number;
  readonly added: number;
}

/** One instruction. */
export interface Instruction {
  /** Its row of the table. */
  readonly operation: Operation;
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

/** Parts of a word of 32 bits. */
const WORD_PARTS = 8;
/** Its operation and the 16 bits behind are the first 32 of an instruction. */
const FIRST = 0;
const OPERATION_MASK = 0xffff;
const UPPER = 8 * INSTRUCTION.RUNS;
const BY_NUMBER = new Map(OPERATIONS.map((operation) => [operation.number, operation]));
const numberOf = (name: string): number => OPERATIONS.find((operation) => operation.name === name)!.number;
const BLOCK = numberOf('BLOCK');
/** Number of the operation that begins a compiled block. */
export const COMPILED_BLOCK = numberOf('COMPILED');

/** Has the interpreter run a block, and count its runs from there on. */
export function setRuns(u32: Uint32Array, block: number, runs: number): void {
  u32[block >>> 2] = BLOCK | (runs << UPPER);
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

  /** The blocks among so many instructions, in the order in which they were decoded. */
  *blocks(instructionsMax: number): Generator<number> {
    let left = instructionsMax;
    for (let run = this.#start; run !== 0; run = this.#ofRun(run, INSTRUCTION.NEXT)) {
      const end = this.#ofRun(run, INSTRUCTION.END);
      for (let at = run; at < end && left > 0; at = this.after(at), left--) if (this.isBlock(at)) yield at;
    }
  }

  /** The block that a jump leads to, 0 for nowhere, or where none has led yet. */
  destination(target: bigint): number {
    return target < this.length ? this.#u32[(this.jumps >>> 2) + Number(target)]! : 0;
  }

  /** True if a block begins there. */
  isBlock(at: number): boolean {
    const number = this.#numberAt(at);
    return number === BLOCK || number === COMPILED_BLOCK;
  }

  /** Runs of a block; infinitely often where it is compiled. */
  runsOf(block: number): number {
    return this.#numberAt(block) === BLOCK ? this.#field(block, FIRST) >>> UPPER : Infinity;
  }

  /** The place in the table of a block that is compiled; `null` of another. */
  placeOf(block: number): number | null {
    return this.#numberAt(block) === COMPILED_BLOCK ? this.#field(block, FIRST) >>> UPPER : null;
  }

  /** Has a block run by the function at that place in the table. */
  setPlace(block: number, place: number): void {
    this.#u32[block >>> 2] = COMPILED_BLOCK | (place << UPPER);
  }

  needsOf(block: number): BlockNeeds {
    const stack = this.#field(block, INSTRUCTION.SECOND);
    return { gas: this.#field(block, INSTRUCTION.OPERAND), needed: stack & 0xffff, added: stack >>> UPPER };
  }

  /** Operation that is executed there. */
  operationAt(at: number): Operation {
    return BY_NUMBER.get(this.#numberAt(at))!;
  }

  instructionAt(at: number): Instruction {
    const operation = this.operationAt(at);
    const [low, high] = [this.#field(at, INSTRUCTION.OPERAND), this.#field(at, INSTRUCTION.SECOND)];
    const word = operation.skips > 0 ? this.#wordAt(at + INSTRUCTION.BYTES) : 0n;
    const operand = BigInt(low) | (BigInt(high) << 32n);
    return { operation, at, next: this.after(at), pc: this.#field(at, INSTRUCTION.PC), operand, low, high, word };
  }

  /** The instruction behind this one. */
  after(at: number): number {
    return at + (1 + this.operationAt(at).skips) * INSTRUCTION.BYTES;
  }

  #ofRun(run: number, field: number): number {
    return this.#field(run - INSTRUCTION.RUN_BYTES, field);
  }

  #numberAt(at: number): number {
    return this.#field(at, FIRST) & OPERATION_MASK;
  }

  #field(at: number, field: number): number {
    return this.#u32[(at + field) >>> 2]!;
  }

  #wordAt(at: number): bigint {
    let word = 0n;
    for (let i = WORD_PARTS - 1; i >= 0; i--) word = (word << 32n) | BigInt(this.#u32[(at >>> 2) + i]!);
    return word;
  }
}
