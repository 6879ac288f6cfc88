// Basic blocks of the code that is being decoded. A basic block starts with the operation BLOCK, with which its gas and
// stack are checked at once. BLOCK's operand contains the block's static gas (u32), and how many bytes of stack the
// block needs below the top and adds above it (u16 each). A basic block also ends at an instruction that can observe
// the gas left: GAS, SSTORE, CALLs and CREATEs.
import { hasEip8024Immediate, immediateByteAt, isValidImmediate } from './eip8024-immediate';
import { appendDecodedInstruction, nextInstructionAddress } from './append-decoded-instruction';
import * as op from '../operations';
import * as C from '../shared/code-fields';
import { INSTRUCTION_BYTES, OPERAND } from '../shared/instruction-fields';
import { OPCODES } from '../shared/memory-layout';
import * as O from '../shared/opcode-fields';

/** A run count so high that the basic block is never compiled. */
const RUNS_NEVER: u32 = 0xffff_0000;

/** Address of the BLOCK instruction of the basic block that is being decoded. */
export let currentBlock: usize = 0;
/** Static gas of the current basic block, and the stack height relative to its start: current, lowest and highest. */
let gas: u32 = 0;
let height: i32 = 0;
let lowest: i32 = 0;
let highest: i32 = 0;

/**
 * True while the careful form of a code is decoded (decode.ts), in which each instruction is a basic block of its own.
 * Its basic blocks are never compiled.
 */
let isCareful = false;

/**
 * Sets whether the following basic blocks belong to the careful form of a code (decode.ts), in which each instruction
 * is a basic block of its own. They are never compiled.
 */
export function setCarefulForNextBlocks(careful: bool): void {
  isCareful = careful;
}

/** Opens a basic block at this position in the code. */
export function openBlock(pc: u32): void {
  currentBlock = nextInstructionAddress;
  gas = 0;
  height = 0;
  lowest = 0;
  highest = 0;
  appendDecodedInstruction(isCareful ? op.BLOCK | RUNS_NEVER : op.BLOCK, pc, 0);
}

/** Closes the current basic block and opens the next one. */
export function beginNextBlock(pc: u32): void {
  closeBlock();
  openBlock(pc);
}

/**
 * Closes the current basic block: writes its static gas, and the stack items that it needs and adds, to its BLOCK
 * instruction.
 */
export function closeBlock(): void {
  const needed = min<i32>(-lowest, 1025) << 5;
  const added = min<i32>(highest, 1025) << 5;
  store<u64>(currentBlock, <u64>gas | (<u64>needed << 32) | (<u64>added << 48), OPERAND);
}

/** True if the current basic block has no instruction yet. */
@inline
export function isBlockEmpty(): bool {
  return nextInstructionAddress == currentBlock + INSTRUCTION_BYTES && gas == 0;
}

/** Adds an instruction's static gas and stack effect to the current basic block. */
@inline
export function countInstruction(row: usize): void {
  gas += load<u32>(row, O.STATIC_GAS);
  move(load<u8>(row, O.ITEMS_POPPED), load<u8>(row, O.ITEMS_PUSHED));
}

/** Records how many stack items the current instruction accesses, if they are more than the opcode table says. */
export function recordStackAccess(items: i32): void {
  move(items, items);
}

@inline
function move(taken: i32, given: i32): void {
  height -= taken;
  lowest = min(lowest, height);
  height += given;
  highest = max(highest, height);
}

/** Returns the table row of an opcode under the fork's rules (opcode-fields.ts). */
@inline
export function opcodeRow(opcode: u32): usize {
  return OPCODES + <usize>opcode * O.ROW_BYTES;
}

/** True if a new basic block starts after an instruction with this opcode. */
export function endsBlock(opcode: u32): bool {
  return load<u8>(opcodeRow(opcode), O.ENDS) != 0;
}

/** True if execution never continues after an instruction with this opcode, except at a jump target. */
export function endsControlFlow(opcode: u32): bool {
  return load<u8>(opcodeRow(opcode), O.ENDS) == O.ENDS_FLOW;
}

/**
 * Returns the static gas from `pc` to the end of its basic block, which is refunded if the instruction at `pc` fails.
 */
export function staticGasFrom(code: usize, pc: u32): u64 {
  const bytes = <usize>load<u32>(code, C.BYTES);
  const length = load<u32>(code, C.LENGTH);
  let sum: u64 = 0;
  for (let at = pc; at < length; at++) {
    const opcode = <u32>load<u8>(bytes + at);
    if (opcode == op.JUMPDEST && at != pc) break;
    const row = opcodeRow(opcode);
    sum += load<u32>(row, O.STATIC_GAS);
    if (endsBlock(opcode) || load<u8>(row, O.IS_DEFINED) == 0) break;
    if (opcode >= op.PUSH1 && opcode <= op.PUSH32) at += opcode - op.PUSH1 + 1;
    if (!hasEip8024Immediate(opcode)) continue;
    if (!isValidImmediate(opcode, immediateByteAt(bytes, at, length))) break;
    at++;
  }
  return sum;
}
