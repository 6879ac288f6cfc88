// Sequences of instructions that are one operation.
import { countOpcode } from './block';
import { encodeAnd, small } from './encode';
import { ITEM_DROPPED, emit, isLast, last, putMask, putWord } from './instruction';
import * as op from './operations';
import { OPERAND } from './shared/instruction-fields';

/** Encodes a sequence that has an operation of its own; answers its bytes, 0 when there is none here. */
export function fuse(bytes: usize, pc: u32, length: u32): u32 {
  const opcode = <u32>load<u8>(bytes + pc);
  if (opcode == op.PUSH1 && pc + 7 < length && isMask(bytes + pc)) return fuseMask(bytes, pc, length);
  if (opcode >= op.PUSH1 && opcode < op.PUSH1 + 8) return fusePush(opcode, bytes, pc, length);
  if (opcode == op.PUSH1 + 19 && pc + 21 < length && load<u8>(bytes + pc + 21) == op.AND) return fuseAnd(bytes, pc);
  if (opcode >= op.SWAP1 && opcode < op.SWAP1 + 16) return fuseSwap(opcode, bytes, pc, length);
  if (opcode == op.ISZERO) return fuseIsZero(bytes, pc, length);
  if (opcode == op.DUP1) return fuseSelect(bytes, pc, length);
  return 0;
}

/** SWAP with POP. */
function fuseSwap(opcode: u32, bytes: usize, pc: u32, length: u32): u32 {
  if (pc + 1 >= length || load<u8>(bytes + pc + 1) != op.POP) return 0;
  countOpcode(opcode);
  countOpcode(op.POP);
  emit(op.SWAP_POP, pc, (<u64>(opcode - op.SWAP1 + 1) << 5) | ITEM_DROPPED);
  return 2;
}

/** ISZERO with PUSH2, JUMPI. */
function fuseIsZero(bytes: usize, pc: u32, length: u32): u32 {
  if (pc + 4 >= length || load<u8>(bytes + pc + 1) != op.PUSH1 + 1 || load<u8>(bytes + pc + 4) != op.JUMPI) return 0;
  countOpcode(op.ISZERO);
  countOpcode(op.PUSH1);
  countOpcode(op.JUMPI);
  const to = small(2, bytes + pc + 2);
  if (!joinCompare(to, true)) emit(op.JUMPZ_TO, pc, to);
  return 5;
}

/** PUSH with what takes the constant. */
function fusePush(opcode: u32, bytes: usize, pc: u32, length: u32): u32 {
  const size = opcode - op.PUSH1 + 1;
  if (pc + size + 1 >= length) return 0;
  const next = <u32>load<u8>(bytes + pc + size + 1);
  const value = small(size, bytes + pc + 1);
  let operation: u32;
  if (next == op.JUMP) operation = op.JUMP_TO;
  else if (next == op.JUMPI) operation = op.JUMPI_TO;
  else if (next == op.ADD) operation = op.ADD_SMALL;
  else if (next == op.MLOAD && value < 0x1000_0000) operation = op.MLOAD_AT;
  else if (next == op.MSTORE && value < 0x1000_0000) operation = op.MSTORE_AT;
  else return 0;
  countOpcode(opcode);
  countOpcode(next);
  if (operation != op.JUMPI_TO || !joinCompare(value, false)) emit(operation, pc, value);
  return size + 2;
}

/** PUSH20 AND: an address is cut out. */
function fuseAnd(bytes: usize, pc: u32): u32 {
  countOpcode(op.PUSH1);
  countOpcode(op.AND);
  encodeAnd(pc);
  putWord(20, bytes + pc + 1);
  return 22;
}

/** PUSH1 1, PUSH1 1, PUSH1 n, SHL, SUB: how compilers write a word whose lowest n bits are set. */
function isMask(at: usize): bool {
  const ones = load<u32>(at) == 0x0160_0160 && load<u8>(at, 4) == op.PUSH1;
  return ones && load<u8>(at, 6) == op.SHL && load<u8>(at, 7) == op.SUB;
}

/** The mask, and what cuts it out of an item, or of a copy, where that follows. */
function fuseMask(bytes: usize, pc: u32, length: u32): u32 {
  for (let i = 0; i < 3; i++) countOpcode(op.PUSH1);
  countOpcode(op.SHL);
  countOpcode(op.SUB);
  const next = pc + 8 < length ? <u32>load<u8>(bytes + pc + 8) : 0;
  const copies = next > op.DUP1 && next < op.DUP1 + 16 && pc + 9 < length && load<u8>(bytes + pc + 9) == op.AND;
  const size: u32 = copies ? 10 : next == op.AND ? 9 : 8;
  if (copies) {
    countOpcode(next);
    countOpcode(op.AND);
    emit(op.DUP_AND_WORD, pc, <u64>(next - op.DUP1 - 1) << 5);
  } else if (next == op.AND) {
    countOpcode(op.AND);
    encodeAnd(pc);
  } else {
    emit(op.PUSH_WORD, pc, 0);
  }
  putMask(<i32>load<u8>(bytes + pc + 5));
  return size;
}

function fuseSelect(bytes: usize, pc: u32, length: u32): u32 {
  if (pc + 10 >= length) return 0;
  const at = bytes + pc;
  const fits =
    load<u8>(at, 1) == op.PUSH1 + 3 &&
    load<u8>(at, 6) == op.EQ &&
    load<u8>(at, 7) == op.PUSH1 + 1 &&
    load<u8>(at, 10) == op.JUMPI;
  if (!fits) return 0;
  countOpcode(op.DUP1);
  countOpcode(op.PUSH1);
  countOpcode(op.EQ);
  countOpcode(op.PUSH1);
  countOpcode(op.JUMPI);
  emit(op.SELECT, pc, small(4, at + 2) | (small(2, at + 8) << 32));
  return 11;
}
/** Makes a comparison that is last one with the jump behind it, which goes where it holds, or where it does not. */
function joinCompare(to: u64, isZero: bool): bool {
  if ((!isLast(op.LT) && !isLast(op.GT)) || to >> 32 != 0) return false;
  store<u64>(last, to | (u64(isLast(op.GT)) << 32) | (u64(isZero) << 48), OPERAND);
  store<u32>(last, op.COMPARE_JUMP);
  return true;
}
