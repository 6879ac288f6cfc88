// Random statements that leave the stack as it was, or a little higher.
import { hotSlot } from './acts.js';
import { juggle, lateJump, readBack } from './blocks.js';
import { call, callPrecompile, create, destroy, recurse, reenter, tryOut } from './calls.js';
import {
  address,
  arithmetic,
  constantOperand,
  expression,
  positions,
  region,
  slot,
  surroundings,
} from './expressions.js';
import { manyMapped, mapped, shortHashed } from './mappings.js';
import { overlap, readBehind } from './memory.js';
import { note } from './notes.js';
import type { Random, Weighted } from './random.js';
import { attempt, fillAndEmpty, inspect, watchCreated } from './scenarios.js';
import { HUGE, memoryLength, memoryOffset, randomWord, SLOTS, slotValue } from './values.js';
import { isKnown, OPCODES } from './opcodes.js';
import { known, type Writing } from './writing.js';

/** Writes this many statements. */
export function program(writing: Writing, length: number): void {
  for (let i = 0; i < length; i++) {
    writing.code.begin();
    statement(writing);
  }
}

function statement(writing: Writing): void {
  const { random, depth, nesting, code } = writing;
  if (code.height > 24) return gather(writing, 4);
  const kinds = depth > 1 ? FLAT : nesting > 1 ? [...FLAT, ...NESTED] : [...FLAT, ...NESTED, ...CREATING];
  random.weighted(kinds)(writing);
}

type Write = (writing: Writing) => unknown;

const FLAT: Weighted<Write> = [
  [8, (writing) => (expression(writing, 3), sink(writing))],
  [4, (writing) => (arithmetic(writing), note(writing))],
  [2, (writing) => (positions(writing), note(writing))],
  [1.5, (writing) => (surroundings(writing), note(writing))],
  [4, (writing) => (expression(writing), writing.code.push(memoryOffset(writing.random)).op('MSTORE'))],
  [1, (writing) => (expression(writing), writing.code.push(memoryOffset(writing.random)).op('MSTORE8'))],
  [
    1,
    (writing) => (
      writing.code.push(memoryOffset(writing.random)),
      expression(writing),
      writing.code.op('DUP2', 'MSTORE')
    ),
  ],
  [6, (writing) => (writing.code.push(slotValue(writing.random)), slot(writing), writing.code.op('SSTORE'))],
  [1.5, storeAgain],
  [4, (writing) => (writing.code.push(slotValue(writing.random)), anySlot(writing), storeForNow(writing))],
  [2, inspect],
  [3, mapped],
  [0.5, manyMapped],
  [1.5, shortHashed],
  [4, copy],
  [0.7, overlap],
  [0.7, readBehind],
  [0.7, readBack],
  [1.5, juggle],
  [0.7, lastByte],
  [0.7, hash],
  [3, log],
  [4, shuffle],
  [1.5, reachDeep],
  [2, (writing) => (expression(writing), constantOperand(writing), sink(writing))],
  [0.2, hugeMemory],
  [0.02, ({ random, code }) => code.raw(random.bytes(random.between(1, 6)))],
];
const NESTED: Weighted<Write> = [
  [9, call],
  [2, callPrecompile],
  [1.5, reenter],
  [1.5, attempt],
  [1.5, fillAndEmpty],
  [0.05, recurse],
  [3, loop],
  [2, guarded],
  [2, computedJump],
  [1, lateJump],
  [1, subroutine],
  [1, throughPushData],
  [0.4, behindPushes],
  [0.12, intoPushData],
  [0.6, jumpAbove],
  [2, selectors],
  [0.3, (writing) => conditional(writing, () => destroy(writing))],
  [0.5, (writing) => conditional(writing, () => leave(writing))],
];
const CREATING: Weighted<Write> = [
  [3, create],
  [1.5, tryOut],
  [0.25, flood],
  [2.5, watchCreated],
];

/** Consumes the top word. */
function sink(writing: Writing): void {
  const { random, code } = writing;
  switch (random.below(10)) {
    case 0:
    case 1:
      slot(writing);
      code.op('SSTORE');
      break;
    case 2:
    case 3:
      return;
    case 4:
      code.op('POP');
      break;
    default:
      note(writing);
  }
}

