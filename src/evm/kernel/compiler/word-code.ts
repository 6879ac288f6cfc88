// Code that computes words limb by limb. Constants are folded, so that a limb known to be zero costs nothing.
import type { TraceWriter } from './trace-writer.js';
import { OP, TYPE, type Op } from './wasm-code.js';
import { Word, type Limb } from './word.js';

const LIMBS = 4;
const LIMB_BITS = 64;
const WORD_BITS = 256n;
const ALL_ONES = (1n << 64n) - 1n;

export function add(to: TraceWriter, a: Word, b: Word): Word {
  let carry: Limb = 0n;
  return wordOf((i) => {
    const [x, y] = [to.words.limb(a, i), to.words.limb(b, i)];
    const sum = addLimbs(to, x, y);
    const total = addLimbs(to, sum, carry);
    if (i < LIMBS - 1) carry = orLimbs(to, carryOf(to, sum, x, y), carryOf(to, total, sum, carry));
    return total;
  });
}

export function subtract(to: TraceWriter, a: Word, b: Word): Word {
  let borrow: Limb = 0n;
  return wordOf((i) => {
    const [x, y] = [to.words.limb(a, i), to.words.limb(b, i)];
    const difference = subtractLimbs(to, x, y);
    const total = subtractLimbs(to, difference, borrow);
    if (i < LIMBS - 1) borrow = orLimbs(to, lessLimb(to, x, y), lessLimb(to, difference, borrow));
    return total;
  });
}

/** 1 if a < b, unsigned; otherwise 0. */
export function less(to: TraceWriter, a: Word, b: Word): Word {
  return Word.small(borrowOf(to, a, b, LIMBS));
}

/** 1 if a < b in two's complement; otherwise 0. */
export function lessSigned(to: TraceWriter, a: Word, b: Word): Word {
  const [x, y] = [to.words.limb(a, LIMBS - 1), to.words.limb(b, LIMBS - 1)];
  const below = borrowOf(to, a, b, LIMBS - 1);
  const tops = andLimbs(to, compared(to, OP.i64Eq, x, y), below);
  return Word.small(orLimbs(to, compared(to, OP.i64LtS, x, y), tops));
}

/** 1 if a = b; otherwise 0. */
export function equal(to: TraceWriter, a: Word, b: Word): Word {
  return isZero(to, xor(to, a, b));
}

/** 1 if a = 0; otherwise 0. */
export function isZero(to: TraceWriter, a: Word): Word {
  const any = anyOf(to, a);
  if (typeof any === 'bigint') return Word.small(any === 0n ? 1n : 0n);
  to.code.get(any);
  to.code.op(OP.i64Eqz);
  to.code.op(OP.i64ExtendI32U);
  return Word.small(to.code.kept(TYPE.i64));
}

/** Computes a & b. If one operand is a constant mask, limbs that it clears are not read. */
export function and(to: TraceWriter, a: Word, b: Word): Word {
  return wordOf((i) => {
    if (a.limbs[i] === 0n || b.limbs[i] === 0n) return 0n;
    return andLimbs(to, to.words.limb(a, i), to.words.limb(b, i));
  });
}

export function or(to: TraceWriter, a: Word, b: Word): Word {
  return wordOf((i) => orLimbs(to, to.words.limb(a, i), to.words.limb(b, i)));
}

export function xor(to: TraceWriter, a: Word, b: Word): Word {
  return wordOf((i) => xorLimbs(to, to.words.limb(a, i), to.words.limb(b, i)));
}

/** x << bits, by a constant. */
export function shiftLeft(to: TraceWriter, bits: bigint, x: Word): Word {
  return shift(to, bits, x, { by: -1, along: OP.i64Shl, against: OP.i64ShrU });
}

/** x >> bits, by a constant, unsigned. */
export function shiftRight(to: TraceWriter, bits: bigint, x: Word): Word {
  return shift(to, bits, x, { by: 1, along: OP.i64ShrU, against: OP.i64Shl });
}

/** The OR of all limbs: 0 if the word is 0. */
export function anyOf(to: TraceWriter, a: Word): Limb {
  let any: Limb = 0n;
  for (let i = 0; i < LIMBS; i++) any = orLimbs(to, any, to.words.limb(a, i));
  return any;
}

/** Computes limbs from the least significant one on, the direction of carries. */
function wordOf(limb: (i: number) => Limb): Word {
  const word = new Word();
  for (let i = 0; i < LIMBS; i++) word.limbs[i] = limb(i);
  return word;
}

