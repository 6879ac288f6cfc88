// Operations on limbs, the 64-bit digits of words, that WebAssembly lacks: products of 128 bits, and division of
// numbers with many limbs. Pointers point to limbs in memory, least significant first.
const MASK: u64 = 0xffffffff;
/** Number of limbs of the longest numerator: a product of two words. */
const NUMERATOR_LIMBS: i32 = 8;

/** Quotient of `divideLimbs`, at least four limbs. */
export const QUOTIENT: usize = memory.data(8 * (NUMERATOR_LIMBS + 1), 16);
// For a divisor of fewer than four limbs, up to three zero limbs are written before the remainder's first limb.
const REMAINDER_AREA: usize = memory.data(8 * 8, 16);
/** Remainder of `divideLimbs`, four limbs. */
export const REMAINDER: usize = REMAINDER_AREA + 32;
// Two zero limbs before the numerator: they are read for divisors of fewer than four limbs.
const SHIFTED: usize = memory.data(8 * (2 + NUMERATOR_LIMBS + 1), 16) + 16;

/** Returns the high 64 bits of the product a * b; the low ones are the plain product. */
@inline
export function multiplyHigh(a: u64, b: u64): u64 {
  const aLow = a & MASK;
  const bLow = b & MASK;
  const aHigh = a >> 32;
  const bHigh = b >> 32;
  const middle = aHigh * bLow + ((aLow * bLow) >> 32);
  return aHigh * bHigh + (middle >> 32) + ((aLow * bHigh + (middle & MASK)) >> 32);
}

/** Returns `x << bits`, filled up with the top bits of `below`, the next lower limb; `bits` is at most 63. */
@inline
export function funnelShiftLeft(x: u64, below: u64, bits: u64): u64 {
  return (x << bits) | ((below >> 1) >> (bits ^ 63));
}

/** Returns `x >> bits`, filled up with the lowest bits of `above`, the next higher limb; `bits` is at most 63. */
@inline
export function funnelShiftRight(x: u64, above: u64, bits: u64): u64 {
  return (x >> bits) | ((above << 1) << (bits ^ 63));
}

/** Returns the number of limbs without leading zero limbs. */
@inline
export function significantLimbs(a: usize, count: i32): i32 {
  while (count > 0 && load<u64>(a + ((count - 1) << 3)) == 0) count--;
  return count;
}

/**
 * Returns floor((2^128 - 1) / d) - 2^64 for a d whose top bit is set. This is algorithm 2 of Möller and Granlund,
 * "Improved division by invariant integers" (2011), where the algorithms 4 to 6 below also come from. A short division
 * replaces its lookup table.
 */
@inline
function reciprocal(d: u64): u64 {
  const odd = d & 1;
  const d40 = (d >> 24) + 1;
  const v0 = <u64>(<u32>0x7fd00 / <u32>(d >> 55));
  const v1 = (v0 << 11) - ((v0 * v0 * d40) >> 40) - 1;
  const v2 = (v1 << 13) + ((v1 * ((<u64>1 << 60) - v1 * d40)) >> 47);
  const error = ((v2 >> 1) & (0 - odd)) - v2 * ((d >> 1) + odd);
  const v3 = (v2 << 31) + (multiplyHigh(v2, error) >> 1);
  const low = v3 * d;
  return v3 - (multiplyHigh(v3, d) + d + <u64>(low + d < low));
}

/**
 * Returns floor((2^192 - 1) / (high, low)) - 2^64 for a `high` whose top bit is set. This is algorithm 6 of Möller and
 * Granlund.
 */
@inline
function reciprocalOfTwo(high: u64, low: u64): u64 {
  let v = reciprocal(high);
  let p = high * v + low;
  if (p < low) {
    v--;
    if (p >= high) {
      v--;
      p -= high;
    }
    p -= high;
  }
  const t = multiplyHigh(v, low);
  p += t;
  if (p < t) {
    v--;
    if (p > high || (p == high && v * low + low >= low)) v--;
  }
  return v;
}

/** Writes `numerator << bits`, one limb longer than the numerator. */
@inline
function shiftNumerator(numerator: usize, count: i32, bits: u64): void {
  let below: u64 = 0;
  for (let i = 0; i < count; i++) {
    const limb = load<u64>(numerator + (i << 3));
    store<u64>(SHIFTED + (i << 3), funnelShiftLeft(limb, below, bits));
    below = limb;
  }
  store<u64>(SHIFTED + (count << 3), funnelShiftLeft(0, below, bits));
}

@inline
function clear(word: usize): void {
  v128.store(word, i64x2.splat(0));
  v128.store(word, i64x2.splat(0), 16);
}

/**
 * Divides a number of `count` limbs by one limb that is not zero (algorithm 4: each limb of the quotient is a division
 * of two limbs by one).
 */
function divideByLimb(numerator: usize, count: i32, divisor: u64): void {
  const bits = clz(divisor);
  const d = divisor << bits;
  const v = reciprocal(d);
  shiftNumerator(numerator, count, bits);
  clear(QUOTIENT);
  let r = load<u64>(SHIFTED + (count << 3));
  for (let i = count - 1; i >= 0; i--) {
    const next = load<u64>(SHIFTED + (i << 3));
    const low = v * r + next;
    let q = multiplyHigh(v, r) + r + 1 + <u64>(low < next);
    r = next - q * d;
    if (r > low) {
      q--;
      r += d;
    }
    if (r >= d) {
      q++;
      r -= d;
    }
    store<u64>(QUOTIENT + (i << 3), q);
  }
  clear(REMAINDER);
  store<u64>(REMAINDER, r >> bits);
}

