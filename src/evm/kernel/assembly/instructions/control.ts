// Control flow: jumps, what tells of the run itself, and the ends of frames.
import { BYTES as INSTRUCTION, OPERAND, PC as POSITION } from '../shared/instruction-fields';
import { destroy } from '../destruction';
import { looksAtGas } from '../execution';
import { end } from '../frame-return';
import * as status from '../shared/status';
import { isZero, less, setU64, size } from '../word';

/** Where the JUMPDEST at `target` leads; 0 when there is none. */
@inline
function destination(jumps: usize, codeLength: u32, target: u64): usize {
  return target < codeLength ? <usize>load<u32>(jumps + (<usize>target << 2)) : 0;
}

/** JUMP 0x56: target ->. Continues at the JUMPDEST there, fails without one. */
@inline
export function JUMP(sp: usize, jumps: usize, codeLength: u32): usize {
  return destination(jumps, codeLength, size(sp));
}

/** JUMPI 0x57: target, condition ->. Jumps as JUMP does where the condition is not 0. */
@inline
export function JUMPI(ip: usize, sp: usize, jumps: usize, codeLength: u32): usize {
  return isZero(sp - 32) ? ip + INSTRUCTION : destination(jumps, codeLength, size(sp));
}

/** PUSH1 to PUSH8, JUMP: jumps to the operand. */
@inline
export function JUMP_TO(ip: usize, jumps: usize, codeLength: u32): usize {
  return destination(jumps, codeLength, load<u64>(ip, OPERAND));
}

/** PUSH1 to PUSH8, JUMPI: condition ->. Jumps to the operand where the condition is not 0. */
@inline
export function JUMPI_TO(ip: usize, sp: usize, jumps: usize, codeLength: u32): usize {
  return isZero(sp) ? ip + INSTRUCTION : destination(jumps, codeLength, load<u64>(ip, OPERAND));
}

/** ISZERO, PUSH2, JUMPI: condition ->. Jumps to the operand where the condition is 0. */
@inline
export function JUMPZ_TO(ip: usize, sp: usize, jumps: usize, codeLength: u32): usize {
  return !isZero(sp) ? ip + INSTRUCTION : destination(jumps, codeLength, load<u64>(ip, OPERAND));
}

/** LT or GT, with JUMPI_TO or JUMPZ_TO: a, b ->. */
@inline
export function COMPARE_JUMP(ip: usize, sp: usize, jumps: usize, codeLength: u32): usize {
  const turned = <usize>load<u16>(ip, OPERAND + 4) << 5;
  const isLess = less(sp - turned, sp - 32 + turned);
  if (u32(isLess) == <u32>load<u16>(ip, OPERAND + 6)) return ip + INSTRUCTION;
  return destination(jumps, codeLength, load<u32>(ip, OPERAND));
}

/** DUP1, PUSH4, EQ, PUSH2, JUMPI: a -> a. Jumps to the operand's upper half where a equals its lower half. */
@inline
export function SELECT(ip: usize, sp: usize, jumps: usize, codeLength: u32): usize {
  const operand = load<u64>(ip, OPERAND);
  const rest = load<u64>(sp, 8) | load<u64>(sp, 16) | load<u64>(sp, 24);
  if (rest != 0 || load<u64>(sp) != (operand & 0xffff_ffff)) return ip + INSTRUCTION;
  return destination(jumps, codeLength, operand >> 32);
}

/** PC 0x58: -> position of the instruction in the code. */
@inline
export function PC(ip: usize, sp: usize): void {
  setU64(sp + 32, load<u32>(ip, POSITION));
}

/** GAS 0x5a: -> gas left after it. The operand is 0 before a call, which takes the gas and shows it to nobody. */
@inline
export function GAS(ip: usize, sp: usize, gas: i64): void {
  setU64(sp + 32, <u64>gas);
  if (load<u64>(ip, OPERAND) != 0) looksAtGas();
}

/** STOP 0x00: ends the frame with success and no output. */
@inline
export function STOP(): u32 {
  return end(status.SUCCESS, 0, 0);
}

/**
 * RETURN 0xf3: offset, length ->. Ends the frame with success and that memory; an offset without a length may be any.
 */
@inline
export function RETURN(at: usize, bytes: u64): u32 {
  return end(status.SUCCESS, bytes == 0 ? 0 : at, <u32>bytes);
}

/** REVERT 0xfd (EIP-140): offset, length ->. Takes the frame back; that memory is its output, the gas left returns. */
@inline
export function REVERT(at: usize, bytes: u64): u32 {
  return end(status.REVERT, bytes == 0 ? 0 : at, <u32>bytes);
}

/** SELFDESTRUCT 0xff (EIP-6780): heir ->. Ends the frame; the heir gets the balance (destruction.ts). */
@inline
export function SELFDESTRUCT(): u32 {
  const how = destroy();
  return how == status.SUCCESS ? end(status.SUCCESS, 0, 0) : how;
}
