// Powers of integers of any length modulo any integer (EIP-198): schoolbook products, and Knuth's division by a modulus whose
// reciprocal is known (limbs.ts has its source). As native/modexp.h. Runs on publisher and estimators where the addon does not
// serve. Numbers are limbs in memory, least first; those below the modulus are shifted to the left as it is.
import { joinLeft, joinRight, multiplyHigh, reciprocal, reciprocalOfTwo } from './limbs';

/** Longer exponents, in bytes, are taken by four bits at once. */
const LONG_BYTES: i32 = 8;

/** The modulus: its limbs, shifted until the highest bit is set, how many, and by how much. */
let divisor: usize = 0;
let size: i32 = 0;
let shift: u64 = 0;
let top: u64 = 0;
let second: u64 = 0;
let inverse: u64 = 0;
/** What `divide` has left of three limbs. */
let leftHigh: u64 = 0;
let leftLow: u64 = 0;
/** Room for a product. */
let product: usize = 0;

/** Reads bytes, the highest first; how many limbs there are without zeros at the top. */
function read(limbs: usize, bytes: usize, length: i32): i32 {
  while (length > 0 && load<u8>(bytes) == 0) {
    bytes++;
    length--;
  }
  const count = (length + 7) >> 3;
  memory.fill(limbs, 0, <usize>count << 3);
  for (let i = 0; i < length; i++) store<u8>(limbs + i, load<u8>(bytes + length - 1 - i));
  return count;
}

function shiftLeft(limbs: usize, count: i32): void {
  let below: u64 = 0;
  for (let at = limbs, end = limbs + (count << 3); at < end; at += 8) {
    const limb = load<u64>(at);
    store<u64>(at, joinLeft(limb, below, shift));
    below = limb;
  }
}

function shiftRight(limbs: usize): void {
  const last = limbs + ((size - 1) << 3);
  for (let at = limbs; at <= last; at += 8) {
    store<u64>(at, joinRight(load<u64>(at), at < last ? load<u64>(at + 8) : 0, shift));
  }
}

/** Takes the limbs at `divisor` for the modulus. */
function prepare(): void {
  shift = clz(load<u64>(divisor + ((size - 1) << 3)));
  shiftLeft(divisor, size);
  top = load<u64>(divisor + ((size - 1) << 3));
  second = size > 1 ? load<u64>(divisor + ((size - 2) << 3)) : 0;
  inverse = size > 1 ? reciprocalOfTwo(top, second) : reciprocal(top);
}

/** Two limbs modulo the only one, which is more than `high`: algorithm 4. */
@inline
function remainder(high: u64, low: u64): u64 {
  const fraction = inverse * high + low;
  const digit = multiplyHigh(inverse, high) + high + 1 + <u64>(fraction < low);
  let rest = low - digit * top;
  if (rest > fraction) rest += top;
  return rest >= top ? rest - top : rest;
}

/** Three limbs by the top two, which are more than the first two: algorithm 5. Leaves what remains, too. */
@inline
function divide(high: u64, middle: u64, low: u64): u64 {
  const fraction = inverse * high + middle;
  let digit = multiplyHigh(inverse, high) + high + <u64>(fraction < middle);
  const part = second * digit;
  let restLow = low - part;
  let restHigh = middle - digit * top - multiplyHigh(second, digit) - <u64>(low < part) - top - <u64>(restLow < second);
  restLow -= second;
  digit++;
  if (restHigh >= fraction) {
    digit--;
    restLow += second;
    restHigh += top + <u64>(restLow < second);
  }
  if (restHigh > top || (restHigh == top && restLow >= second)) {
    digit++;
    restHigh -= top + <u64>(restLow < second);
    restLow -= second;
  }
  leftHigh = restHigh;
  leftLow = restLow;
  return digit;
}

/** Adds the divisor until the limb above it is zero. */
function putBack(part: usize): void {
  const above = part + (size << 3);
  do {
    let carry: u64 = 0;
    for (let i = 0; i < size << 3; i += 8) {
      const limb = load<u64>(part + i) + carry;
      const sum = limb + load<u64>(divisor + i);
      carry = <u64>(limb < carry) | <u64>(sum < limb);
      store<u64>(part + i, sum);
    }
    store<u64>(above, load<u64>(above) + carry);
  } while (load<u64>(above) != 0);
}

/** One digit of a quotient: one limb more than the divisor has, below it times 2^64, modulo it. */
@inline
function take(part: usize): void {
  const above = part + (size << 3);
  const high = load<u64>(above);
  const middle = load<u64>(above - 8);
  if (size == 1) {
    store<u64>(part, remainder(high, middle));
    return;
  }
  // Seldom 1 too high.
  const isBelow = high < top || (high == top && middle < second);
  const digit = isBelow ? divide(high, middle, load<u64>(above - 16)) : <u64>-1;
  if (size == 2 && isBelow) {
    store<u64>(part, leftLow);
    store<u64>(part, leftHigh, 8);
    return;
  }
  let borrow: u64 = 0;
  for (let at = part, d = divisor; at < above; at += 8, d += 8) {
    const limb = load<u64>(d);
    const low = digit * limb + borrow;
    const value = load<u64>(at);
    borrow = multiplyHigh(digit, limb) + <u64>(low < borrow) + <u64>(value < low);
    store<u64>(at, value - low);
  }
  store<u64>(above, high - borrow);
  if (high < borrow) putBack(part);
}

