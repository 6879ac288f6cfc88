// Arithmetic on 256-bit words as the EVM defines it (yellow paper, appendix H, 0s and 10s). A word is a pointer to four
// 64-bit limbs, least significant first. `out` may be any of the inputs.
import { QUOTIENT, REMAINDER, divideLimbs, multiplyHigh, significantLimbs } from './limbs';
import { shiftLeftBy, shiftRightBy } from './shift';

const PRODUCT: usize = memory.data(64, 16);
const SUM: usize = memory.data(48, 16);
const BASE: usize = memory.data(32, 16);
const LEFT: usize = memory.data(32, 16);
const RIGHT: usize = memory.data(32, 16);

@inline
function set(out: usize, w0: u64, w1: u64, w2: u64, w3: u64): void {
  store<u64>(out, w0);
  store<u64>(out, w1, 8);
  store<u64>(out, w2, 16);
  store<u64>(out, w3, 24);
}

@inline
function copy(out: usize, a: usize): void {
  const low = v128.load(a);
  const high = v128.load(a, 16);
  v128.store(out, low);
  v128.store(out, high, 16);
}

@inline
function above64(a: usize): u64 {
  return load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24);
}

@inline
function isZero(a: usize): bool {
  return (load<u64>(a) | above64(a)) == 0;
}

function isLess(a: usize, b: usize): bool {
  for (let at = 24; at > 0; at -= 8) {
    const x = load<u64>(a + at);
    const y = load<u64>(b + at);
    if (x != y) return x < y;
  }
  return load<u64>(a) < load<u64>(b);
}

@inline
function isNegative(a: usize): bool {
  return load<i64>(a, 24) < 0;
}

function negate(out: usize, a: usize): void {
  const w0 = 0 - load<u64>(a);
  let carry = <u64>(w0 == 0);
  const w1 = ~load<u64>(a, 8) + carry;
  carry &= <u64>(w1 == 0);
  const w2 = ~load<u64>(a, 16) + carry;
  carry &= <u64>(w2 == 0);
  set(out, w0, w1, w2, ~load<u64>(a, 24) + carry);
}

@inline
function magnitude(out: usize, a: usize): void {
  if (isNegative(a)) negate(out, a);
  else copy(out, a);
}

/** Writes a - b to `out`; returns the borrow. */
@inline
function subtract(out: usize, a: usize, b: usize): u64 {
  let borrow: u64 = 0;
  for (let at = 0; at < 32; at += 8) {
    const x = load<u64>(a + at);
    const y = load<u64>(b + at);
    const difference = x - y;
    store<u64>(out + at, difference - borrow);
    borrow = <u64>(x < y) | <u64>(difference < borrow);
  }
  return borrow;
}

/** Returns n if the word is 2^n, otherwise -1. */
@inline
function exactLogarithm(a: usize): i32 {
  const w0 = load<u64>(a);
  const w1 = load<u64>(a, 8);
  const w2 = load<u64>(a, 16);
  const w3 = load<u64>(a, 24);
  if (popcnt(w0) + popcnt(w1) + popcnt(w2) + popcnt(w3) != 1) return -1;
  if (w0 != 0) return <i32>ctz(w0);
  if (w1 != 0) return 64 + <i32>ctz(w1);
  return w2 != 0 ? 128 + <i32>ctz(w2) : 192 + <i32>ctz(w3);
}

/** Returns the length of `a` in bytes without leading zeros. */
export function byteLength(a: usize): u32 {
  for (let at = 24; at >= 0; at -= 8) {
    const limb = load<u64>(a + at);
    if (limb != 0) return <u32>at + 8 - (<u32>clz(limb) >> 3);
  }
  return 0;
}

