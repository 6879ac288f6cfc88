// Control flow: jumps, PC, GAS, and instructions that end the call frame.
import { decodeStretchAtJumpTarget } from '../code/decode';
import { INSTRUCTION_BYTES as INSTRUCTION, OPERAND, PC as POSITION } from '../shared/instruction-fields';
import { selfDestruct } from '../state/selfdestruct';
import { markGasSensitive } from '../execution-wide-state';
import { endFrameWithStatus } from '../frames/frame-return';
import * as status from '../shared/status';
import { isZero, setU64, saturatedSize } from '../words/word';

/** Returns the basic block of the JUMPDEST at `target`; 0 if there is no JUMPDEST, or if aborted (TABLE_FULL). */
@inline
function destination(code: usize, jumps: usize, codeLength: u32, target: u64): usize {
  if (target >= codeLength) return 0;
  const block = <usize>load<u32>(jumps + (<usize>target << 2));
  return block == 0 ? decodeStretchAtJumpTarget(code, <u32>target) : block;
}

/** JUMP 0x56: target ->. Continues at the JUMPDEST at `target`; fails if there is none. */
@inline
export function JUMP(sp: usize, code: usize, jumps: usize, codeLength: u32): usize {
  return destination(code, jumps, codeLength, saturatedSize(sp));
}

/** JUMPI 0x57: target, condition ->. Jumps as JUMP does if the condition is not 0. */
@inline
export function JUMPI(ip: usize, sp: usize, code: usize, jumps: usize, codeLength: u32): usize {
  return isZero(sp - 32) ? ip + INSTRUCTION : destination(code, jumps, codeLength, saturatedSize(sp));
}

/** PC 0x58: -> position of the instruction in the code. */
@inline
export function PC(ip: usize, sp: usize): void {
  setU64(sp + 32, load<u32>(ip, POSITION));
}

/**
 * GAS 0x5a: -> gas left after this instruction. Marks the execution as gas-sensitive, unless the instruction's operand
 * is 0. The operand is 0 if a call follows directly: then the value is only the gas argument of that call, which
 * EIP-150 limits to 63/64 of the gas left, so the code does not depend on the value.
 */
@inline
export function GAS(ip: usize, sp: usize, gas: i64): void {
  setU64(sp + 32, <u64>gas);
  if (load<u64>(ip, OPERAND) != 0) markGasSensitive();
}

/** STOP 0x00: ends the frame with success and no output. */
@inline
export function STOP(): u32 {
  return endFrameWithStatus(status.SUCCESS, 0, 0);
}

/** RETURN 0xf3: offset, length ->. Ends the frame with this memory range as output; length 0 allows any offset. */
@inline
export function RETURN(at: usize, bytes: u64): u32 {
  return endFrameWithStatus(status.SUCCESS, bytes == 0 ? 0 : at, <u32>bytes);
}

/**
 * REVERT 0xfd (EIP-140): offset, length ->. Reverts the frame, with this memory range as output; unused gas is
 * returned.
 */
@inline
export function REVERT(at: usize, bytes: u64): u32 {
  return endFrameWithStatus(status.REVERT, bytes == 0 ? 0 : at, <u32>bytes);
}

/** SELFDESTRUCT 0xff (EIP-6780): beneficiary ->. Ends the frame; the beneficiary gets the balance (selfdestruct.ts). */
@inline
export function SELFDESTRUCT(): u32 {
  const how = selfDestruct();
  return how == status.SUCCESS ? endFrameWithStatus(status.SUCCESS, 0, 0) : how;
}