/**
 * Divides a numerator of `count` limbs (at most eight) by a divisor of `size` significant limbs (2 to 4, and not above
 * `count`). This is Knuth's algorithm D; each limb of the quotient is a division of three limbs by two (algorithm 5 of
 * Möller and Granlund). Numerator and divisor are shifted up so that the divisor fills four limbs. So the remainder
 * stays in variables: r3 to r0, and `next` below them.
 */
function divideByMany(numerator: usize, count: i32, divisor: usize, size: i32): void {
  const bits = clz(load<u64>(divisor + ((size - 1) << 3)));
  let d3 = load<u64>(divisor + ((size - 1) << 3));
  let d2 = load<u64>(divisor + ((size - 2) << 3));
  let d1: u64 = size > 2 ? load<u64>(divisor + ((size - 3) << 3)) : 0;
  let d0: u64 = size > 3 ? load<u64>(divisor) : 0;
  d3 = funnelShiftLeft(d3, d2, bits);
  d2 = funnelShiftLeft(d2, d1, bits);
  d1 = funnelShiftLeft(d1, d0, bits);
  d0 <<= bits;
  const v = reciprocalOfTwo(d3, d2);
  shiftNumerator(numerator, count, bits);
  clear(QUOTIENT);
  const top = SHIFTED + (count << 3);
  let r3 = load<u64>(top);
  let r2 = load<u64>(top - 8);
  let r1 = load<u64>(top - 16);
  let r0 = load<u64>(top - 24);
  for (let i = count - size; i >= 0; i--) {
    const next = load<u64>(SHIFTED + ((i + size - 4) << 3));
    let q: u64;
    if (r3 == d3 && r2 == d2) {
      // The quotient limb is 2^64 - 1. With (n1, n0) = (d1, d0) - (r1, r0), the remainder is d - (n1, n0, 0) + next. It
      // is not negative, as the top bit of d3 is set, and it is below d, as (n1, n0) is not zero.
      q = -1;
      const n0 = d0 - r0;
      const n1 = d1 - r1 - <u64>(d0 < r0);
      r0 = d0 + next;
      const carry0 = <u64>(r0 < next);
      r1 = d1 - n0 + carry0;
      const carry1 = <u64>(r1 < carry0);
      const borrow1 = <u64>(d1 < n0);
      const difference = d2 - n1;
      const lessBorrow = difference - borrow1;
      r2 = lessBorrow + carry1;
      r3 = d3 - <u64>(d2 < n1) - <u64>(difference < borrow1) + <u64>(r2 < carry1);
    } else {
      // Algorithm 5 divides (r3, r2, r1), the top limbs of the remainder, by (d3, d2). `q` is the quotient, and (t1,
      // t0) = (r3, r2, r1) - q (d3, d2).
      const low = v * r3 + r2;
      q = multiplyHigh(v, r3) + r3 + <u64>(low < r2);
      const p = d2 * q;
      let t0 = r1 - p;
      let t1 = r2 - q * d3 - multiplyHigh(d2, q) - <u64>(r1 < p) - d3 - <u64>(t0 < d2);
      t0 -= d2;
      q++;
      if (t1 >= low) {
        q--;
        t0 += d2;
        t1 += d3 + <u64>(t0 < d2);
      }
      if (t1 > d3 || (t1 == d3 && t0 >= d2)) {
        q++;
        t1 -= d3 + <u64>(t0 < d2);
        t0 -= d2;
      }
      r1 = r0;
      r0 = next;
      if (size > 2) {
        // (t1, t0, r1, r0) -= q (d1, d0)
        const p0 = q * d0;
        const p1Low = q * d1;
        const p1 = p1Low + multiplyHigh(q, d0);
        const p2 = multiplyHigh(q, d1) + <u64>(p1 < p1Low);
        const borrow0 = <u64>(r0 < p0);
        r0 -= p0;
        const difference1 = r1 - p1;
        const borrow1 = <u64>(r1 < p1) + <u64>(difference1 < borrow0);
        r1 = difference1 - borrow0;
        const difference2 = t0 - p2;
        const borrow2 = <u64>(t0 < p2) + <u64>(difference2 < borrow1);
        t0 = difference2 - borrow1;
        const isNegative = t1 < borrow2;
        t1 -= borrow2;
        if (isNegative) {
          q--;
          r0 += d0;
          const carry0 = <u64>(r0 < d0);
          r1 += d1;
          const carry1 = <u64>(r1 < d1) + <u64>(r1 + carry0 < carry0);
          r1 += carry0;
          t0 += d2;
          const carry2 = <u64>(t0 < d2) + <u64>(t0 + carry1 < carry1);
          t0 += carry1;
          t1 += d3 + carry2;
        }
      }
      r3 = t1;
      r2 = t0;
    }
    store<u64>(QUOTIENT + (i << 3), q);
  }
  clear(REMAINDER);
  const at = REMAINDER - ((4 - size) << 3);
  store<u64>(at, funnelShiftRight(r0, r1, bits));
  store<u64>(at, funnelShiftRight(r1, r2, bits), 8);
  store<u64>(at, funnelShiftRight(r2, r3, bits), 16);
  store<u64>(at, r3 >> bits, 24);
}

/**
 * Divides a number of `count` limbs (at most eight) by a divisor of four limbs that is not zero. Results are at
 * QUOTIENT and REMAINDER.
 */
export function divideLimbs(numerator: usize, count: i32, divisor: usize): void {
  const size = significantLimbs(divisor, 4);
  const length = significantLimbs(numerator, count);
  if (size == 1) {
    divideByLimb(numerator, length, load<u64>(divisor));
  } else if (length >= size) {
    divideByMany(numerator, length, divisor, size);
  } else {
    clear(QUOTIENT);
    clear(REMAINDER);
    memory.copy(REMAINDER, numerator, length << 3);
  }
}
