// Immediate operands (EIP-8024): a byte behind the instruction says which items of the stack it takes.
import * as op from '../operations';

/** True if the opcode is DUPN, SWAPN or EXCHANGE, whether the fork has them or not. */
@inline
export function hasImmediate(opcode: u32): bool {
  return opcode >= op.DUPN && opcode <= op.EXCHANGE;
}

/** The byte behind the instruction at `pc`; 0 behind the code's end. */
export function immediateAt(bytes: usize, pc: u32, length: u32): u32 {
  return pc + 1 < length ? <u32>load<u8>(bytes + pc + 1) : 0;
}

/** True if the byte is an operand of that instruction; what is none leaves jump destinations and pushes as they are. */
export function isOperand(opcode: u32, byte: u32): bool {
  return byte >= 0x80 || byte <= <u32>(opcode == op.EXCHANGE ? 0x51 : 0x5a);
}

/** Place below the top of the item that DUPN copies, counted from 1, and of that which SWAPN exchanges, from 0. */
export function single(byte: u32): u32 {
  return (byte + 145) & 0xff;
}

/** Places below the top, from 0, of the items that EXCHANGE exchanges: the upper one in the low half, the other above. */
export function pair(byte: u32): u64 {
  const both = byte ^ 0x8f;
  const high = both >> 4;
  const low = both & 0xf;
  const upper = min(high, low) + 1;
  const lower = high < low ? low + 1 : 29 - high;
  return <u64>upper | (<u64>lower << 32);
}
