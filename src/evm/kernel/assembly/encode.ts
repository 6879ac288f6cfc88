// Single instructions as operations, and what one has in common with the one before it in its block.
import { ITEM_DROPPED, emit, isLast, isLastU32, join, last, putWord, takeDup } from './instruction';
import * as op from './operations';
import { OPERAND } from './shared/instruction-fields';

/** Encodes the instruction at `pc`, which begins no sequence with an operation of its own. */
export function encode(opcode: u32, bytes: usize, pc: u32, length: u32): void {
  if (opcode == op.JUMPDEST) return;
  if (opcode == op.PUSH0) return encodeSmall(0, pc);
  if (opcode >= op.PUSH1 && opcode <= op.PUSH32) return encodePush(opcode - op.PUSH1 + 1, bytes + pc + 1, pc, length);
  if (opcode >= op.DUP1 && opcode < op.DUP1 + 16) return encodeDup(<u64>(opcode - op.DUP1) << 5, pc);
  if (opcode >= op.SWAP1 && opcode < op.SWAP1 + 16) return encodeSwap(<u64>(opcode - op.SWAP1 + 1) << 5, pc);
  if (opcode == op.POP) return encodePop(pc);
  if (opcode == op.ADD) return encodeTaker(op.ADD, op.DUP_ADD, pc);
  if (opcode == op.AND) return encodeTaker(op.AND, op.DUP_AND, pc);
  if (opcode == op.MLOAD) return encodeTaker(op.MLOAD, op.DUP_MLOAD, pc);
  if (opcode == op.MSTORE) return encodeTaker(op.MSTORE, op.DUP_MSTORE, pc);
  if (opcode == op.GAS) return emit(op.GAS, pc, u64(!isCall(pc + 1 < length ? <u32>load<u8>(bytes + pc + 1) : 0)));
  emit(opcode, pc, 0);
}

function encodeDup(distance: u64, pc: u32): void {
  if (isLast(op.DUP)) join(op.DUP_DUP, distance);
  else if (isLastU32()) join(op.PUSH_DUP, distance);
  else emit(op.DUP, pc, distance);
}

function encodeSmall(value: u64, pc: u32): void {
  if (isLastU32() && value >> 32 == 0) join(op.PUSH_PUSH, value);
  else emit(op.PUSH_SMALL, pc, value);
}

function encodeSwap(distance: u64, pc: u32): void {
  if (isLast(op.SWAP)) join(op.SWAP_SWAP, distance);
  else if (isLastU32()) join(op.PUSH_SWAP, distance);
  else emit(op.SWAP, pc, distance);
}

/** Several are one. */
function encodePop(pc: u32): void {
  if (isLast(op.DROP) || isLast(op.SWAP_POP)) store<u64>(last, load<u64>(last, OPERAND) + ITEM_DROPPED, OPERAND);
  else emit(op.DROP, pc, ITEM_DROPPED);
}

/** What takes an item: with the DUP that makes it, where that is before it. */
function encodeTaker(alone: u32, joined: u32, pc: u32): void {
  const distance = takeDup();
  if (distance < 0) emit(alone, pc, 0);
  else emit(joined, pc - 1, <u64>distance);
}

/** AND with a constant that the caller puts behind it: of a copy, where DUP is before it. */
export function encodeAnd(pc: u32): void {
  encodeTaker(op.AND_WORD, op.DUP_AND_WORD, pc);
}

function isCall(opcode: u32): bool {
  return opcode == op.CALL || opcode == op.CALLCODE || opcode == op.DELEGATECALL || opcode == op.STATICCALL;
}

/** Bytes behind the code's end are zero. */
function encodePush(size: u32, from: usize, pc: u32, length: u32): void {
  if (size <= 8) return encodeSmall(small(size, from), pc);
  emit(op.PUSH_WORD, pc, 0);
  putWord(size, from);
}

/** A number of so many bytes, eight at most. */
export function small(size: u32, from: usize): u64 {
  let value: u64 = 0;
  for (let i: u32 = 0; i < size; i++) value = (value << 8) | load<u8>(from + i);
  return value;
}
