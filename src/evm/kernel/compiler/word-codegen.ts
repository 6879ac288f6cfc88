// Generates code that computes words limb by limb. Constants are folded, so a limb known to be zero costs nothing.
import type { JitTraceCodegen } from './jit-trace-writer.js';
import { WASM_OP, WASM_TYPE, type WasmPlainOp } from './wasm-code.js';
import { SymbolicWord, type SymbolicLimb } from './symbolic-word.js';

const LIMBS = 4;
const LIMB_BITS = 64;
const WORD_BITS = 256n;
const ALL_ONES = (1n << 64n) - 1n;

export function emitAdd(to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord): SymbolicWord {
  let carry: SymbolicLimb = 0n;
  return wordOf((i) => {
    const [x, y] = [to.words.limb(a, i), to.words.limb(b, i)];
    const sum = addLimbs(to, x, y);
    const total = addLimbs(to, sum, carry);
    if (i < LIMBS - 1) carry = orLimbs(to, carryOf(to, sum, x, y), carryOf(to, total, sum, carry));
    return total;
  });
}

export function emitSubtract(to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord): SymbolicWord {
  let borrow: SymbolicLimb = 0n;
  return wordOf((i) => {
    const [x, y] = [to.words.limb(a, i), to.words.limb(b, i)];
    const difference = subtractLimbs(to, x, y);
    const total = subtractLimbs(to, difference, borrow);
    if (i < LIMBS - 1) borrow = orLimbs(to, lessLimb(to, x, y), lessLimb(to, difference, borrow));
    return total;
  });
}

/** Emits LT: 1 if a < b, unsigned; otherwise 0. */
export function emitLess(to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord): SymbolicWord {
  return SymbolicWord.small(borrowOf(to, a, b, LIMBS));
}

/** Emits SLT: 1 if a < b in two's complement; otherwise 0. */
export function emitLessSigned(to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord): SymbolicWord {
  const [x, y] = [to.words.limb(a, LIMBS - 1), to.words.limb(b, LIMBS - 1)];
  const below = borrowOf(to, a, b, LIMBS - 1);
  const tops = andLimbs(to, compared(to, WASM_OP.i64Eq, x, y), below);
  return SymbolicWord.small(orLimbs(to, compared(to, WASM_OP.i64LtS, x, y), tops));
}

/** Emits EQ: 1 if a = b; otherwise 0. */
export function emitEqual(to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord): SymbolicWord {
  return emitIsZero(to, emitXor(to, a, b));
}

/** Emits ISZERO: 1 if a = 0; otherwise 0. */
export function emitIsZero(to: JitTraceCodegen, a: SymbolicWord): SymbolicWord {
  const any = emitOrOfLimbs(to, a);
  if (typeof any === 'bigint') return SymbolicWord.small(any === 0n ? 1n : 0n);
  to.code.get(any);
  to.code.op(WASM_OP.i64Eqz);
  to.code.op(WASM_OP.i64ExtendI32U);
  return SymbolicWord.small(to.code.kept(WASM_TYPE.i64));
}

/** Emits a & b. If one operand is a constant mask, limbs that it clears are not read. */
export function emitAnd(to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord): SymbolicWord {
  return wordOf((i) => {
    if (a.limbs[i] === 0n || b.limbs[i] === 0n) return 0n;
    return andLimbs(to, to.words.limb(a, i), to.words.limb(b, i));
  });
}

export function emitOr(to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord): SymbolicWord {
  return wordOf((i) => orLimbs(to, to.words.limb(a, i), to.words.limb(b, i)));
}

export function emitXor(to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord): SymbolicWord {
  return wordOf((i) => xorLimbs(to, to.words.limb(a, i), to.words.limb(b, i)));
}

/** Emits x << bits, where `bits` is a constant. */
export function emitShiftLeft(to: JitTraceCodegen, bits: bigint, x: SymbolicWord): SymbolicWord {
  return shift(to, bits, x, { by: -1, along: WASM_OP.i64Shl, against: WASM_OP.i64ShrU });
}

/** Emits x >> bits, unsigned, where `bits` is a constant. */
export function emitShiftRight(to: JitTraceCodegen, bits: bigint, x: SymbolicWord): SymbolicWord {
  return shift(to, bits, x, { by: 1, along: WASM_OP.i64ShrU, against: WASM_OP.i64Shl });
}

/** Emits the OR of all limbs, which is 0 only if the word is 0. */
export function emitOrOfLimbs(to: JitTraceCodegen, a: SymbolicWord): SymbolicLimb {
  let any: SymbolicLimb = 0n;
  for (let i = 0; i < LIMBS; i++) any = orLimbs(to, any, to.words.limb(a, i));
  return any;
}

/** Computes the limbs of a word in the direction of carries, from the least significant one on. */
function wordOf(limb: (i: number) => SymbolicLimb): SymbolicWord {
  const word = new SymbolicWord();
  for (let i = 0; i < LIMBS; i++) word.limbs[i] = limb(i);
  return word;
}

