// Comparison and bits: 0x10 to 0x1e.
import { BYTES as INSTRUCTION } from '../decode';
import { byteAt, leadingZeros, shiftLeft, shiftRight, shiftRightSigned } from '../shift';
import { equal, isZero, less, lessSigned, setU64 } from '../word';

@inline
export function LT(sp: usize): void {
  setU64(sp - 32, u64(less(sp, sp - 32)));
}

@inline
export function GT(sp: usize): void {
  setU64(sp - 32, u64(less(sp - 32, sp)));
}

@inline
export function SLT(sp: usize): void {
  setU64(sp - 32, u64(lessSigned(sp, sp - 32)));
}

@inline
export function SGT(sp: usize): void {
  setU64(sp - 32, u64(lessSigned(sp - 32, sp)));
}

@inline
export function EQ(sp: usize): void {
  setU64(sp - 32, u64(equal(sp, sp - 32)));
}

@inline
export function ISZERO(sp: usize): void {
  setU64(sp, u64(isZero(sp)));
}

@inline
export function AND(sp: usize): void {
  v128.store(sp - 32, v128.and(v128.load(sp), v128.load(sp - 32)));
  v128.store(sp - 16, v128.and(v128.load(sp, 16), v128.load(sp - 16)));
}

@inline
export function AND_WORD(ip: usize, sp: usize): void {
  v128.store(sp, v128.and(v128.load(sp), v128.load(ip, INSTRUCTION)));
  v128.store(sp, v128.and(v128.load(sp, 16), v128.load(ip, INSTRUCTION + 16)), 16);
}

@inline
export function OR(sp: usize): void {
  v128.store(sp - 32, v128.or(v128.load(sp), v128.load(sp - 32)));
  v128.store(sp - 16, v128.or(v128.load(sp, 16), v128.load(sp - 16)));
}

@inline
export function XOR(sp: usize): void {
  v128.store(sp - 32, v128.xor(v128.load(sp), v128.load(sp - 32)));
  v128.store(sp - 16, v128.xor(v128.load(sp, 16), v128.load(sp - 16)));
}

@inline
export function NOT(sp: usize): void {
  v128.store(sp, v128.not(v128.load(sp)));
  v128.store(sp, v128.not(v128.load(sp, 16)), 16);
}

@inline
export function BYTE(sp: usize): void {
  byteAt(sp - 32, sp, sp - 32);
}

@inline
export function SHL(sp: usize): void {
  shiftLeft(sp - 32, sp, sp - 32);
}

@inline
export function SHR(sp: usize): void {
  shiftRight(sp - 32, sp, sp - 32);
}

@inline
export function SAR(sp: usize): void {
  shiftRightSigned(sp - 32, sp, sp - 32);
}

@inline
export function CLZ(sp: usize): void {
  leadingZeros(sp, sp);
}
