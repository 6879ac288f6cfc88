// Writes a trace as a WebAssembly function, with the checks of its basic blocks and with its exits. Parameters and
// result:
//
//   (top of the stack, gas, memory, memory length, first stack item) -> instruction where the interpreter continues
//
// At an exit, the function writes the stack to memory as the interpreter expects it. Top of the stack, gas and memory
// length are written to COMPILED_SP and the fields after it. If another trace follows, the function tail-calls it.
import { RETURNED_BLOCK_NOT_ENTERED } from '../assembly/shared/instruction-fields.js';
import {
  COMPILED_FRAME_MEMORY_BYTES,
  COMPILED_GAS_LEFT,
  COMPILED_SP,
  STACK_BYTES,
} from '../assembly/shared/memory-layout.js';
import type { InterpreterOperation } from '../interpreter-operations.table.js';
import { SymbolicStack } from './symbolic-stack.js';
import { WASM_OP, WASM_TYPE, WasmFunctionCode } from './wasm-code.js';
import { BASE_BELOW_INITIAL_TOP_BYTES, StackWordWriter } from './stack-word-writer.js';
import { WORD_BYTES } from '../../../lib/bytes/big-endian.js';
import { SymbolicWord, type SymbolicLimb } from './symbolic-word.js';
import { type BlockRequirements, COMPILED_BLOCK_OPERATION } from './decoded-code-reader.js';

/**
 * How to reach a basic block: by a function of the same module, by a function in the table, or by the interpreter
 * (null).
 */
export type PathToBlock = { readonly index: number } | { readonly tableIndex: number } | null;

/** What a trace must know about its code and its module. */
export interface JitTraceContext {
  /** Address of the table of jump targets, and length of the code. */
  readonly jumps: number;
  readonly length: number;
  /** Returns the basic block at a jump target; 0 if there is none. */
  readonly destination: (target: bigint) => number;
  /** Returns which of these basic blocks the trace continues with; 0 for none of them. */
  readonly followed: (...blocks: readonly number[]) => number;
  readonly pathTo: (block: number) => PathToBlock;
}

/** Number of stack items that an operation pops and pushes. */
type Items = Pick<InterpreterOperation, 'popped' | 'pushed'>;

/** Indices of the parameters of a trace's function. */
export const JIT_TRACE_PARAMETER = { sp: 0, gas: 1, memory: 2, memoryBytes: 3, stackStart: 4 } as const;
/** WebAssembly types of the parameters of a trace's function. Its result is an i32. */
export const COMPILED_TRACE_PARAMETER_TYPES = [
  WASM_TYPE.i32,
  WASM_TYPE.i64,
  WASM_TYPE.i32,
  WASM_TYPE.i32,
  WASM_TYPE.i32,
] as const;
/** Binary logarithm of the size of an entry in the table of jump targets (4 bytes). */
const ENTRY_BITS = 2;
/**
 * Mask for the operation in an instruction's first 32 bits. If the operation is COMPILED, the upper 16 bits are the
 * index of the compiled function in the WebAssembly table.
 */
const OPERATION_MASK = 0xffff;
const OPERATION_BITS = 16;

/** Writes traces, one at a time. */
export class JitTraceCodegen {
  readonly code = new WasmFunctionCode(COMPILED_TRACE_PARAMETER_TYPES.length);
  readonly words = new StackWordWriter(this.code);
  readonly facts: JitTraceContext;
  stack = new SymbolicStack();
  /** Bytes of stack below and above the initial top that the trace has already checked. */
  #needed = 0;
  #added = 0;

  constructor(facts: JitTraceContext) {
    this.facts = facts;
  }

  /** Starts a trace. Its first basic block must be entered next. */
  begin(): void {
    const { code } = this;
    code.clear();
    this.stack = new SymbolicStack();
    this.#needed = 0;
    this.#added = 0;
    code.get(JIT_TRACE_PARAMETER.sp);
    code.i32(BASE_BELOW_INITIAL_TOP_BYTES);
    code.op(WASM_OP.i32Sub);
    this.words.base = code.kept(WASM_TYPE.i32);
  }

