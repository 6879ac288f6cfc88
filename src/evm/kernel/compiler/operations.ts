// How each operation is compiled.
import type { Instruction } from './code-reader.js';
import { loadWord, storeWord, wordAt } from './memory-code.js';
import { PARAMETER, type TraceWriter } from './trace-writer.js';
import { OP, TYPE } from './wasm-code.js';
import * as compute from './word-code.js';
import { WORD_BYTES } from '../../../lib/bytes/big-endian.js';
import { Word, type Limb } from './word.js';

/**
 * How a trace continues after an operation. `on`: with the next one. A number: with the block at that address. `ended`:
 * not at all. `left`: in the interpreter, which executes the operation.
 */
export type Next = 'on' | number | 'ended' | 'left';

type Compile = (to: TraceWriter, instruction: Instruction) => Next;
/** Finds a word: a stack item, or the operand of the instruction. */
type Find = (to: TraceWriter, instruction: Instruction) => Word;

const ALL_ONES = (1n << 256n) - 1n;

const top: Find = ({ stack }) => stack.item(0);
const second: Find = ({ stack }) => stack.item(1);
const operand: Find = (_, { operand: value }) => Word.of(value);
const wordBehind: Find = (_, { word }) => Word.of(word);

// ---- the stack ----

/** Operations that only move items. */
function moves(move: (to: TraceWriter, instruction: Instruction) => void): Compile {
  return (to, instruction) => {
    move(to, instruction);
    return 'on';
  };
}

/** Copies the item whose distance from the top, in bytes, is the operand. */
function dup({ stack }: TraceWriter, { low }: Instruction): void {
  stack.push(stack.item(low / WORD_BYTES));
}

function swap({ stack }: TraceWriter, { low }: Instruction): void {
  const depth = low / WORD_BYTES;
  const [upper, lower] = [stack.item(0), stack.item(depth)];
  stack.replace(0, lower);
  stack.replace(depth, upper);
}

/** Exchanges the two items whose distances from the top, in bytes, are the halves of the operand. */
function exchange({ stack }: TraceWriter, { low, high }: Instruction): void {
  const [one, other] = [low / WORD_BYTES, high / WORD_BYTES];
  const [upper, lower] = [stack.item(one), stack.item(other)];
  stack.replace(one, lower);
  stack.replace(other, upper);
}

// ---- words ----

type Binary = (to: TraceWriter, a: Word, b: Word) => Word;

/** An operation on two words. `popped` is how many items are popped before the result is pushed. */
function binary(of: Binary, a: Find, b: Find, popped: number): Compile {
  return (to, instruction) => {
    const answer = of(to, a(to, instruction), b(to, instruction));
    to.stack.drop(popped);
    to.stack.push(answer);
    return 'on';
  };
}

/** An operation on the top and the second item. */
function ofTwo(of: Binary): Compile {
  return binary(of, top, second, 2);
}

function turned(of: Binary): Binary {
  return (to, a, b) => of(to, b, a);
}

/** SHL and SHR by a constant. */
function shift(of: (to: TraceWriter, bits: bigint, x: Word) => Word): Compile {
  return (to) => {
    const { constant } = to.stack.item(0);
    if (constant === null) return 'left';
    const answer = of(to, constant, to.stack.item(1));
    to.stack.drop(2);
    to.stack.push(answer);
    return 'on';
  };
}

// ---- memory ----

function load(to: TraceWriter, { at }: Instruction): Next {
  const memoryWord = wordAt(to, to.stack.item(0), at);
  if (memoryWord === null) return 'left';
  to.stack.drop(1);
  to.stack.push(loadWord(to, memoryWord));
  return 'on';
}

function store(to: TraceWriter, { at }: Instruction): Next {
  const memoryWord = wordAt(to, to.stack.item(0), at);
  if (memoryWord === null) return 'left';
  storeWord(to, memoryWord, to.stack.item(1));
  to.stack.drop(2);
  return 'on';
}

function memorySize({ code, stack }: TraceWriter): void {
  code.get(PARAMETER.memoryBytes);
  code.op(OP.i64ExtendI32U);
  stack.push(Word.small(code.kept(TYPE.i64)));
}

// ---- jumps ----

/** Continues the trace with a block, or ends it by going to that block. */
export function goOn(to: TraceWriter, block: number): Next {
  const followed = to.facts.followed(block);
  if (followed !== 0) return followed;
  to.goTo(block);
  return 'ended';
}

/** Continues the trace with one of two blocks if possible; with `target` if the condition is not 0. */
function fork(to: TraceWriter, condition: Limb, target: number, next: number): Next {
  const followed = to.facts.followed(target, next);
  const other = followed === target ? next : target;
  to.when(condition, other === next, () => to.goTo(other));
  if (followed !== 0) return followed;
  to.goTo(next);
  return 'ended';
}

function jump(to: TraceWriter, { at }: Instruction): Next {
  const target = to.stack.item(0);
  if (target.constant === null) {
    to.jump(to.words.limbs(target), 1, at);
    return 'ended';
  }
  const block = to.facts.destination(target.constant);
  if (block === 0) return 'left';
  to.stack.drop(1);
  return goOn(to, block);
}

function jumpIf(to: TraceWriter, instruction: Instruction): Next {
  const { at, next } = instruction;
  const target = to.stack.item(0);
  if (target.constant !== null) return branch(to, target.constant, instruction);
  const limbs = to.words.limbs(target);
  const condition = compute.anyOf(to, to.stack.item(1));
  to.when(condition, false, () => to.jump(limbs, 2, at));
  to.stack.drop(2);
  return goOn(to, next);
}

/** Jumps to a constant target if the condition is not 0. */
function branch(to: TraceWriter, constant: bigint, { at, next }: Instruction): Next {
  const condition = compute.anyOf(to, to.stack.item(1));
  const target = to.facts.destination(constant);
  if (target === 0) to.when(condition, false, () => to.exit(at));
  to.stack.drop(2);
  return target === 0 ? goOn(to, next) : fork(to, condition, target, next);
}

/** The operations that are compiled inline, by name (operations.table.ts). */
export const COMPILED: Readonly<Record<string, Compile>> = {
  PUSH_SMALL: moves((to, instruction) => to.stack.push(operand(to, instruction))),
  PUSH_WORD: moves((to, instruction) => to.stack.push(wordBehind(to, instruction))),
  DUP: moves(dup),
  SWAP: moves(swap),
  EXCHANGE: moves(exchange),
  POP: moves(({ stack }) => stack.drop(1)),
  PC: moves(({ stack }, { pc }) => stack.push(Word.of(BigInt(pc)))),
  MSIZE: moves(memorySize),

  ADD: ofTwo(compute.add),
  SUB: ofTwo(compute.subtract),
  LT: ofTwo(compute.less),
  GT: ofTwo(turned(compute.less)),
  SLT: ofTwo(compute.lessSigned),
  SGT: ofTwo(turned(compute.lessSigned)),
  EQ: ofTwo(compute.equal),
  ISZERO: binary(compute.isZero, top, top, 1),
  AND: ofTwo(compute.and),
  OR: ofTwo(compute.or),
  XOR: ofTwo(compute.xor),
  NOT: binary(compute.xor, top, () => Word.of(ALL_ONES), 1),
  SHL: shift(compute.shiftLeft),
  SHR: shift(compute.shiftRight),

  MLOAD: load,
  MSTORE: store,

  JUMP: jump,
  JUMPI: jumpIf,
};
