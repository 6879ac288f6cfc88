// The stack.
import { BYTES as INSTRUCTION, OPERAND } from '../decode';
import { copy, setU64 } from '../word';

@inline
export function POP(): void {
  // The row moves the stack.
}

@inline
export function PUSH_SMALL(ip: usize, sp: usize): void {
  setU64(sp + 32, load<u64>(ip, OPERAND));
}

@inline
export function PUSH_WORD(ip: usize, sp: usize): void {
  copy(sp + 32, ip + INSTRUCTION);
}

@inline
export function DUP(ip: usize, sp: usize): void {
  copy(sp + 32, sp - <usize>load<u32>(ip, OPERAND));
}

@inline
export function SWAP(ip: usize, sp: usize): void {
  const other = sp - <usize>load<u32>(ip, OPERAND);
  const low = v128.load(sp);
  const high = v128.load(sp, 16);
  copy(sp, other);
  v128.store(other, low);
  v128.store(other, high, 16);
}

@inline
export function SWAP1_POP(sp: usize): void {
  copy(sp - 32, sp);
}