/** MUL: writes a * b mod 2^256 to `out`. */
export function multiply(out: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a);
  const b0 = load<u64>(b);
  const low = a0 * b0;
  const h00 = multiplyHigh(a0, b0);
  if ((above64(a) | above64(b)) == 0) {
    set(out, low, h00, 0, 0);
    return;
  }
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const b1 = load<u64>(b, 8);
  const b2 = load<u64>(b, 16);
  const l01 = a0 * b1;
  const l10 = a1 * b0;
  const h01 = multiplyHigh(a0, b1);
  const h10 = multiplyHigh(a1, b0);
  const l02 = a0 * b2;
  const l11 = a1 * b1;
  const l20 = a2 * b0;
  let high = a0 * load<u64>(b, 24) + a1 * b2 + a2 * b1 + load<u64>(a, 24) * b0;
  high += multiplyHigh(a0, b2) + multiplyHigh(a1, b1) + multiplyHigh(a2, b0);
  const s1 = h00 + l01;
  const w1 = s1 + l10;
  const carry1 = <u64>(s1 < l01) + <u64>(w1 < l10);
  const s2 = h01 + h10;
  const s3 = l02 + l11;
  const s4 = s2 + s3;
  const s5 = l20 + carry1;
  const w2 = s4 + s5;
  high += <u64>(s2 < h10) + <u64>(s3 < l11) + <u64>(s4 < s3) + <u64>(s5 < carry1) + <u64>(w2 < s5);
  set(out, low, w1, w2, high);
}

/** Adds a * b (one row of a long multiplication) to the four limbs at `out`, and writes the carry to the fifth. */
@inline
function multiplyRow(out: usize, a: u64, b: usize): void {
  let carry: u64 = 0;
  for (let at = 0; at < 32; at += 8) {
    const digit = load<u64>(b + at);
    const low = a * digit;
    const sum = low + load<u64>(out + at);
    const total = sum + carry;
    store<u64>(out + at, total);
    carry = multiplyHigh(a, digit) + <u64>(sum < low) + <u64>(total < carry);
  }
  store<u64>(out, carry, 32);
}

/** Writes the 512-bit product a * b to PRODUCT. */
function multiplyFull(a: usize, b: usize): void {
  set(PRODUCT, 0, 0, 0, 0);
  for (let at = 0; at < 32; at += 8) multiplyRow(PRODUCT + at, load<u64>(a + at), b);
}

/** DIV: writes the quotient a / b, rounded down; 0 if b is 0. */
export function divide(out: usize, a: usize, b: usize): void {
  if ((above64(a) | above64(b)) == 0) {
    const b0 = load<u64>(b);
    set(out, b0 == 0 ? 0 : load<u64>(a) / b0, 0, 0, 0);
    return;
  }
  const bits = exactLogarithm(b);
  if (bits >= 0) {
    shiftRightBy(out, bits, a);
  } else if (isLess(a, b) || isZero(b)) {
    set(out, 0, 0, 0, 0);
  } else {
    divideLimbs(a, 4, b);
    copy(out, QUOTIENT);
  }
}

/** SDIV: writes the quotient in two's complement, rounded to zero; MIN / -1 is MIN. */
export function signedDivide(out: usize, a: usize, b: usize): void {
  const isOpposite = isNegative(a) != isNegative(b);
  magnitude(LEFT, a);
  magnitude(RIGHT, b);
  divide(out, LEFT, RIGHT);
  if (isOpposite) negate(out, out);
}

/** MOD: writes the remainder of a / b; 0 if b is 0. */
export function modulo(out: usize, a: usize, b: usize): void {
  if ((above64(a) | above64(b)) == 0) {
    const b0 = load<u64>(b);
    set(out, b0 == 0 ? 0 : load<u64>(a) % b0, 0, 0, 0);
  } else if (isLess(a, b)) {
    copy(out, a);
  } else {
    reduce(out, a, 4, b);
  }
}

/** SMOD: writes the remainder in two's complement, with the sign of a. */
export function signedModulo(out: usize, a: usize, b: usize): void {
  const hasSign = isNegative(a);
  magnitude(LEFT, a);
  magnitude(RIGHT, b);
  modulo(out, LEFT, RIGHT);
  if (hasSign) negate(out, out);
}

/** Writes the lowest `bits` bits of a to `out`. */
function lowBits(out: usize, a: usize, bits: i32): void {
  for (let at = 0; at < 32; at += 8, bits -= 64) {
    const limb = load<u64>(a + at);
    store<u64>(out + at, bits >= 64 ? limb : bits > 0 ? limb & (((<u64>1) << bits) - 1) : 0);
  }
}