/** Leaves shifted limbs modulo the modulus in the lowest of them. The highest one is below the modulus's. */
function reduce(number: usize, count: i32): void {
  for (let part = number + ((count - 1 - size) << 3); part >= number; part -= 8) take(part);
}

/** So few limbs are copied sooner by a loop than by `memory.copy`. */
@inline
function copy(target: usize, source: usize): void {
  for (let i: usize = 0; i < <usize>size << 3; i += 8) store<u64>(target + i, load<u64>(source + i));
}

/** a *= b; the product is shifted as both are, so one of them is shifted back. */
function multiply(a: usize, b: usize): void {
  if (size == 1) {
    const factor = load<u64>(a) >> shift;
    const limb = load<u64>(b);
    store<u64>(a, remainder(multiplyHigh(factor, limb), factor * limb));
    return;
  }
  const bytes = <usize>size << 3;
  for (let i: usize = 0; i < bytes; i += 8) store<u64>(product + i, 0);
  for (let i: usize = 0; i < bytes; i += 8) {
    const factor = joinRight(load<u64>(a + i), i + 8 < bytes ? load<u64>(a + i + 8) : 0, shift);
    let carry: u64 = 0;
    let at = product + i;
    for (let from = b, end = b + bytes; from < end; from += 8, at += 8) {
      const limb = load<u64>(from);
      const low = factor * limb + carry;
      const sum = low + load<u64>(at);
      carry = multiplyHigh(factor, limb) + <u64>(low < carry) + <u64>(sum < low);
      store<u64>(at, sum);
    }
    store<u64>(at, carry);
  }
  reduce(product, size << 1);
  copy(a, product);
}

/** Powers of what lies behind the first: 1, the number, and so on. */
function fill(powers: usize, count: i32): void {
  const bytes = <usize>size << 3;
  for (let i = 2; i < count; i++) {
    const power = powers + <usize>i * bytes;
    copy(power, power - bytes);
    multiply(power, powers + bytes);
  }
}

/** Leaves the power in `result`: by digits of the exponent, whose first byte is not zero, from the highest on. */
function raise(result: usize, powers: usize, exponent: usize, exponentBytes: i32): void {
  const bytes = <usize>size << 3;
  const bits = exponentBytes > LONG_BYTES ? 4 : 1;
  fill(powers, 1 << bits);
  copy(result, powers);
  let isBegun = false;
  for (let i = 0; i < exponentBytes; i++) {
    for (let bit = 8 - bits; bit >= 0; bit -= bits) {
      if (isBegun) for (let j = 0; j < bits; j++) multiply(result, result);
      const digit = (<i32>load<u8>(exponent + i) >> bit) & ((1 << bits) - 1);
      if (digit == 0) continue;
      multiply(result, powers + <usize>digit * bytes);
      isBegun = true;
    }
  }
}

/** A number at `numbers`, with a limb to spare, modulo the modulus. */
function reduced(target: usize, number: usize, count: i32): void {
  shiftLeft(number, count);
  reduce(number, count);
  copy(target, number);
}

/**
 * base^exponent modulo `modulus`, of as many bytes as it; zero modulo zero. `room`: for 21 times the modulus and once the
 * base, each of whole limbs, and 2 limbs more.
 */
export function power(
  base: usize,
  baseBytes: i32,
  exponent: usize,
  exponentBytes: i32,
  modulus: usize,
  modulusBytes: i32,
  output: usize,
  room: usize,
): void {
  memory.fill(output, 0, modulusBytes);
  divisor = room;
  size = read(divisor, modulus, modulusBytes);
  if (size == 0) return;
  const bytes = <usize>size << 3;
  prepare();
  product = divisor + bytes;
  const result = product + 2 * bytes;
  const powers = result + bytes;
  const number = powers + 16 * bytes;
  memory.fill(number, 0, bytes + 8);
  store<u64>(number, 1);
  reduced(powers, number, size + 1);
  const count = read(number, base, baseBytes);
  const padded = max(count, size) + 1;
  memory.fill(number + (count << 3), 0, <usize>(padded - count) << 3);
  reduced(powers + bytes, number, padded);
  while (exponentBytes > 0 && load<u8>(exponent) == 0) {
    exponent++;
    exponentBytes--;
  }
  raise(result, powers, exponent, exponentBytes);
  shiftRight(result);
  const length = min(<i32>bytes, modulusBytes);
  for (let i = 0; i < length; i++) store<u8>(output + modulusBytes - 1 - i, load<u8>(result + i));
}
