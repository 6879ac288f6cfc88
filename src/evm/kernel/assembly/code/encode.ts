// Encodes single EVM instructions as the kernel's operations.
import { recordStackAccess } from './basic-block';
import { hasEip8024Immediate, immediateByteAt, decodePairImmediate, decodeSingleImmediate } from './eip8024-immediate';
import { appendDecodedInstruction, appendWordOperand } from './append-decoded-instruction';
import * as op from '../operations';

/** Encodes the EVM instruction at `pc`. */
export function encodeInstruction(opcode: u32, bytes: usize, pc: u32, length: u32): void {
  if (opcode == op.JUMPDEST) return;
  if (opcode == op.PUSH0) return appendDecodedInstruction(op.PUSH_SMALL, pc, 0);
  if (opcode >= op.PUSH1 && opcode <= op.PUSH32) return encodePush(opcode - op.PUSH1 + 1, bytes + pc + 1, pc, length);
  if (opcode >= op.DUP1 && opcode < op.DUP1 + 16)
    return appendDecodedInstruction(op.DUP, pc, <u64>(opcode - op.DUP1) << 5);
  if (opcode >= op.SWAP1 && opcode < op.SWAP1 + 16)
    return appendDecodedInstruction(op.SWAP, pc, <u64>(opcode - op.SWAP1 + 1) << 5);
  if (opcode == op.GAS)
    return appendDecodedInstruction(op.GAS, pc, u64(!isCall(pc + 1 < length ? <u32>load<u8>(bytes + pc + 1) : 0)));
  if (hasEip8024Immediate(opcode)) return encodeLong(opcode, immediateByteAt(bytes, pc, length), pc);
  appendDecodedInstruction(opcode, pc, 0);
}

/** Encodes DUPN, SWAPN and EXCHANGE with their operand (EIP-8024). */
function encodeLong(opcode: u32, byte: u32, pc: u32): void {
  if (opcode == op.EXCHANGE) {
    const items = decodePairImmediate(byte);
    recordStackAccess(<i32>(items >> 32) + 1);
    return appendDecodedInstruction(op.EXCHANGE, pc, items << 5);
  }
  const place = decodeSingleImmediate(byte);
  // Both instructions access `place` + 1 stack items: SWAPN the top and the `place` items below it, DUPN the top
  // `place` items and the item that it pushes.
  recordStackAccess(place + 1);
  if (opcode == op.DUPN) return appendDecodedInstruction(op.DUP, pc, <u64>(place - 1) << 5);
  appendDecodedInstruction(op.SWAP, pc, <u64>place << 5);
}

function isCall(opcode: u32): bool {
  return opcode == op.CALL || opcode == op.CALLCODE || opcode == op.DELEGATECALL || opcode == op.STATICCALL;
}

/** Encodes a PUSH. Bytes beyond the end of the code count as zero. */
function encodePush(size: u32, from: usize, pc: u32, length: u32): void {
  if (size <= 8) return appendDecodedInstruction(op.PUSH_SMALL, pc, small(size, from));
  appendDecodedInstruction(op.PUSH_WORD, pc, 0);
  appendWordOperand(size, from);
}

/** Reads a big-endian number of at most eight bytes. */
function small(size: u32, from: usize): u64 {
  let value: u64 = 0;
  for (let i: u32 = 0; i < size; i++) value = (value << 8) | load<u8>(from + i);
  return value;
}
