// What operations are compiled to. Runs on publisher and estimators.
import type { Instruction } from './code-reader.js';
import { loadWord, storeWord, wordAt } from './memory-code.js';
import { PARAMETER, type TraceWriter } from './trace-writer.js';
import { OP, TYPE } from './wasm-code.js';
import * as compute from './word-code.js';
import { WORD_BYTES } from './word-writer.js';
import { Word, type Limb } from './word.js';

/**
 * How a trace goes on behind an operation: with the next one; with the block at that address; not at all; or through the
 * interpreter, which executes the operation.
 */
export type Next = 'on' | number | 'ended' | 'left';

type Compile = (to: TraceWriter, instruction: Instruction) => Next;
/** Finds a word: an operand, or a part of the instruction. */
type Find = (to: TraceWriter, instruction: Instruction) => Word;

const ALL_ONES = (1n << 256n) - 1n;

const top: Find = ({ stack }) => stack.item(0);
const second: Find = ({ stack }) => stack.item(1);
/** The item that lies the operand, in bytes, below the top. */
const below: Find = ({ stack }, { low }) => stack.item(low / WORD_BYTES);
const operand: Find = (_, { operand: value }) => Word.of(value);
const wordBehind: Find = (_, { word }) => Word.of(word);

// ---- the stack ----

/** Operations that only move items. */
function moves(...steps: readonly ((to: TraceWriter, instruction: Instruction) => void)[]): Compile {
  return (to, instruction) => {
    for (const step of steps) step(to, instruction);
    return 'on';
  };
}

type Half = 'low' | 'high';

function push(half: Half): (to: TraceWriter, instruction: Instruction) => void {
  return ({ stack }, instruction) => stack.push(Word.of(BigInt(instruction[half])));
}

function dup(half: Half): (to: TraceWriter, instruction: Instruction) => void {
  return ({ stack }, instruction) => stack.push(stack.item(instruction[half] / WORD_BYTES));
}

function swap(half: Half): (to: TraceWriter, instruction: Instruction) => void {
  return ({ stack }, instruction) => {
    const depth = instruction[half] / WORD_BYTES;
    const [upper, lower] = [stack.item(0), stack.item(depth)];
    stack.replace(0, lower);
    stack.replace(depth, upper);
  };
}

function drop({ stack }: TraceWriter, { high }: Instruction): void {
  stack.drop(high / WORD_BYTES);
}

// ---- words ----

type Binary = (to: TraceWriter, a: Word, b: Word) => Word;

/** Of two words that it finds; `taken`: items that give way to the answer. */
function binary(of: Binary, a: Find, b: Find, taken: number): Compile {
  return (to, instruction) => {
    const answer = of(to, a(to, instruction), b(to, instruction));
    to.stack.drop(taken);
    to.stack.push(answer);
    return 'on';
  };
}

/** Of the top and the second item. */
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

function load(offset: Find, taken: number): Compile {
  return (to, instruction) => {
    const place = wordAt(to, offset(to, instruction), instruction.at);
    if (place === null) return 'left';
    to.stack.drop(taken);
    to.stack.push(loadWord(to, place));
    return 'on';
  };
}

function store(offset: Find, value: Find, taken: number): Compile {
  return (to, instruction) => {
    const place = wordAt(to, offset(to, instruction), instruction.at);
    if (place === null) return 'left';
    storeWord(to, place, value(to, instruction));
    to.stack.drop(taken);
    return 'on';
  };
}

function memorySize({ code, stack }: TraceWriter): void {
  code.get(PARAMETER.memoryBytes);
  code.op(OP.i64ExtendI32U);
  stack.push(Word.small(code.kept(TYPE.i64)));
}

// ---- jumps ----

/** Goes through a block next, or ends with it. */
export function goOn(to: TraceWriter, block: number): Next {
  const followed = to.facts.followed(block);
  if (followed !== 0) return followed;
  to.goTo(block);
  return 'ended';
}

/** A jump to a constant, where the condition is not 0. */
function branch(targetOf: (instruction: Instruction) => bigint, condition: Find, taken: number): Compile {
  return (to, instruction) => {
    const limb = compute.anyOf(to, condition(to, instruction));
    const target = to.facts.destination(targetOf(instruction));
    if (target === 0) to.when(limb, false, () => to.exit(instruction.at));
    to.stack.drop(taken);
    return target === 0 ? goOn(to, instruction.next) : fork(to, limb, target, instruction.next);
  };
}

