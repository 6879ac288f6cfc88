// Control flow: jumps, what tells of the run itself, and the ends of frames.
import { BYTES as INSTRUCTION, OPERAND, PC as POSITION } from '../decode';
import { destroy } from '../destruction';
import { looksAtGas } from '../execution';
import { end } from '../frame-return';
import * as status from '../shared/status';
import { isZero, setU64, size } from '../word';

/** Where the JUMPDEST at `target` leads; 0 when there is none. */
@inline
function destination(jumps: usize, codeLength: u32, target: u64): usize {
  return target < codeLength ? <usize>load<u32>(jumps + (<usize>target << 2)) : 0;
}

@inline
export function JUMP(sp: usize, jumps: usize, codeLength: u32): usize {
  return destination(jumps, codeLength, size(sp));
}

@inline
export function JUMPI(ip: usize, sp: usize, jumps: usize, codeLength: u32): usize {
  return isZero(sp - 32) ? ip + INSTRUCTION : destination(jumps, codeLength, size(sp));
}

@inline
export function JUMP_TO(ip: usize, jumps: usize, codeLength: u32): usize {
  return destination(jumps, codeLength, load<u64>(ip, OPERAND));
}

@inline
export function JUMPI_TO(ip: usize, sp: usize, jumps: usize, codeLength: u32): usize {
  return isZero(sp) ? ip + INSTRUCTION : destination(jumps, codeLength, load<u64>(ip, OPERAND));
}

@inline
export function JUMPZ_TO(ip: usize, sp: usize, jumps: usize, codeLength: u32): usize {
  return !isZero(sp) ? ip + INSTRUCTION : destination(jumps, codeLength, load<u64>(ip, OPERAND));
}

@inline
export function SELECT(ip: usize, sp: usize, jumps: usize, codeLength: u32): usize {
  const operand = load<u64>(ip, OPERAND);
  const rest = load<u64>(sp, 8) | load<u64>(sp, 16) | load<u64>(sp, 24);
  if (rest != 0 || load<u64>(sp) != (operand & 0xffff_ffff)) return ip + INSTRUCTION;
  return destination(jumps, codeLength, operand >> 32);
}

@inline
export function PC(ip: usize, sp: usize): void {
  setU64(sp + 32, load<u32>(ip, POSITION));
}

/** The operand: whether anything but a call takes it. */
@inline
export function GAS(ip: usize, sp: usize, gas: i64): void {
  setU64(sp + 32, <u64>gas);
  if (load<u64>(ip, OPERAND) != 0) looksAtGas();
}

@inline
export function STOP(): u32 {
  return end(status.SUCCESS, 0, 0);
}

/** An offset without a length leads anywhere. */
@inline
export function RETURN(at: usize, bytes: u64): u32 {
  return end(status.SUCCESS, bytes == 0 ? 0 : at, <u32>bytes);
}

@inline
export function REVERT(at: usize, bytes: u64): u32 {
  return end(status.REVERT, bytes == 0 ? 0 : at, <u32>bytes);
}

@inline
export function SELFDESTRUCT(): u32 {
  const how = destroy();
  return how == status.SUCCESS ? end(status.SUCCESS, 0, 0) : how;
}
