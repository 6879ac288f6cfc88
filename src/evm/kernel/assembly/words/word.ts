// 256-bit words in memory: four 64-bit limbs, least significant first.

/** Copies word a to `out`. The two are the same word, or do not overlap. */
@inline
export function copy(out: usize, a: usize): void {
  v128.store(out, v128.load(a));
  v128.store(out, v128.load(a, 16), 16);
}

/** Sets `out` to zero. */
@inline
export function zero(out: usize): void {
  v128.store(out, i64x2.splat(0));
  v128.store(out, i64x2.splat(0), 16);
}

/** Sets `out` to a 64-bit value. */
@inline
export function setU64(out: usize, value: u64): void {
  store<u64>(out, value);
  store<u64>(out, 0, 8);
  v128.store(out, i64x2.splat(0), 16);
}

/** True if a is zero. */
@inline
export function isZero(a: usize): bool {
  return (load<u64>(a) | load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) == 0;
}

/** True if a and b are equal. */
@inline
export function equal(a: usize, b: usize): bool {
  return (
    ((load<u64>(a) ^ load<u64>(b)) |
      (load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16)) |
      (load<u64>(a, 24) ^ load<u64>(b, 24))) ==
    0
  );
}

/** True if a < b, unsigned. */
@inline
export function less(a: usize, b: usize): bool {
  const a3 = load<u64>(a, 24);
  const b3 = load<u64>(b, 24);
  if (a3 != b3) return a3 < b3;
  const a2 = load<u64>(a, 16);
  const b2 = load<u64>(b, 16);
  if (a2 != b2) return a2 < b2;
  const a1 = load<u64>(a, 8);
  const b1 = load<u64>(b, 8);
  if (a1 != b1) return a1 < b1;
  return load<u64>(a) < load<u64>(b);
}

/** True if a < b in two's complement. */
@inline
export function lessSigned(a: usize, b: usize): bool {
  const a3 = load<i64>(a, 24);
  const b3 = load<i64>(b, 24);
  if (a3 != b3) return a3 < b3;
  return less(a, b);
}

/** Writes a + b to `out`; returns the carry. */
@inline
export function add(out: usize, a: usize, b: usize): u64 {
  const a0 = load<u64>(a);
  const r0 = a0 + load<u64>(b);
  let carry = u64(r0 < a0);
  const a1 = load<u64>(a, 8);
  const s1 = a1 + load<u64>(b, 8);
  const r1 = s1 + carry;
  carry = u64(s1 < a1) | u64(r1 < s1);
  const a2 = load<u64>(a, 16);
  const s2 = a2 + load<u64>(b, 16);
  const r2 = s2 + carry;
  carry = u64(s2 < a2) | u64(r2 < s2);
  const a3 = load<u64>(a, 24);
  const s3 = a3 + load<u64>(b, 24);
  const r3 = s3 + carry;
  carry = u64(s3 < a3) | u64(r3 < s3);
  store<u64>(out, r0);
  store<u64>(out, r1, 8);
  store<u64>(out, r2, 16);
  store<u64>(out, r3, 24);
  return carry;
}

/** Writes a - b to `out`. */
@inline
export function subtract(out: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a);
  const b0 = load<u64>(b);
  const r0 = a0 - b0;
  let borrow = u64(a0 < b0);
  const a1 = load<u64>(a, 8);
  const b1 = load<u64>(b, 8);
  const s1 = a1 - b1;
  const r1 = s1 - borrow;
  borrow = u64(a1 < b1) | u64(s1 < borrow);
  const a2 = load<u64>(a, 16);
  const b2 = load<u64>(b, 16);
  const s2 = a2 - b2;
  const r2 = s2 - borrow;
  borrow = u64(a2 < b2) | u64(s2 < borrow);
  const r3 = load<u64>(a, 24) - load<u64>(b, 24) - borrow;
  store<u64>(out, r0);
  store<u64>(out, r1, 8);
  store<u64>(out, r2, 16);
  store<u64>(out, r3, 24);
}

/** Reverses the byte order of 32 bytes. Converts between a word and big-endian bytes. */
@inline
export function byteSwap(out: usize, from: usize): void {
  const low = v128.load(from);
  const high = v128.load(from, 16);
  const turnedHigh = v128.shuffle<u8>(high, high, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const turnedLow = v128.shuffle<u8>(low, low, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  v128.store(out, turnedHigh);
  v128.store(out, turnedLow, 16);
}

/** Returns the word as a size or offset; 2 ** 32 for any larger value. */
@inline
export function saturatedSize(a: usize): u64 {
  const low = load<u64>(a);
  const rest = load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24) | (low >> 32);
  return rest == 0 ? low : 0x1_0000_0000;
}

/** Returns the word as 64 bits; 2 ** 63 - 1 for any larger value. */
@inline
export function gasAmount(a: usize): i64 {
  const low = load<u64>(a);
  const rest = load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24) | (low >> 63);
  return rest == 0 ? <i64>low : i64.MAX_VALUE;
}

/** Converts the low 20 bytes of a word to an address: bytes in order, padded with four zeros. */
@inline
export function writeAddressBytes(out: usize, word: usize): void {
  const top = bswap<u32>(load<u32>(word, 16));
  const middle = bswap<u64>(load<u64>(word, 8));
  const bottom = bswap<u64>(load<u64>(word));
  store<u32>(out, top);
  store<u64>(out, middle, 4);
  store<u64>(out, bottom, 12);
  store<u32>(out, 0, 20);
}

/** Converts an address to a word. */
@inline
export function fromAddress(out: usize, address: usize): void {
  store<u64>(out, bswap<u64>(load<u64>(address, 12)));
  store<u64>(out, bswap<u64>(load<u64>(address, 4)), 8);
  store<u64>(out, <u64>bswap<u32>(load<u32>(address)), 16);
  store<u64>(out, 0, 24);
}

/** Copies an address, including the four zero bytes after it. */
@inline
export function copyAddress(out: usize, address: usize): void {
  store<u64>(out, load<u64>(address));
  store<u64>(out, load<u64>(address, 8), 8);
  store<u64>(out, load<u64>(address, 16), 16);
}
