// Arithmetic instructions, 0x01 to 0x0b.
import {
  addModulo,
  byteLength,
  divide,
  modulo,
  multiply,
  multiplyModulo,
  power,
  signedDivide,
  signedModulo,
} from '../words/arithmetic';
import { EXP_BYTE_GAS } from '../dynamic-gas-costs';
import { signExtend } from '../words/shift';
import { add, subtract } from '../words/word';

/** ADD 0x01: a, b -> a + b mod 2^256. */
@inline
export function ADD(sp: usize): void {
  add(sp - 32, sp, sp - 32);
}

/** MUL 0x02: a, b -> a * b mod 2^256. */
@inline
export function MUL(sp: usize): void {
  multiply(sp - 32, sp, sp - 32);
}

/** SUB 0x03: a, b -> a - b mod 2^256. */
@inline
export function SUB(sp: usize): void {
  subtract(sp - 32, sp, sp - 32);
}

/** DIV 0x04: a, b -> a / b rounded down; 0 for b = 0. */
@inline
export function DIV(sp: usize): void {
  divide(sp - 32, sp, sp - 32);
}

/** SDIV 0x05: a, b -> a / b in two's complement, rounded to zero; 0 for b = 0. */
@inline
export function SDIV(sp: usize): void {
  signedDivide(sp - 32, sp, sp - 32);
}

/** MOD 0x06: a, b -> a mod b; 0 for b = 0. */
@inline
export function MOD(sp: usize): void {
  modulo(sp - 32, sp, sp - 32);
}

/** SMOD 0x07: a, b -> a mod b in two's complement, with the sign of a; 0 for b = 0. */
@inline
export function SMOD(sp: usize): void {
  signedModulo(sp - 32, sp, sp - 32);
}

/** ADDMOD 0x08: a, b, m -> (a + b) mod m, the sum unbounded; 0 for m = 0. */
@inline
export function ADDMOD(sp: usize): void {
  addModulo(sp - 64, sp, sp - 32, sp - 64);
}

/** MULMOD 0x09: a, b, m -> (a * b) mod m, the product unbounded; 0 for m = 0. */
@inline
export function MULMOD(sp: usize): void {
  multiplyModulo(sp - 64, sp, sp - 32, sp - 64);
}

/** EXP 0x0a: a, b -> a to the power of b, mod 2^256. 50 gas for each byte of b (EIP-160). */
@inline
export function EXP(sp: usize, gas: i64): i64 {
  const left = gas - EXP_BYTE_GAS * <i64>byteLength(sp - 32);
  if (left >= 0) power(sp - 32, sp, sp - 32);
  return left;
}

/** SIGNEXTEND 0x0b: k, x -> x sign-extended from byte k, counted from the least significant byte. */
@inline
export function SIGNEXTEND(sp: usize): void {
  signExtend(sp - 32, sp, sp - 32);
}
