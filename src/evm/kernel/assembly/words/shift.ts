// Shifts of words, SIGNEXTEND, BYTE and CLZ. A word is a pointer to four 64-bit limbs, least significant first; its
// bytes are stored least significant first, too. `out` may be any of the inputs.
import { funnelShiftLeft, funnelShiftRight } from './limbs';

/** Returns the shift amount; any amount of 256 or more counts as 256. */
@inline
function amount(shift: usize): i32 {
  const low = load<u64>(shift);
  const high = load<u64>(shift, 8) | load<u64>(shift, 16) | load<u64>(shift, 24);
  return high == 0 && low < 256 ? <i32>low : 256;
}

/** Writes value << bits to `out`; `bits` is not negative. */
export function shiftLeftBy(out: usize, bits: i32, value: usize): void {
  const limbs = bits >> 6;
  const rest = <u64>(bits & 63);
  let w0: u64 = 0;
  let w1: u64 = 0;
  let w2: u64 = 0;
  let w3: u64 = 0;
  if (limbs == 0) {
    w0 = load<u64>(value);
    w1 = load<u64>(value, 8);
    w2 = load<u64>(value, 16);
    w3 = load<u64>(value, 24);
  } else if (limbs == 1) {
    w1 = load<u64>(value);
    w2 = load<u64>(value, 8);
    w3 = load<u64>(value, 16);
  } else if (limbs == 2) {
    w2 = load<u64>(value);
    w3 = load<u64>(value, 8);
  } else if (limbs == 3) {
    w3 = load<u64>(value);
  }
  store<u64>(out, w0 << rest);
  store<u64>(out, funnelShiftLeft(w1, w0, rest), 8);
  store<u64>(out, funnelShiftLeft(w2, w1, rest), 16);
  store<u64>(out, funnelShiftLeft(w3, w2, rest), 24);
}

/** Writes value >> bits to `out`. The upper bits are filled with `fill`, 0 or -1. */
@inline
function shiftRightFilled(out: usize, bits: i32, value: usize, fill: u64): void {
  const limbs = bits >> 6;
  const rest = <u64>(bits & 63);
  let w0 = fill;
  let w1 = fill;
  let w2 = fill;
  let w3 = fill;
  if (limbs == 0) {
    w0 = load<u64>(value);
    w1 = load<u64>(value, 8);
    w2 = load<u64>(value, 16);
    w3 = load<u64>(value, 24);
  } else if (limbs == 1) {
    w0 = load<u64>(value, 8);
    w1 = load<u64>(value, 16);
    w2 = load<u64>(value, 24);
  } else if (limbs == 2) {
    w0 = load<u64>(value, 16);
    w1 = load<u64>(value, 24);
  } else if (limbs == 3) {
    w0 = load<u64>(value, 24);
  }
  store<u64>(out, funnelShiftRight(w0, w1, rest));
  store<u64>(out, funnelShiftRight(w1, w2, rest), 8);
  store<u64>(out, funnelShiftRight(w2, w3, rest), 16);
  store<u64>(out, funnelShiftRight(w3, fill, rest), 24);
}

/** Writes value >> bits to `out`, filled with zeros; `bits` is not negative. */
export function shiftRightBy(out: usize, bits: i32, value: usize): void {
  shiftRightFilled(out, bits, value, 0);
}

/** Implements SHL. */
export function shiftLeft(out: usize, shift: usize, value: usize): void {
  shiftLeftBy(out, amount(shift), value);
}

/** Implements SHR. */
export function shiftRight(out: usize, shift: usize, value: usize): void {
  shiftRightBy(out, amount(shift), value);
}

/** Implements SAR: the upper bits are filled with the sign. */
export function shiftRightSigned(out: usize, shift: usize, value: usize): void {
  shiftRightFilled(out, amount(shift), value, <u64>(load<i64>(value, 24) >> 63));
}

/**
 * SIGNEXTEND: the sign is the top bit of byte k of x, counted from the least significant byte. For k >= 31, x stays the
 * same.
 */
export function signExtend(out: usize, k: usize, x: usize): void {
  const bytes = amount(k);
  const low = v128.load(x);
  const high = v128.load(x, 16);
  const fill = bytes < 31 ? <i64>load<i8>(x + bytes) >> 63 : 0;
  v128.store(out, low);
  v128.store(out, high, 16);
  if (bytes >= 31) return;
  const at = bytes & 24;
  const bits = <u64>(((bytes & 7) + 1) << 3);
  const kept: u64 = bits == 64 ? -1 : ((<u64>1) << bits) - 1;
  store<u64>(out + at, (load<u64>(out + at) & kept) | (<u64>fill & ~kept));
  for (let above = at + 8; above < 32; above += 8) store<u64>(out + above, <u64>fill);
}

/** BYTE: writes byte i of x, counted from the most significant byte; 0 for i >= 32. */
export function byteAt(out: usize, i: usize, x: usize): void {
  const index = amount(i);
  const byte: u64 = index < 32 ? load<u8>(x + 31 - index) : 0;
  v128.store(out, i64x2.splat(0), 16);
  store<u64>(out, byte);
  store<u64>(out, 0, 8);
}

/** CLZ (EIP-7939): writes the number of leading zero bits of x; 256 for zero. */
export function leadingZeros(out: usize, x: usize): void {
  let count: u64 = 0;
  for (let at = 24; at >= 0; at -= 8) {
    const zeros = clz(load<u64>(x + at));
    count += zeros;
    if (zeros < 64) break;
  }
  v128.store(out, i64x2.splat(0), 16);
  store<u64>(out, count);
  store<u64>(out, 0, 8);
}
