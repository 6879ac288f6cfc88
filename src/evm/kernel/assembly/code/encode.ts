// Single instructions as operations.
import { emit, putWord } from './instruction';
import * as op from '../operations';

/** Encodes the instruction at `pc`. */
export function encode(opcode: u32, bytes: usize, pc: u32, length: u32): void {
  if (opcode == op.JUMPDEST) return;
  if (opcode == op.PUSH0) return emit(op.PUSH_SMALL, pc, 0);
  if (opcode >= op.PUSH1 && opcode <= op.PUSH32) return encodePush(opcode - op.PUSH1 + 1, bytes + pc + 1, pc, length);
  if (opcode >= op.DUP1 && opcode < op.DUP1 + 16) return emit(op.DUP, pc, <u64>(opcode - op.DUP1) << 5);
  if (opcode >= op.SWAP1 && opcode < op.SWAP1 + 16) return emit(op.SWAP, pc, <u64>(opcode - op.SWAP1 + 1) << 5);
  if (opcode == op.GAS) return emit(op.GAS, pc, u64(!isCall(pc + 1 < length ? <u32>load<u8>(bytes + pc + 1) : 0)));
  emit(opcode, pc, 0);
}

function isCall(opcode: u32): bool {
  return opcode == op.CALL || opcode == op.CALLCODE || opcode == op.DELEGATECALL || opcode == op.STATICCALL;
}

/** Bytes behind the code's end are zero. */
function encodePush(size: u32, from: usize, pc: u32, length: u32): void {
  if (size <= 8) return emit(op.PUSH_SMALL, pc, small(size, from));
  emit(op.PUSH_WORD, pc, 0);
  putWord(size, from);
}

/** A number of so many bytes, eight at most. */
function small(size: u32, from: usize): u64 {
  let value: u64 = 0;
  for (let i: u32 = 0; i < size; i++) value = (value << 8) | load<u8>(from + i);
  return value;
}