/** Combines the stack items above `height` into one word of memory. */
export function gather({ random, code }: Writing, height: number): void {
  while (code.height > height + 1) code.op(random.pick(['XOR', 'ADD', 'SUB']));
  if (code.height > height) code.push(random.below(16) * 32).op('MSTORE');
}

/** Stores several values in one slot, one after the other. */
function storeAgain({ random, code }: Writing): void {
  const slotNumber = random.pick(SLOTS);
  for (let i = random.between(2, 4); i > 0; i--) code.push(random.below(3)).push(slotNumber).op('SSTORE');
}

function storeForNow(writing: Writing): void {
  writing.code.op(known(writing, ['TSTORE', 'SSTORE'])[0]!);
}

/** Half the time a slot that other code accesses as well. */
function anySlot(writing: Writing): void {
  if (writing.random.chance(0.5)) hotSlot(writing);
  else slot(writing);
}

/** Hashes input of about a few Keccak-256 blocks in length. */
function hash(writing: Writing): void {
  const { random, code } = writing;
  code.push(random.pick(HASHED)).push(random.below(64)).op('KECCAK256');
  note(writing);
}

const HASHED = [0, 1, 31, 33, 134, 135, 135, 136, 137, 271, 272, 273];

/** Writes the last byte of a memory word, which expands memory to the end of that word. */
function lastByte(writing: Writing): void {
  const { random, code } = writing;
  code
    .push(random.below(256))
    .push(random.below(24) * 32 + 31)
    .op('MSTORE8', 'MSIZE');
  note(writing);
}

function copy(writing: Writing): void {
  const { random, code } = writing;
  const name = random.pick(known(writing, ['CALLDATACOPY', 'CODECOPY', 'EXTCODECOPY', 'RETURNDATACOPY', 'MCOPY']));
  code.push(name === 'RETURNDATACOPY' && random.chance(0.99) ? 0 : memoryLength(random));
  if (name === 'RETURNDATACOPY') code.push(random.chance(0.98) ? 0 : random.below(100));
  else if (name !== 'MCOPY' && random.chance(0.1)) code.push(random.pick(HUGE));
  else code.push(memoryOffset(random));
  code.push(memoryOffset(random));
  if (name === 'EXTCODECOPY') address(writing);
  code.op(name);
}

function log(writing: Writing): void {
  const { random, code } = writing;
  const topics = random.below(5);
  for (let i = 0; i < topics; i++) expression(writing, 1);
  region(writing);
  code.op(`LOG${topics}`);
}

/** DUP and SWAP at every depth, and PUSH of every width. */
function shuffle({ random, code }: Writing): void {
  const before = code.height;
  const depth = random.between(1, 16);
  while (code.height < depth + 1) code.push(randomWord(random), 32);
  for (let i = random.between(1, 4); i > 0; i--) {
    const width = random.between(1, 32);
    if (random.chance(0.3)) code.push(randomWord(random) >> BigInt(256 - 8 * width), width);
    code.op(`${random.pick(['DUP', 'SWAP'])}${random.between(1, depth)}`);
  }
  while (code.height > before + 1) {
    if (random.chance(0.3)) code.op('SWAP1');
    code.op(random.chance(0.5) ? 'POP' : random.pick(['ADD', 'XOR', 'SUB', 'MUL']));
  }
}

/** Fills the stack to or near its limit, and empties it again. */
function flood({ random, code }: Writing): void {
  const before = code.height;
  const until = 1024 + random.pick([-16, -2, -1, 0, 0, 0, 1]);
  while (code.height < until) code.op(random.chance(0.9) ? 'PUSH0' : 'DUP1');
  if (random.chance(0.5)) code.op('SWAP16', 'ISZERO');
  while (code.height > before) code.op('POP');
}

/** Touches memory at huge offsets, which is free if the length is zero. */
function hugeMemory({ random, code }: Writing): void {
  const place = random.pick(HUGE);
  switch (random.below(4)) {
    case 0:
      code.push(0).push(place).op('KECCAK256', 'POP');
      break;
    case 1:
      code.push(0).push(place).push(place).op('CODECOPY');
      break;
    case 2:
      code
        .push(random.chance(0.8) ? 0 : 1)
        .push(place)
        .op('LOG0');
      break;
    default:
      code
        .push(1)
        .push(random.chance(0.8) ? 2n ** 15n : place)
        .op('MSTORE');
  }
}

const inner = (writing: Writing): Writing => ({ ...writing, depth: writing.depth + 1 });