  /** Continues the trace with a basic block. Emits the same checks of gas and stack that the interpreter makes. */
  enter(block: number, { gas, needed, added }: BlockRequirements): void {
    const { code } = this;
    const height = this.stack.height * WORD_BYTES;
    this.#pushIsBelow(BigInt(gas));
    if (needed - height > this.#needed) {
      this.#needed = needed - height;
      this.#pushStackCheck(WASM_OP.i32LtU, this.#needed - WORD_BYTES);
    }
    if (added + height > this.#added) {
      this.#added = added + height;
      this.#pushStackCheck(WASM_OP.i32GtU, STACK_BYTES - WORD_BYTES - this.#added);
    }
    code.if(() => this.exit(block | RETURNED_BLOCK_NOT_ENTERED));
    this.pay(() => code.i64(BigInt(gas)));
  }

  #pushIsBelow(gas: bigint): void {
    this.code.get(JIT_TRACE_PARAMETER.gas);
    this.code.i64(gas);
    this.code.op(WASM_OP.i64LtS);
  }

  #pushStackCheck(comparison: typeof WASM_OP.i32LtU | typeof WASM_OP.i32GtU, bytes: number): void {
    const { code } = this;
    code.get(JIT_TRACE_PARAMETER.sp);
    code.get(JIT_TRACE_PARAMETER.stackStart);
    code.i32(bytes);
    code.op(WASM_OP.i32Add);
    code.op(comparison);
    code.op(WASM_OP.i32Or);
  }

  /** Emits code that subtracts from the gas the value that `push` leaves on WebAssembly's stack. */
  pay(push: () => void): void {
    const { code } = this;
    code.get(JIT_TRACE_PARAMETER.gas);
    push();
    code.op(WASM_OP.i64Sub);
    code.set(JIT_TRACE_PARAMETER.gas);
  }

  // ---- calls of kernel functions ----

  /** Emits a call of a kernel function whose only parameter is the address of the top of the stack. */
  call(index: number, { popped, pushed }: Items): void {
    this.#spill(popped, pushed);
    this.words.pushAddress(this.stack.height);
    this.code.call(index);
    this.#replace(popped, pushed);
  }

  /**
   * Emits a call of a kernel function that charges gas itself. If it fails, the interpreter continues at `instruction`.
   */
  callPaying(index: number, { popped, pushed }: Items, instruction: number): void {
    const { code } = this;
    this.#spill(popped, pushed);
    this.words.pushAddress(this.stack.height);
    for (const parameter of [JIT_TRACE_PARAMETER.gas, JIT_TRACE_PARAMETER.memory, JIT_TRACE_PARAMETER.memoryBytes])
      code.get(parameter);
    code.call(index);
    const left = code.kept(WASM_TYPE.i64);
    this.exitIfNegative(left, instruction);
    code.get(left);
    code.set(JIT_TRACE_PARAMETER.gas);
    this.#replace(popped, pushed);
  }

  /** Writes operands to their positions in memory. First loads into variables all words that this would overwrite. */
  #spill(popped: number, pushed: number): void {
    const { stack, words } = this;
    const operands = Array.from({ length: popped }, (_, depth) => [stack.height - depth, stack.item(depth)] as const);
    const moved = operands.filter(([position, { slot }]) => slot !== position);
    for (const [, word] of moved) words.lift(word);
    for (const [depth, [position]] of operands.entries()) stack.replace(depth, SymbolicWord.at(position));
    const positions = new Set(
      Array.from({ length: Math.max(popped, pushed) }, (_, i) => stack.height - popped + 1 + i),
    );
    for (const word of stack.lyingIn(positions)) {
      if (isAmong(operands, stack, word)) continue;
      words.lift(word);
      word.slot = null;
    }
    words.store(moved);
  }

  #replace(popped: number, pushed: number): void {
    this.stack.drop(popped);
    for (let i = 0; i < pushed; i++) this.stack.push(SymbolicWord.at(this.stack.height + 1));
  }

  // ---- exits of a trace ----

  /** Emits an exit to the interpreter at `instruction`. */
  exit(instruction: number): void {
    this.words.store(this.stack.moved());
    this.#leave(this.stack.height, () => this.code.i32(instruction));
  }

  /** Emits an exit to the interpreter at `instruction`, for the case that a 64-bit variable is negative. */
  exitIfNegative(local: number, instruction: number): void {
    const { code } = this;
    code.get(local);
    code.i64(0n);
    code.op(WASM_OP.i64LtS);
    code.if(() => this.exit(instruction));
  }

  /** Emits an exit to the trace that starts with this basic block. */
  goTo(block: number): void {
    const path = this.facts.pathTo(block);
    if (path === null) return this.exit(block);
    this.words.store(this.stack.moved());
    this.#pushArguments(this.stack.height);
    if ('index' in path) return this.code.returnCall(path.index);
    this.code.i32(path.tableIndex);
    this.code.returnCallIndirect();
  }

  /** Emits `then`, which ends the trace, for the case that a limb is zero (or not zero). */
  when(limb: SymbolicLimb, isZero: boolean, then: () => void): void {
    const { code } = this;
    this.words.push(limb);
    code.op(WASM_OP.i64Eqz);
    if (!isZero) code.op(WASM_OP.i32Eqz);
    code.if(then);
  }

  /**
   * Emits a jump to a position in the EVM code that is given by its limbs, after popping `popped` items. If there is no
   * JUMPDEST, exits to the interpreter at `instruction`, the jump itself.
   */
  jump(target: readonly [SymbolicLimb, ...SymbolicLimb[]], popped: number, instruction: number): void {
    const { code } = this;
    this.#pushIsOutside(target);
    code.if(() => this.exit(instruction));
    this.words.push(target[0]);
    code.op(WASM_OP.i32WrapI64);
    code.i32(ENTRY_BITS);
    code.op(WASM_OP.i32Shl);
    code.loadI32(this.facts.jumps);
    const block = code.kept(WASM_TYPE.i32);
    code.get(block);
    code.op(WASM_OP.i32Eqz);
    code.if(() => this.exit(instruction));
    this.words.store(this.stack.moved(popped));
    this.#goToBlockIn(block, this.stack.height - popped);
  }

  #pushIsOutside([low, ...upper]: readonly [SymbolicLimb, ...SymbolicLimb[]]): void {
    const { code, words } = this;
    words.push(low);
    code.i64(BigInt(this.facts.length));
    code.op(WASM_OP.i64GeU);
    for (const limb of upper) {
      if (limb === 0n) continue;
      words.push(limb);
      code.i64(0n);
      code.op(WASM_OP.i64Ne);
      code.op(WASM_OP.i32Or);
    }
  }

  /** Emits an exit to the basic block whose address is in a variable. The stack is already written to memory. */
  #goToBlockIn(block: number, height: number): void {
    const { code } = this;
    code.get(block);
    code.loadI32(0);
    const operation = code.kept(WASM_TYPE.i32);
    code.get(operation);
    code.i32(OPERATION_MASK);
    code.op(WASM_OP.i32And);
    code.i32(COMPILED_BLOCK_OPERATION);
    code.op(WASM_OP.i32Ne);
    code.if(() => this.#leave(height, () => code.get(block)));
    this.#pushArguments(height);
    code.get(operation);
    code.i32(OPERATION_BITS);
    code.op(WASM_OP.i32ShrU);
    code.returnCallIndirect();
  }

  #pushArguments(height: number): void {
    const { gas, memory, memoryBytes, stackStart } = JIT_TRACE_PARAMETER;
    this.words.pushAddress(height);
    for (const parameter of [gas, memory, memoryBytes, stackStart]) this.code.get(parameter);
  }

  #leave(height: number, pushInstruction: () => void): void {
    const { code } = this;
    code.i32(0);
    this.words.pushAddress(height);
    code.storeI32(COMPILED_SP);
    code.i32(0);
    code.get(JIT_TRACE_PARAMETER.gas);
    code.storeI64(COMPILED_GAS_LEFT);
    code.i32(0);
    code.get(JIT_TRACE_PARAMETER.memoryBytes);
    code.storeI32(COMPILED_FRAME_MEMORY_BYTES);
    pushInstruction();
    code.op(WASM_OP.return);
  }
}

/** True if a word is one of the operands that are already stored at their positions. */
function isAmong(operands: readonly unknown[], stack: SymbolicStack, word: SymbolicWord): boolean {
  return operands.some((_, depth) => stack.item(depth) === word);
}
