// Generates the code of each operation.
import type { DecodedInstruction } from './decoded-code-reader.js';
import { emitLoadWord, emitStoreWord, emitExpandedMemoryAddress } from './memory-codegen.js';
import { JIT_TRACE_PARAMETER, type JitTraceCodegen } from './jit-trace-writer.js';
import { WASM_OP, WASM_TYPE } from './wasm-code.js';
import * as compute from './word-codegen.js';
import { WORD_BYTES } from '../../../lib/bytes/big-endian.js';
import { SymbolicWord, type SymbolicLimb } from './symbolic-word.js';

/**
 * How a trace continues after an operation. `on`: with the next instruction. A number: with the basic block at that
 * address. `ended`: the trace is complete. `left`: the interpreter executes this operation and continues.
 */
export type TraceContinuation = 'on' | number | 'ended' | 'left';

type Compile = (to: JitTraceCodegen, instruction: DecodedInstruction) => TraceContinuation;
/** Finds a word that an operation uses, mostly a stack item. */
type Find = (to: JitTraceCodegen) => SymbolicWord;

const ALL_ONES = (1n << 256n) - 1n;

const top: Find = ({ stack }) => stack.item(0);
const second: Find = ({ stack }) => stack.item(1);

// ---- operations on the stack ----

/** Makes the compile function of an operation that only moves stack items. Such an operation emits no code. */
function moves(move: (to: JitTraceCodegen, instruction: DecodedInstruction) => void): Compile {
  return (to, instruction) => {
    move(to, instruction);
    return 'on';
  };
}

/** Exchanges two items. `one` and `other` are their distances from the top in bytes. */
function exchange({ stack }: JitTraceCodegen, one: number, other: number): void {
  const [upper, lower] = [stack.item(one / WORD_BYTES), stack.item(other / WORD_BYTES)];
  stack.replace(one / WORD_BYTES, lower);
  stack.replace(other / WORD_BYTES, upper);
}

// ---- operations on words ----

type Binary = (to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord) => SymbolicWord;

/** Makes the compile function of an operation on two words. `popped` items are popped before the result is pushed. */
function binary(of: Binary, a: Find, b: Find, popped: number): Compile {
  return (to) => {
    const answer = of(to, a(to), b(to));
    to.stack.drop(popped);
    to.stack.push(answer);
    return 'on';
  };
}

/** Makes the compile function of an operation on the top and the second item. */
function ofTwo(of: Binary): Compile {
  return binary(of, top, second, 2);
}

function turned(of: Binary): Binary {
  return (to, a, b) => of(to, b, a);
}

/** Makes the compile function of SHL or SHR by a constant. */
function shift(of: (to: JitTraceCodegen, bits: bigint, x: SymbolicWord) => SymbolicWord): Compile {
  return (to) => {
    const { constant } = to.stack.item(0);
    if (constant === null) return 'left';
    const answer = of(to, constant, to.stack.item(1));
    to.stack.drop(2);
    to.stack.push(answer);
    return 'on';
  };
}

// ---- operations on memory ----

function load(to: JitTraceCodegen, { at }: DecodedInstruction): TraceContinuation {
  const memoryWord = emitExpandedMemoryAddress(to, to.stack.item(0), at);
  if (memoryWord === null) return 'left';
  to.stack.drop(1);
  to.stack.push(emitLoadWord(to, memoryWord));
  return 'on';
}

function store(to: JitTraceCodegen, { at }: DecodedInstruction): TraceContinuation {
  const memoryWord = emitExpandedMemoryAddress(to, to.stack.item(0), at);
  if (memoryWord === null) return 'left';
  emitStoreWord(to, memoryWord, to.stack.item(1));
  to.stack.drop(2);
  return 'on';
}

function memorySize({ code, stack }: JitTraceCodegen): void {
  code.get(JIT_TRACE_PARAMETER.memoryBytes);
  code.op(WASM_OP.i64ExtendI32U);
  stack.push(SymbolicWord.small(code.kept(WASM_TYPE.i64)));
}