/** A statement that leaves the stack height as it was. */
function neutral(writing: Writing): void {
  const before = writing.code.height;
  statement(inner(writing));
  gather(writing, before);
  while (writing.code.height < before) writing.code.push(1);
}

function loop(writing: Writing): void {
  const { random, code } = writing;
  const start = code.newLabel();
  const short = random.chance(0.9);
  code.push(short ? random.between(1, 6) : random.between(20, 200)).place(start);
  if (short) for (let i = random.between(0, 2); i > 0; i--) neutral(writing);
  code.push(1).op('SWAP1', 'SUB', 'DUP1').ref(start).op('JUMPI', 'POP');
}

/** Statements that run or are skipped, by a condition. */
function guarded(writing: Writing): void {
  conditional(writing, () => neutral(writing));
}

function conditional(writing: Writing, body: () => void): void {
  const { random, code } = writing;
  const over = code.newLabel();
  if (random.chance(0.2)) comparison(writing);
  else if (random.chance(0.9)) expression(writing, 1);
  else code.push(random.pick(ABOVE));
  if (random.chance(0.5)) code.op('ISZERO');
  code.ref(over).op('JUMPI');
  const { height } = code;
  body();
  code.height = height;
  code.place(over);
}

/** Pushes whether one word is less than another that may be equal. */
function comparison({ random, code }: Writing): void {
  const word = random.chance(0.5) ? BigInt(random.below(3)) : random.pick(ABOVE);
  code.push(word).push(random.chance(0.4) ? word : random.chance(0.5) ? random.pick(ABOVE) : random.below(3));
  code.op(random.pick(['LT', 'GT']));
}

function leave(writing: Writing): void {
  region(writing);
  writing.code.op(writing.random.pick(['RETURN', 'REVERT', 'STOP']));
}

/** Jumps to a target that is the sum of two numbers, or is chosen by a condition. */
function computedJump(writing: Writing): void {
  const { random, code } = writing;
  const first = code.newLabel();
  if (random.chance(0.5)) {
    const off = random.between(1, 1000);
    code
      .push(off)
      .ref(first, off)
      .op('SUB', 'JUMP')
      .raw(Uint8Array.of(0xfe, random.below(0x5b)))
      .place(first);
    return;
  }
  expression(writing, 1);
  code.push(1).op('AND').push(2).op('MUL').ref(first).op('ADD', 'JUMP');
  code.place(first).raw(Uint8Array.of(0x5b, 0x5b));
}

/** Jumps to one subroutine from two places; it returns to the address on the stack. */
function subroutine(writing: Writing): void {
  const { code } = writing;
  const [routine, back1, back2, end] = [code.newLabel(), code.newLabel(), code.newLabel(), code.newLabel()];
  const before = code.height;
  code.ref(back1).ref(routine).op('JUMP').place(back1);
  code.ref(back2).ref(routine).op('JUMP').place(back2).ref(end).op('JUMP').place(routine);
  code.height = before + 1;
  neutral(writing);
  code.op('JUMP').place(end);
}

/** A jump over PUSH data that contains JUMPDEST bytes. */
function throughPushData({ random, code }: Writing): void {
  const over = code.newLabel();
  const width = random.between(1, 32);
  code
    .ref(over)
    .op('JUMP')
    .raw(Uint8Array.of(0x5f + width))
    .raw(new Uint8Array(width).fill(0x5b))
    .place(over);
}

/**
 * A jump over so much PUSH data that looks like PUSH instructions that no boundary of instructions can be seen from the
 * target, and from there a jump to the next byte.
 */
function behindPushes({ random, code }: Writing): void {
  const [first, second] = [code.newLabel(), code.newLabel()];
  const count = random.between(3, 5) * 33 - random.below(2);
  code.push(1).ref(first).op('JUMP').raw(new Uint8Array(count).fill(0x7f)).place(first).place(second);
  code.push(0).op('SWAP1').ref(second).op('JUMPI', 'POP');
}

/** A jump to a JUMPDEST byte in PUSH data, in reachable or unreachable code. */
function intoPushData({ random, code }: Writing): void {
  const [label, over] = [code.newLabel(), code.newLabel()];
  const isReached = random.chance(0.5);
  code.ref(over).op('JUMP');
  if (isReached) code.place(over).place(label).raw(PUSHED);
  else code.raw(PUSHED).place(label).place(over);
  code.ref(label, isReached ? 2 : -2).op('JUMP');
}

