// Immediate operands (EIP-8024): the byte after DUPN, SWAPN or EXCHANGE selects stack items.
import * as op from '../operations';

/** True if the opcode is DUPN, SWAPN or EXCHANGE, whether the fork has them or not. */
@inline
export function hasEip8024Immediate(opcode: u32): bool {
  return opcode >= op.DUPN && opcode <= op.EXCHANGE;
}

/** Returns the byte after the instruction at `pc`; 0 beyond the end of the code. */
export function immediateByteAt(bytes: usize, pc: u32, length: u32): u32 {
  return pc + 1 < length ? <u32>load<u8>(bytes + pc + 1) : 0;
}

/**
 * True if the byte is a valid immediate of this opcode. JUMPDEST and the PUSHes are invalid immediates, so that the
 * code's jump targets stay the same (EIP-8024).
 */
export function isValidImmediate(opcode: u32, byte: u32): bool {
  return byte >= 0x80 || byte <= <u32>(opcode == op.EXCHANGE ? 0x51 : 0x5a);
}

/**
 * Decodes the immediate of DUPN and SWAPN into the depth of a stack item, counted from 1 for DUPN and from 0 for SWAPN.
 */
export function decodeSingleImmediate(byte: u32): u32 {
  return (byte + 145) & 0xff;
}

/**
 * Decodes the immediate of EXCHANGE into the depths of two stack items, counted from 0. The low 32 bits of the result
 * are the depth of the item nearer to the top, the high 32 bits that of the other one.
 */
export function decodePairImmediate(byte: u32): u64 {
  const both = byte ^ 0x8f;
  const high = both >> 4;
  const low = both & 0xf;
  const upper = min(high, low) + 1;
  const lower = high < low ? low + 1 : 29 - high;
  return <u64>upper | (<u64>lower << 32);
}