// ---- jumps ----

/** Continues the trace with a basic block, or ends it with an exit to that basic block. */
export function continueWithBlock(to: JitTraceCodegen, block: number): TraceContinuation {
  const followed = to.facts.followed(block);
  if (followed !== 0) return followed;
  to.goTo(block);
  return 'ended';
}

/** Continues the trace with one of two basic blocks if possible. `target` follows if the condition is not 0. */
function fork(to: JitTraceCodegen, condition: SymbolicLimb, target: number, next: number): TraceContinuation {
  const followed = to.facts.followed(target, next);
  const other = followed === target ? next : target;
  to.when(condition, other === next, () => to.goTo(other));
  if (followed !== 0) return followed;
  to.goTo(next);
  return 'ended';
}

function jump(to: JitTraceCodegen, { at }: DecodedInstruction): TraceContinuation {
  const target = to.stack.item(0);
  if (target.constant === null) {
    to.jump(to.words.limbs(target), 1, at);
    return 'ended';
  }
  const block = to.facts.destination(target.constant);
  if (block === 0) return 'left';
  to.stack.drop(1);
  return continueWithBlock(to, block);
}

function jumpIf(to: JitTraceCodegen, instruction: DecodedInstruction): TraceContinuation {
  const { at, next } = instruction;
  const target = to.stack.item(0);
  if (target.constant !== null) return branch(to, target.constant, instruction);
  const limbs = to.words.limbs(target);
  const condition = compute.emitOrOfLimbs(to, to.stack.item(1));
  to.when(condition, false, () => to.jump(limbs, 2, at));
  to.stack.drop(2);
  return continueWithBlock(to, next);
}

/** Compiles a conditional jump to a constant target. */
function branch(to: JitTraceCodegen, constant: bigint, { at, next }: DecodedInstruction): TraceContinuation {
  const condition = compute.emitOrOfLimbs(to, to.stack.item(1));
  const target = to.facts.destination(constant);
  if (target === 0) to.when(condition, false, () => to.exit(at));
  to.stack.drop(2);
  return target === 0 ? continueWithBlock(to, next) : fork(to, condition, target, next);
}

/**
 * Compile functions of the operations that are compiled inline, by operation name (interpreter-operations.table.ts).
 */
export const INLINE_OPERATIONS: Readonly<Record<string, Compile>> = {
  PUSH_SMALL: moves(({ stack }, { operand }) => stack.push(SymbolicWord.of(operand))),
  PUSH_WORD: moves(({ stack }, { word }) => stack.push(SymbolicWord.of(word))),
  // The operands are distances from the top in bytes.
  DUP: moves(({ stack }, { low }) => stack.push(stack.item(low / WORD_BYTES))),
  SWAP: moves((to, { low }) => exchange(to, 0, low)),
  EXCHANGE: moves((to, { low, high }) => exchange(to, low, high)),
  POP: moves(({ stack }) => stack.drop(1)),
  PC: moves(({ stack }, { pc }) => stack.push(SymbolicWord.of(BigInt(pc)))),
  MSIZE: moves(memorySize),

  ADD: ofTwo(compute.emitAdd),
  SUB: ofTwo(compute.emitSubtract),
  LT: ofTwo(compute.emitLess),
  GT: ofTwo(turned(compute.emitLess)),
  SLT: ofTwo(compute.emitLessSigned),
  SGT: ofTwo(turned(compute.emitLessSigned)),
  EQ: ofTwo(compute.emitEqual),
  ISZERO: binary(compute.emitIsZero, top, top, 1),
  AND: ofTwo(compute.emitAnd),
  OR: ofTwo(compute.emitOr),
  XOR: ofTwo(compute.emitXor),
  NOT: binary(compute.emitXor, top, () => SymbolicWord.of(ALL_ONES), 1),
  SHL: shift(compute.emitShiftLeft),
  SHR: shift(compute.emitShiftRight),

  MLOAD: load,
  MSTORE: store,

  JUMP: jump,
  JUMPI: jumpIf,
};
