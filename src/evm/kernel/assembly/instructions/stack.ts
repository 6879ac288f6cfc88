// Stack instructions.
import { INSTRUCTION_BYTES as INSTRUCTION, OPERAND } from '../shared/instruction-fields';
import { copy } from '../words/word';

/** POP 0x50: a ->. Removes the top item. */
@inline
export function POP(): void {
  // Nothing to do: the operation's stack effect already moves the top.
}

/** PUSH0 0x5f (EIP-3855) to PUSH8 0x67: -> the operand of the decoded instruction. */
@inline
export function PUSH_SMALL(ip: usize, sp: usize): void {
  v128.store(sp, v128.load64_zero(ip, OPERAND), 32);
  v128.store(sp, i64x2.splat(0), 48);
}

/** PUSH9 0x68 to PUSH32 0x7f: -> the word stored after the decoded instruction. */
@inline
export function PUSH_WORD(ip: usize, sp: usize): void {
  copy(sp + 32, ip + INSTRUCTION);
}

/**
 * DUP1 0x80 to DUP16 0x8f, DUPN 0xe6 (EIP-8024): pushes a copy of a stack item. The operand is the item's distance from
 * the top in bytes.
 */
@inline
export function DUP(ip: usize, sp: usize): void {
  copy(sp + 32, sp - <usize>load<u32>(ip, OPERAND));
}

/**
 * SWAP1 0x90 to SWAP16 0x9f, SWAPN 0xe7: exchanges the top with another stack item. The operand is that item's distance
 * from the top in bytes.
 */
@inline
export function SWAP(ip: usize, sp: usize): void {
  exchange(sp, sp - <usize>load<u32>(ip, OPERAND));
}

/**
 * EXCHANGE 0xe8 (EIP-8024): exchanges two stack items. The two halves of the operand are the items' distances from the
 * top in bytes.
 */
@inline
export function EXCHANGE(ip: usize, sp: usize): void {
  exchange(sp - <usize>load<u32>(ip, OPERAND), sp - <usize>load<u32>(ip, OPERAND + 4));
}

@inline
function exchange(item: usize, other: usize): void {
  const low = v128.load(item);
  const high = v128.load(item, 16);
  copy(item, other);
  v128.store(other, low);
  v128.store(other, high, 16);
}