/** Writes `numerator` mod m to `out`. `numerator` has `count` limbs, at least four. */
function reduce(out: usize, numerator: usize, count: i32, m: usize): void {
  if (isZero(m)) {
    set(out, 0, 0, 0, 0);
    return;
  }
  const bits = exactLogarithm(m);
  if (bits >= 0) {
    lowBits(out, numerator, bits);
  } else {
    divideLimbs(numerator, count, m);
    copy(out, REMAINDER);
  }
}

/** Writes the 257-bit sum a + b to SUM. */
@inline
function sumFull(a: usize, b: usize): void {
  let carry: u64 = 0;
  for (let at = 0; at < 32; at += 8) {
    const x = load<u64>(a + at);
    const sum = x + load<u64>(b + at);
    const total = sum + carry;
    store<u64>(SUM + at, total);
    carry = <u64>(sum < x) | <u64>(total < carry);
  }
  store<u64>(SUM, carry, 32);
}

/** ADDMOD: writes (a + b) mod m, where the sum does not wrap; 0 if m is 0. */
export function addModulo(out: usize, a: usize, b: usize, m: usize): void {
  sumFull(a, b);
  if (isLess(a, m) && isLess(b, m)) {
    // Both operands are below m here, so their sum is below 2 m.
    if (load<u64>(SUM, 32) != 0 || !isLess(SUM, m)) subtract(SUM, SUM, m);
    copy(out, SUM);
  } else {
    reduce(out, SUM, 5, m);
  }
}

@inline
function isMaximum(a: usize): bool {
  return (load<u64>(a) & load<u64>(a, 8) & load<u64>(a, 16) & load<u64>(a, 24)) == <u64>-1;
}

/**
 * Writes PRODUCT mod 2^256 - 1 to `out`: adds its halves, then the carry. Solidity's full-precision multiplication
 * needs this modulus.
 */
function foldProduct(out: usize): void {
  sumFull(PRODUCT, PRODUCT + 32);
  let carry = load<u64>(SUM, 32);
  for (let at = 0; at < 32; at += 8) {
    const limb = load<u64>(SUM + at) + carry;
    carry = <u64>(limb < carry);
    store<u64>(SUM + at, limb);
  }
  if (isMaximum(SUM)) set(out, 0, 0, 0, 0);
  else copy(out, SUM);
}

/** MULMOD: writes (a * b) mod m, where the product does not wrap; 0 if m is 0. */
export function multiplyModulo(out: usize, a: usize, b: usize, m: usize): void {
  multiplyFull(a, b);
  if (isMaximum(m)) foldProduct(out);
  else reduce(out, PRODUCT, 8, m);
}

/** EXP: writes base to the power of exponent, mod 2^256. 0 to the power of 0 is 1. */
export function power(out: usize, base: usize, exponent: usize): void {
  const limbs = significantLimbs(exponent, 4);
  if (limbs == 0) {
    set(out, 1, 0, 0, 0);
    return;
  }
  const isShort = limbs == 1 && load<u64>(exponent) < 256;
  if ((load<u64>(base) & 1) == 0 && !isShort) {
    set(out, 0, 0, 0, 0);
    return;
  }
  const bits = exactLogarithm(base);
  if (bits >= 0 && isShort) {
    const shift = bits * load<i32>(exponent);
    set(LEFT, 1, 0, 0, 0);
    shiftLeftBy(out, shift, LEFT);
    return;
  }
  squareAndMultiply(out, base, exponent, limbs);
}

/** Computes the power by squaring and multiplying, from the bit below the exponent's highest down to the lowest. */
function squareAndMultiply(out: usize, base: usize, exponent: usize, limbs: i32): void {
  copy(BASE, base);
  copy(LEFT, base);
  copy(RIGHT, exponent);
  let bit = 62 - <i32>clz(load<u64>(RIGHT + ((limbs - 1) << 3)));
  for (let at = (limbs - 1) << 3; at >= 0; at -= 8) {
    const limb = load<u64>(RIGHT + at);
    for (; bit >= 0; bit--) {
      multiply(LEFT, LEFT, LEFT);
      if ((limb >> bit) & 1) multiply(LEFT, LEFT, BASE);
    }
    bit = 63;
  }
  copy(out, LEFT);
}