/** Goes through one of two blocks next, if through any: `target` where the condition is not 0. */
function fork(to: TraceWriter, condition: Limb, target: number, next: number): Next {
  const followed = to.facts.followed(target, next);
  const other = followed === target ? next : target;
  to.when(condition, other === next, () => to.goTo(other));
  if (followed !== 0) return followed;
  to.goTo(next);
  return 'ended';
}

function jumpTo(to: TraceWriter, target: bigint, taken: number): Next {
  const block = to.facts.destination(target);
  if (block === 0) return 'left';
  to.stack.drop(taken);
  return goOn(to, block);
}

function jump(to: TraceWriter, { at }: Instruction): Next {
  const target = to.stack.item(0);
  if (target.constant !== null) return jumpTo(to, target.constant, 1);
  to.jump(to.words.limbs(target), 1, at);
  return 'ended';
}

function jumpIf(to: TraceWriter, { at, next }: Instruction): Next {
  const target = to.words.limbs(to.stack.item(0));
  const condition = compute.anyOf(to, to.stack.item(1));
  to.when(condition, false, () => to.jump(target, 2, at));
  to.stack.drop(2);
  return goOn(to, next);
}

/** LT or GT, and whether it has to be false: the upper half of the operand says which. */
const comparison: Find = (to, { high }) => {
  const [isGreater, isTurned] = [(high & 0xffff) !== 0, high >>> 16 !== 0];
  const [a, b] = isGreater ? [to.stack.item(1), to.stack.item(0)] : [to.stack.item(0), to.stack.item(1)];
  const answer = compute.less(to, a, b);
  return isTurned ? compute.isZero(to, answer) : answer;
};

const selected: Find = (to, { low }) => compute.equal(to, to.stack.item(0), Word.of(BigInt(low)));
const isTopZero: Find = (to) => compute.isZero(to, to.stack.item(0));

/** Operations that become code of the trace, by their names (operations.table.ts). */
export const COMPILED: Readonly<Record<string, Compile>> = {
  PUSH_SMALL: moves((to, instruction) => to.stack.push(operand(to, instruction))),
  PUSH_WORD: moves((to, instruction) => to.stack.push(wordBehind(to, instruction))),
  DUP: moves(dup('low')),
  SWAP: moves(swap('low')),
  DROP: moves(drop),
  SWAP_POP: moves(({ stack }, { low }) => stack.replace(low / WORD_BYTES, stack.item(0)), drop),
  DUP_DUP: moves(dup('low'), dup('high')),
  PUSH_DUP: moves(push('low'), dup('high')),
  PUSH_PUSH: moves(push('low'), push('high')),
  PUSH_SWAP: moves(push('low'), swap('high')),
  SWAP_SWAP: moves(swap('low'), swap('high')),
  PC: moves(({ stack }, { pc }) => stack.push(Word.of(BigInt(pc)))),
  MSIZE: moves(memorySize),

  ADD: ofTwo(compute.add),
  ADD_SMALL: binary(compute.add, top, operand, 1),
  DUP_ADD: binary(compute.add, top, below, 1),
  SUB: ofTwo(compute.subtract),
  LT: ofTwo(compute.less),
  GT: ofTwo(turned(compute.less)),
  SLT: ofTwo(compute.lessSigned),
  SGT: ofTwo(turned(compute.lessSigned)),
  EQ: ofTwo(compute.equal),
  ISZERO: binary(compute.isZero, top, top, 1),
  AND: ofTwo(compute.and),
  AND_WORD: binary(compute.and, top, wordBehind, 1),
  DUP_AND: binary(compute.and, top, below, 1),
  DUP_AND_WORD: binary(compute.and, below, wordBehind, 0),
  OR: ofTwo(compute.or),
  XOR: ofTwo(compute.xor),
  NOT: binary(compute.xor, top, () => Word.of(ALL_ONES), 1),
  SHL: shift(compute.shiftLeft),
  SHR: shift(compute.shiftRight),

  MLOAD: load(top, 1),
  MLOAD_AT: load(operand, 0),
  DUP_MLOAD: load(below, 0),
  MSTORE: store(top, second, 2),
  MSTORE_AT: store(operand, top, 1),
  DUP_MSTORE: store(below, top, 1),

  JUMP: jump,
  JUMP_TO: (to, { operand: target }) => jumpTo(to, target, 0),
  JUMPI: jumpIf,
  JUMPI_TO: branch(({ operand: target }) => target, top, 1),
  JUMPZ_TO: branch(({ operand: target }) => target, isTopZero, 1),
  COMPARE_JUMP: branch(({ low }) => BigInt(low), comparison, 2),
  SELECT: branch(({ high }) => BigInt(high), selected, 0),
};
