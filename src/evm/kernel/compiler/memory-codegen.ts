// Generates code for instructions that read and write the call frame's memory.
import { EXTEND_MEMORY_INDEX } from './kernel-functions.js';
import { JIT_TRACE_PARAMETER, type JitTraceCodegen } from './jit-trace-writer.js';
import { WASM_OP, WASM_TYPE } from './wasm-code.js';
import { WORD_BYTES } from '../../../lib/bytes/big-endian.js';
import { SymbolicWord, type SymbolicLimb } from './symbolic-word.js';

/** Address of 32 bytes of memory: the value of a variable, plus a constant. */
export interface MemoryAddress {
  readonly local: number;
  readonly added: number;
}

/** Largest constant that can be encoded as an offset in a WebAssembly instruction. */
const CONSTANT_MAX = 0xfff_ffffn;
const OFFSET_MAX = 0xffff_ffffn;
const HALF_BYTES = 16;

/**
 * Emits code that computes the address of the word at an offset, and extends memory and pays for that. If this fails,
 * the code exits to the interpreter. Returns `null` if it would always fail.
 */
export function emitExpandedMemoryAddress(
  to: JitTraceCodegen,
  offset: SymbolicWord,
  instruction: number,
): MemoryAddress | null {
  const { constant } = offset;
  if (constant !== null && constant > CONSTANT_MAX) return null;
  const [low, ...upper] = to.words.limbs(offset);
  if (constant === null) exitIfFar(to, [low, ...upper], instruction);
  reach(to, low, instruction);
  if (constant !== null) return { local: JIT_TRACE_PARAMETER.memory, added: Number(constant) };
  to.code.get(JIT_TRACE_PARAMETER.memory);
  to.words.push(low);
  to.code.op(WASM_OP.i32WrapI64);
  to.code.op(WASM_OP.i32Add);
  return { local: to.code.kept(WASM_TYPE.i32), added: 0 };
}

/** Emits an exit to the interpreter for offsets of more than 32 bits. */
function exitIfFar(
  to: JitTraceCodegen,
  [low, ...upper]: readonly [SymbolicLimb, ...SymbolicLimb[]],
  instruction: number,
): void {
  const { code, words } = to;
  words.push(low);
  for (const limb of upper) {
    if (limb === 0n) continue;
    words.push(limb);
    code.op(WASM_OP.i64Or);
  }
  code.i64(OFFSET_MAX);
  code.op(WASM_OP.i64GtU);
  code.if(() => to.exit(instruction));
}

function reach(to: JitTraceCodegen, offset: SymbolicLimb, instruction: number): void {
  const { code, words } = to;
  words.push(offset);
  code.i64(BigInt(WORD_BYTES));
  code.op(WASM_OP.i64Add);
  const end = code.kept(WASM_TYPE.i64);
  code.get(end);
  code.get(JIT_TRACE_PARAMETER.memoryBytes);
  code.op(WASM_OP.i64ExtendI32U);
  code.op(WASM_OP.i64GtU);
  code.if(() => extend(to, end, instruction));
}

/** Emits a call of the kernel function that extends memory to `end`, and charges the gas that it returns. */
function extend(to: JitTraceCodegen, end: number, instruction: number): void {
  const { code } = to;
  for (const argument of [JIT_TRACE_PARAMETER.memory, JIT_TRACE_PARAMETER.memoryBytes, end, JIT_TRACE_PARAMETER.gas])
    code.get(argument);
  code.call(EXTEND_MEMORY_INDEX);
  const cost = code.kept(WASM_TYPE.i64);
  to.exitIfNegative(cost, instruction);
  to.pay(() => code.get(cost));
  code.get(end);
  code.op(WASM_OP.i32WrapI64);
  code.i32(WORD_BYTES - 1);
  code.op(WASM_OP.i32Add);
  code.i32(-WORD_BYTES);
  code.op(WASM_OP.i32And);
  code.set(JIT_TRACE_PARAMETER.memoryBytes);
}

/** Emits code that reads a big-endian word from memory. */
export function emitLoadWord({ code }: JitTraceCodegen, { local, added }: MemoryAddress): SymbolicWord {
  const word = new SymbolicWord();
  for (let h = 0; h < 2; h++) {
    code.get(local);
    code.loadV128(added + HALF_BYTES * (1 - h));
    code.turned(code.kept(WASM_TYPE.v128));
    word.halves[h] = code.kept(WASM_TYPE.v128);
  }
  return word;
}

/** Emits code that writes a big-endian word to memory. */
export function emitStoreWord(
  { code, words }: JitTraceCodegen,
  { local, added }: MemoryAddress,
  word: SymbolicWord,
): void {
  for (let h = 0; h < 2; h++) {
    const half = words.half(word, h);
    code.get(local);
    code.turned(half);
    code.storeV128(added + HALF_BYTES * (1 - h));
  }
}