/** Emits a comparison of the lowest `count` limbs: 1 if those of a are less than those of b. */
function borrowOf(to: JitTraceCodegen, a: SymbolicWord, b: SymbolicWord, count: number): SymbolicLimb {
  let borrow: SymbolicLimb = 0n;
  for (let i = 0; i < count; i++) {
    const [x, y] = [to.words.limb(a, i), to.words.limb(b, i)];
    const further = borrow === 0n ? 0n : lessLimb(to, subtractLimbs(to, x, y), borrow);
    borrow = orLimbs(to, lessLimb(to, x, y), further);
  }
  return borrow;
}

type Shift = typeof WASM_OP.i64Shl | typeof WASM_OP.i64ShrU;

interface Direction {
  /** Which neighbour's bits are shifted into a limb: 1 for the next higher limb, -1 for the next lower one. */
  readonly by: 1 | -1;
  /** Opcode that shifts a limb in the direction of the word's shift. */
  readonly along: Shift;
  /** Opcode that shifts a limb in the opposite direction. */
  readonly against: Shift;
}

function shift(to: JitTraceCodegen, bits: bigint, x: SymbolicWord, { by, along, against }: Direction): SymbolicWord {
  if (bits >= WORD_BITS) return SymbolicWord.of(0n);
  const limbs = Math.floor(Number(bits) / LIMB_BITS);
  const rest = Number(bits) % LIMB_BITS;
  const limb = (i: number): SymbolicLimb => (i < 0 || i >= LIMBS ? 0n : to.words.limb(x, i));
  return wordOf((i) => {
    const own = shiftLimb(to, along, limb(i + by * limbs), rest);
    if (rest === 0) return own;
    return orLimbs(to, own, shiftLimb(to, against, limb(i + by * (limbs + 1)), LIMB_BITS - rest));
  });
}

// ---- operations on single limbs ----

function binary(to: JitTraceCodegen, op: WasmPlainOp, x: SymbolicLimb, y: SymbolicLimb): SymbolicLimb {
  to.words.push(x);
  to.words.push(y);
  to.code.op(op);
  return to.code.kept(WASM_TYPE.i64);
}

/** Emits a comparison of two limbs: 1 or 0. */
function compared(to: JitTraceCodegen, op: WasmPlainOp, x: SymbolicLimb, y: SymbolicLimb): SymbolicLimb {
  to.words.push(x);
  to.words.push(y);
  to.code.op(op);
  to.code.op(WASM_OP.i64ExtendI32U);
  return to.code.kept(WASM_TYPE.i64);
}

function addLimbs(to: JitTraceCodegen, x: SymbolicLimb, y: SymbolicLimb): SymbolicLimb {
  if (y === 0n) return x;
  if (x === 0n) return y;
  if (typeof x === 'bigint' && typeof y === 'bigint') return BigInt.asUintN(LIMB_BITS, x + y);
  return binary(to, WASM_OP.i64Add, x, y);
}

/** Emits the carry: 1 if the 64-bit `sum` of x and y has wrapped. */
function carryOf(to: JitTraceCodegen, sum: SymbolicLimb, x: SymbolicLimb, y: SymbolicLimb): SymbolicLimb {
  return x === 0n || y === 0n ? 0n : lessLimb(to, sum, y);
}

function subtractLimbs(to: JitTraceCodegen, x: SymbolicLimb, y: SymbolicLimb): SymbolicLimb {
  if (y === 0n) return x;
  if (typeof x === 'bigint' && typeof y === 'bigint') return BigInt.asUintN(LIMB_BITS, x - y);
  return binary(to, WASM_OP.i64Sub, x, y);
}

function andLimbs(to: JitTraceCodegen, x: SymbolicLimb, y: SymbolicLimb): SymbolicLimb {
  if (x === 0n || y === 0n) return 0n;
  if (x === ALL_ONES) return y;
  if (y === ALL_ONES) return x;
  if (typeof x === 'bigint' && typeof y === 'bigint') return x & y;
  return binary(to, WASM_OP.i64And, x, y);
}

function orLimbs(to: JitTraceCodegen, x: SymbolicLimb, y: SymbolicLimb): SymbolicLimb {
  if (x === 0n) return y;
  if (y === 0n) return x;
  if (typeof x === 'bigint' && typeof y === 'bigint') return x | y;
  return binary(to, WASM_OP.i64Or, x, y);
}

function xorLimbs(to: JitTraceCodegen, x: SymbolicLimb, y: SymbolicLimb): SymbolicLimb {
  if (x === 0n) return y;
  if (y === 0n) return x;
  if (typeof x === 'bigint' && typeof y === 'bigint') return x ^ y;
  return binary(to, WASM_OP.i64Xor, x, y);
}

/** Emits 1 if x < y, unsigned; otherwise 0. */
function lessLimb(to: JitTraceCodegen, x: SymbolicLimb, y: SymbolicLimb): SymbolicLimb {
  if (y === 0n) return 0n;
  if (typeof x === 'bigint' && typeof y === 'bigint') return x < y ? 1n : 0n;
  return compared(to, WASM_OP.i64LtU, x, y);
}

function shiftLimb(to: JitTraceCodegen, op: Shift, x: SymbolicLimb, bits: number): SymbolicLimb {
  if (x === 0n || bits === 0) return x;
  if (typeof x === 'number') return binary(to, op, x, BigInt(bits));
  return op === WASM_OP.i64Shl ? BigInt.asUintN(LIMB_BITS, x << BigInt(bits)) : x >> BigInt(bits);
}
