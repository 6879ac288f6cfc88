// Comparison and bitwise instructions, 0x10 to 0x1e.
import { byteAt, leadingZeros, shiftLeft, shiftRight, shiftRightSigned } from '../words/shift';
import { equal, isZero, less, lessSigned, setU64 } from '../words/word';

/** LT 0x10: a, b -> 1 if a < b, unsigned; otherwise 0. */
@inline
export function LT(sp: usize): void {
  setU64(sp - 32, u64(less(sp, sp - 32)));
}

/** GT 0x11: a, b -> 1 if a > b, unsigned; otherwise 0. */
@inline
export function GT(sp: usize): void {
  setU64(sp - 32, u64(less(sp - 32, sp)));
}

/** SLT 0x12: a, b -> 1 if a < b in two's complement; otherwise 0. */
@inline
export function SLT(sp: usize): void {
  setU64(sp - 32, u64(lessSigned(sp, sp - 32)));
}

/** SGT 0x13: a, b -> 1 if a > b in two's complement; otherwise 0. */
@inline
export function SGT(sp: usize): void {
  setU64(sp - 32, u64(lessSigned(sp - 32, sp)));
}

/** EQ 0x14: a, b -> 1 if a = b; otherwise 0. */
@inline
export function EQ(sp: usize): void {
  setU64(sp - 32, u64(equal(sp, sp - 32)));
}

/** ISZERO 0x15: a -> 1 if a = 0; otherwise 0. */
@inline
export function ISZERO(sp: usize): void {
  setU64(sp, u64(isZero(sp)));
}

/** AND 0x16: a, b -> a & b. */
@inline
export function AND(sp: usize): void {
  v128.store(sp - 32, v128.and(v128.load(sp), v128.load(sp - 32)));
  v128.store(sp - 16, v128.and(v128.load(sp, 16), v128.load(sp - 16)));
}

/** OR 0x17: a, b -> a | b. */
@inline
export function OR(sp: usize): void {
  v128.store(sp - 32, v128.or(v128.load(sp), v128.load(sp - 32)));
  v128.store(sp - 16, v128.or(v128.load(sp, 16), v128.load(sp - 16)));
}

/** XOR 0x18: a, b -> a ^ b. */
@inline
export function XOR(sp: usize): void {
  v128.store(sp - 32, v128.xor(v128.load(sp), v128.load(sp - 32)));
  v128.store(sp - 16, v128.xor(v128.load(sp, 16), v128.load(sp - 16)));
}

/** NOT 0x19: a -> ~a. */
@inline
export function NOT(sp: usize): void {
  v128.store(sp, v128.not(v128.load(sp)));
  v128.store(sp, v128.not(v128.load(sp, 16)), 16);
}

/** BYTE 0x1a: i, x -> byte i of x, counted from the most significant byte; 0 for i >= 32. */
@inline
export function BYTE(sp: usize): void {
  byteAt(sp - 32, sp, sp - 32);
}

/** SHL 0x1b (EIP-145): bits, x -> x << bits; 0 for bits >= 256. */
@inline
export function SHL(sp: usize): void {
  shiftLeft(sp - 32, sp, sp - 32);
}

/** SHR 0x1c (EIP-145): bits, x -> x >> bits; 0 for bits >= 256. */
@inline
export function SHR(sp: usize): void {
  shiftRight(sp - 32, sp, sp - 32);
}

/** SAR 0x1d (EIP-145): bits, x -> x >> bits in two's complement; 0 or -1 for bits >= 256. */
@inline
export function SAR(sp: usize): void {
  shiftRightSigned(sp - 32, sp, sp - 32);
}

/** CLZ 0x1e (EIP-7939): x -> number of leading zero bits of x; 256 for x = 0. */
@inline
export function CLZ(sp: usize): void {
  leadingZeros(sp, sp);
}
