// Reads decoded instructions in a kernel's memory (assembly/shared/instruction-fields.ts).
import * as CODE from '../assembly/shared/code-fields.js';
import * as INSTRUCTION from '../assembly/shared/instruction-fields.js';
import { OPERATIONS, type InterpreterOperation } from '../interpreter-operations.table.js';

/** Gas and stack that a basic block needs. */
export interface BlockRequirements {
  readonly gas: number;
  /**
   * Bytes of stack that the basic block needs below the top, and the largest number of bytes that it adds above the
   * top.
   */
  readonly needed: number;
  readonly added: number;
}

export interface DecodedInstruction {
  readonly operation: InterpreterOperation;
  /** Address of this instruction, and of the next one. */
  readonly at: number;
  readonly next: number;
  readonly pc: number;
  /** Operand of the instruction, as a whole and as its low and high half. */
  readonly operand: bigint;
  readonly low: number;
  readonly high: number;
  /** The word stored after the instruction, if its operation has one; otherwise 0. */
  readonly word: bigint;
}

/** Number of 32-bit parts of a word. */
const WORD_LIMBS = 8;
/** Offset of an instruction's first 32 bits: its operation, and 16 more bits. */
const FIRST = 0;
const OPERATION_MASK = 0xffff;
const UPPER = 8 * INSTRUCTION.BLOCK_RUN_COUNT;
const BY_NUMBER = new Map(OPERATIONS.map((operation) => [operation.number, operation]));
const numberOf = (name: string): number => OPERATIONS.find((operation) => operation.name === name)!.number;
const BLOCK = numberOf('BLOCK');
/** Number of the operation that starts a compiled basic block. */
export const COMPILED_BLOCK_OPERATION = numberOf('COMPILED');

/** Makes the kernel interpret a basic block, and sets its run count. */
export function setBlockRunCount(u32: Uint32Array, block: number, runs: number): void {
  u32[block >>> 2] = BLOCK | (runs << UPPER);
}

/** The decoded instructions of one code. Basic blocks and instructions are identified by their addresses. */
export class DecodedCodeReader {
  /** Address of the table of jump targets. */
  readonly jumps: number;
  /** Length of the code in bytes. */
  readonly length: number;
  readonly #u32: Uint32Array;
  readonly #start: number;

  /** `u32` is the kernel's memory. `entry` is the code's table entry (code-fields.ts). */
  constructor(u32: Uint32Array, entry: number) {
    const field = (at: number): number => u32[(entry + at) >>> 2]!;
    this.#u32 = u32;
    this.#start = field(CODE.FIRST_INSTRUCTION);
    this.jumps = field(CODE.JUMP_TARGET_BLOCK_TABLE);
    this.length = field(CODE.LENGTH);
  }

  /** Lists the basic blocks among the first `instructionsMax` instructions, in the order in which they were decoded. */
  *blocks(instructionsMax: number): Generator<number> {
    let left = instructionsMax;
    for (let run = this.#start; run !== 0; run = this.#ofRun(run, INSTRUCTION.NEXT_DECODED_STRETCH)) {
      const end = this.#ofRun(run, INSTRUCTION.DECODED_STRETCH_END);
      for (let at = run; at < end && left > 0; at = this.after(at), left--) if (this.isBlock(at)) yield at;
    }
  }

  /** Returns the basic block at a jump target; 0 if there is none, or if no jump has reached it yet. */
  destination(target: bigint): number {
    return target < this.length ? this.#u32[(this.jumps >>> 2) + Number(target)]! : 0;
  }

  /** True if a basic block starts at this address. */
  isBlock(at: number): boolean {
    const number = this.#numberAt(at);
    return number === BLOCK || number === COMPILED_BLOCK_OPERATION;
  }

  /** Returns how often a basic block was interpreted; infinite if it is compiled. */
  runsOf(block: number): number {
    return this.#numberAt(block) === BLOCK ? this.#field(block, FIRST) >>> UPPER : Infinity;
  }

  /** Returns the table index of the compiled function that starts with this basic block; `null` if there is none. */
  tableIndexOf(block: number): number | null {
    return this.#numberAt(block) === COMPILED_BLOCK_OPERATION ? this.#field(block, FIRST) >>> UPPER : null;
  }

  setTableIndex(block: number, tableIndex: number): void {
    this.#u32[block >>> 2] = COMPILED_BLOCK_OPERATION | (tableIndex << UPPER);
  }

  needsOf(block: number): BlockRequirements {
    const stack = this.#field(block, INSTRUCTION.SECOND_OPERAND);
    return { gas: this.#field(block, INSTRUCTION.OPERAND), needed: stack & 0xffff, added: stack >>> UPPER };
  }

  operationAt(at: number): InterpreterOperation {
    return BY_NUMBER.get(this.#numberAt(at))!;
  }

  instructionAt(at: number): DecodedInstruction {
    const operation = this.operationAt(at);
    const [low, high] = [this.#field(at, INSTRUCTION.OPERAND), this.#field(at, INSTRUCTION.SECOND_OPERAND)];
    const word = operation.skips > 0 ? this.#wordAt(at + INSTRUCTION.INSTRUCTION_BYTES) : 0n;
    const operand = BigInt(low) | (BigInt(high) << 32n);
    return { operation, at, next: this.after(at), pc: this.#field(at, INSTRUCTION.PC), operand, low, high, word };
  }

  /** Returns the address of the next instruction. */
  after(at: number): number {
    return at + (1 + this.operationAt(at).skips) * INSTRUCTION.INSTRUCTION_BYTES;
  }

  #ofRun(run: number, field: number): number {
    return this.#field(run - INSTRUCTION.STRETCH_HEAD_BYTES, field);
  }

  #numberAt(at: number): number {
    return this.#field(at, FIRST) & OPERATION_MASK;
  }

  #field(at: number, field: number): number {
    return this.#u32[(at + field) >>> 2]!;
  }

  #wordAt(at: number): bigint {
    let word = 0n;
    for (let i = WORD_LIMBS - 1; i >= 0; i--) word = (word << 32n) | BigInt(this.#u32[(at >>> 2) + i]!);
    return word;
  }
}