/** 1 if the lowest limbs of a are less than those of b. */
function borrowOf(to: TraceWriter, a: Word, b: Word, count: number): Limb {
  let borrow: Limb = 0n;
  for (let i = 0; i < count; i++) {
    const [x, y] = [to.words.limb(a, i), to.words.limb(b, i)];
    const further = borrow === 0n ? 0n : lessLimb(to, subtractLimbs(to, x, y), borrow);
    borrow = orLimbs(to, lessLimb(to, x, y), further);
  }
  return borrow;
}

type Shift = typeof OP.i64Shl | typeof OP.i64ShrU;

/** Whether a word is shifted left or right. */
interface Direction {
  /** Where the limb is whose bits are shifted in: 1 for the next higher limb, -1 for the next lower one. */
  readonly by: 1 | -1;
  /** The shift of a limb in the same direction as the word. */
  readonly along: Shift;
  /** The shift of a limb in the opposite direction. */
  readonly against: Shift;
}

function shift(to: TraceWriter, bits: bigint, x: Word, { by, along, against }: Direction): Word {
  if (bits >= WORD_BITS) return Word.of(0n);
  const limbs = Math.floor(Number(bits) / LIMB_BITS);
  const rest = Number(bits) % LIMB_BITS;
  const limb = (i: number): Limb => (i < 0 || i >= LIMBS ? 0n : to.words.limb(x, i));
  return wordOf((i) => {
    const own = shiftLimb(to, along, limb(i + by * limbs), rest);
    if (rest === 0) return own;
    return orLimbs(to, own, shiftLimb(to, against, limb(i + by * (limbs + 1)), LIMB_BITS - rest));
  });
}

// ---- limbs ----

function binary(to: TraceWriter, op: Op, x: Limb, y: Limb): Limb {
  to.words.push(x);
  to.words.push(y);
  to.code.op(op);
  return to.code.kept(TYPE.i64);
}

/** A comparison: 1 or 0. */
function compared(to: TraceWriter, op: Op, x: Limb, y: Limb): Limb {
  to.words.push(x);
  to.words.push(y);
  to.code.op(op);
  to.code.op(OP.i64ExtendI32U);
  return to.code.kept(TYPE.i64);
}

function addLimbs(to: TraceWriter, x: Limb, y: Limb): Limb {
  if (y === 0n) return x;
  if (x === 0n) return y;
  if (typeof x === 'bigint' && typeof y === 'bigint') return BigInt.asUintN(LIMB_BITS, x + y);
  return binary(to, OP.i64Add, x, y);
}

/** The carry: 1 if the 64-bit `sum` of x and y has wrapped. */
function carryOf(to: TraceWriter, sum: Limb, x: Limb, y: Limb): Limb {
  return x === 0n || y === 0n ? 0n : lessLimb(to, sum, y);
}

function subtractLimbs(to: TraceWriter, x: Limb, y: Limb): Limb {
  if (y === 0n) return x;
  if (typeof x === 'bigint' && typeof y === 'bigint') return BigInt.asUintN(LIMB_BITS, x - y);
  return binary(to, OP.i64Sub, x, y);
}

function andLimbs(to: TraceWriter, x: Limb, y: Limb): Limb {
  if (x === 0n || y === 0n) return 0n;
  if (x === ALL_ONES) return y;
  if (y === ALL_ONES) return x;
  if (typeof x === 'bigint' && typeof y === 'bigint') return x & y;
  return binary(to, OP.i64And, x, y);
}

function orLimbs(to: TraceWriter, x: Limb, y: Limb): Limb {
  if (x === 0n) return y;
  if (y === 0n) return x;
  if (typeof x === 'bigint' && typeof y === 'bigint') return x | y;
  return binary(to, OP.i64Or, x, y);
}

function xorLimbs(to: TraceWriter, x: Limb, y: Limb): Limb {
  if (x === 0n) return y;
  if (y === 0n) return x;
  if (typeof x === 'bigint' && typeof y === 'bigint') return x ^ y;
  return binary(to, OP.i64Xor, x, y);
}

/** 1 if x < y, unsigned; otherwise 0. */
function lessLimb(to: TraceWriter, x: Limb, y: Limb): Limb {
  if (y === 0n) return 0n;
  if (typeof x === 'bigint' && typeof y === 'bigint') return x < y ? 1n : 0n;
  return compared(to, OP.i64LtU, x, y);
}

function shiftLimb(to: TraceWriter, op: Shift, x: Limb, bits: number): Limb {
  if (x === 0n || bits === 0) return x;
  if (typeof x === 'number') return binary(to, op, x, BigInt(bits));
  return op === OP.i64Shl ? BigInt.asUintN(LIMB_BITS, x << BigInt(bits)) : x >> BigInt(bits);
}
