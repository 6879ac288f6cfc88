// Arithmetic: 0x01 to 0x0b.
import { addModulo, byteLength, divide, modulo, multiply, multiplyModulo, power, signedDivide, signedModulo } from '../arithmetic';
import { OPERAND } from '../decode';
import { EXPONENT_BYTE } from '../gas-costs';
import { signExtend } from '../shift';
import { add, subtract } from '../word';

@inline
export function ADD(sp: usize): void {
  add(sp - 32, sp, sp - 32);
}

@inline
export function ADD_SMALL(ip: usize, sp: usize): void {
  const low = load<u64>(sp);
  const sum = low + load<u64>(ip, OPERAND);
  store<u64>(sp, sum);
  if (sum < low) carry(sp + 8);
}

/** Adds one to the upper three limbs of a word. */
function carry(limb: usize): void {
  for (let i = 0; i < 3; i++, limb += 8) {
    const sum = load<u64>(limb) + 1;
    store<u64>(limb, sum);
    if (sum != 0) return;
  }
}

@inline
export function MUL(sp: usize): void {
  multiply(sp - 32, sp, sp - 32);
}

@inline
export function SUB(sp: usize): void {
  subtract(sp - 32, sp, sp - 32);
}

@inline
export function DIV(sp: usize): void {
  divide(sp - 32, sp, sp - 32);
}

@inline
export function SDIV(sp: usize): void {
  signedDivide(sp - 32, sp, sp - 32);
}

@inline
export function MOD(sp: usize): void {
  modulo(sp - 32, sp, sp - 32);
}

@inline
export function SMOD(sp: usize): void {
  signedModulo(sp - 32, sp, sp - 32);
}

@inline
export function ADDMOD(sp: usize): void {
  addModulo(sp - 64, sp, sp - 32, sp - 64);
}

@inline
export function MULMOD(sp: usize): void {
  multiplyModulo(sp - 64, sp, sp - 32, sp - 64);
}

@inline
export function EXP(sp: usize, gas: i64): i64 {
  const left = gas - EXPONENT_BYTE * <i64>byteLength(sp - 32);
  if (left >= 0) power(sp - 32, sp, sp - 32);
  return left;
}

@inline
export function SIGNEXTEND(sp: usize): void {
  signExtend(sp - 32, sp, sp - 32);
}
