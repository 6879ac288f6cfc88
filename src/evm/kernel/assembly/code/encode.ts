// Encodes single instructions as operations.
import { look } from './block';
import { hasImmediate, immediateAt, pair, single } from './immediate';
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
  if (hasImmediate(opcode)) return encodeLong(opcode, immediateAt(bytes, pc, length), pc);
  emit(opcode, pc, 0);
}

/** DUPN, SWAPN and EXCHANGE with their operand (EIP-8024). */
function encodeLong(opcode: u32, byte: u32, pc: u32): void {
  if (opcode == op.EXCHANGE) {
    const items = pair(byte);
    look(<i32>(items >> 32) + 1);
    return emit(op.EXCHANGE, pc, items << 5);
  }
  const place = single(byte);
  // The item that DUPN adds is already counted.
  look(place + 1);
  if (opcode == op.DUPN) return emit(op.DUP, pc, <u64>(place - 1) << 5);
  emit(op.SWAP, pc, <u64>place << 5);
}

function isCall(opcode: u32): bool {
  return opcode == op.CALL || opcode == op.CALLCODE || opcode == op.DELEGATECALL || opcode == op.STATICCALL;
}

/** Bytes beyond the end of the code are zero. */
function encodePush(size: u32, from: usize, pc: u32, length: u32): void {
  if (size <= 8) return emit(op.PUSH_SMALL, pc, small(size, from));
  emit(op.PUSH_WORD, pc, 0);
  putWord(size, from);
}

/** A big-endian number of at most eight bytes. */
function small(size: u32, from: usize): u64 {
  let value: u64 = 0;
  for (let i: u32 = 0; i < size; i++) value = (value << 8) | load<u8>(from + i);
  return value;
}