/** A jump to a target that is valid in its low bits only, always or for some values. */
function jumpAbove(writing: Writing): void {
  const { random, code } = writing;
  const over = code.newLabel();
  const isConditional = random.chance(0.3);
  if (isConditional) code.push(1);
  if (random.chance(0.5)) code.push(random.pick(ABOVE));
  else {
    expression(writing, 1);
    code.push(1).op('AND').push(random.pick(ABOVE)).op('MUL');
  }
  code
    .ref(over)
    .op('OR', isConditional ? 'JUMPI' : 'JUMP')
    .place(over);
}

/** PUSH2 JUMPDEST JUMPDEST POP. */
const PUSHED = Uint8Array.of(0x61, 0x5b, 0x5b, 0x50);

/** Dispatches on a word's value, as contracts do by function selector. */
function selectors(writing: Writing): void {
  const { random, code } = writing;
  if (random.chance(0.3)) expression(writing, 1);
  else code.push(BigInt(random.pick(SELECTORS)) + (random.chance(0.5) ? 0n : random.pick(ABOVE)), 32);
  const labels = Array.from({ length: random.between(1, 4) }, () => code.newLabel());
  for (const label of labels) code.op('DUP1').push(random.pick(SELECTORS), 4).op('EQ').ref(label).op('JUMPI');
  for (const label of labels) code.push(random.below(1000)).op('ADD').place(label);
  sink(writing);
}

const SELECTORS = [0, 1, 0x1234_5678, 0x0034_5678, 0xff34_5678, 0xffff_ffff];
/** Bits above a selector that a word may have set. */
const ABOVE = [32n, 63n, 64n, 128n, 192n, 255n].map((bits) => 2n ** bits);

/** Random instructions, with as many stack items as each consumes. */
export function soup({ random, code, fork }: Writing, length: number): void {
  code.begin();
  const depth = fork === 'amsterdam' && random.chance(0.5) ? 40 : 10;
  for (let i = 0; i < depth; i++) code.push(random.chance(0.7) ? BigInt(random.below(70)) : randomWord(random));
  const names = [...OPCODES.values()].filter((opcode) => isKnown(opcode, fork) && !ENDS.has(opcode.name));
  for (let i = 0; i < length; i++) {
    const { name, popped: taken } = random.pick(names);
    if (name.startsWith('PUSH')) code.push(randomWord(random) >> 128n, 17);
    else if (LONG.has(name)) code.op(name).raw(Uint8Array.of(operandOf(name, random, code.height)));
    else if (taken <= code.height && random.chance(0.99)) code.op(name);
    else code.push(random.below(70));
  }
}

/** Duplicates and exchanges deep stack items, in forks that have the instructions for it (EIP-8024). */
function reachDeep(writing: Writing): void {
  const { random, code, fork } = writing;
  if (fork !== 'amsterdam') return;
  const { height } = code;
  for (let i = random.between(18, 34); i > 0; i--) code.push(random.below(1000));
  for (let i = random.between(1, 3); i > 0; i--) {
    const name = random.pick([...LONG]);
    code.op(name).raw(Uint8Array.of(operandOf(name, random, code.height - height)));
  }
  for (let i = random.between(1, 3); i > 0; i--) note(writing);
  while (code.height > height) code.op('POP');
}

/** Instructions with an immediate operand (EIP-8024). */
const LONG = new Set(['DUPN', 'SWAPN', 'EXCHANGE']);

/** An immediate that is valid for a stack of this height, or any. */
function operandOf(name: string, random: Random, height: number): number {
  if (random.chance(0.05)) return random.below(256);
  if (name !== 'EXCHANGE') return (random.between(17, Math.max(17, height - 2)) + 111) % 256;
  const upper = random.between(1, Math.max(1, Math.min(13, (height >> 1) - 1)));
  const lower = random.between(upper + 1, Math.max(upper + 1, Math.min(30 - upper, height - 2)));
  const [high, low] = lower <= 16 ? [upper - 1, lower - 1] : [29 - lower, upper - 1];
  return (16 * high + low) ^ 0x8f;
}

const ENDS = new Set(['STOP', 'RETURN', 'REVERT', 'INVALID', 'SELFDESTRUCT', 'JUMP', 'JUMPI']);
