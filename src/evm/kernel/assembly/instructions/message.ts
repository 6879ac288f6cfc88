// The message and the code that runs: 0x30 to 0x3e, but for accounts.
import { returnBytes } from '../execution';
import * as F from '../frame';
import { frame } from '../frame';
import { copyOrZeros, payAndCopy } from '../memory';
import * as C from '../shared/code-fields';
import { MESSAGE, MESSAGE_CALLER, MESSAGE_GAS_PRICE, RETURN_DATA, WORD } from '../shared/layout';
import { copy, fromAddress, setU64, size, swap } from '../word';

@inline
export function ADDRESS(sp: usize, self: usize): void {
  fromAddress(sp + 32, self);
}

@inline
export function ORIGIN(sp: usize): void {
  fromAddress(sp + 32, MESSAGE + MESSAGE_CALLER);
}

@inline
export function CALLER(sp: usize): void {
  fromAddress(sp + 32, frame + F.CALLER);
}

@inline
export function CALLVALUE(sp: usize): void {
  copy(sp + 32, frame + F.VALUE);
}

@inline
export function CALLDATALOAD(sp: usize): void {
  const offset = size(sp);
  const length = load<u32>(frame, F.INPUT_BYTES);
  const input = <usize>load<u32>(frame, F.INPUT);
  if (offset + 32 <= length) {
    swap(sp, input + <usize>offset);
  } else {
    copyOrZeros(WORD, input, length, offset, 32);
    swap(sp, WORD);
  }
}

@inline
export function CALLDATASIZE(sp: usize): void {
  setU64(sp + 32, load<u32>(frame, F.INPUT_BYTES));
}

@inline
export function CALLDATACOPY(sp: usize, gas: i64, at: usize, bytes: u64): i64 {
  return payAndCopy(at, <usize>load<u32>(frame, F.INPUT), load<u32>(frame, F.INPUT_BYTES), size(sp - 32), bytes, gas);
}

@inline
export function CODESIZE(sp: usize, codeLength: u32): void {
  setU64(sp + 32, codeLength);
}

@inline
export function CODECOPY(sp: usize, gas: i64, code: usize, codeLength: u32, at: usize, bytes: u64): i64 {
  return payAndCopy(at, <usize>load<u32>(code, C.BYTES), codeLength, size(sp - 32), bytes, gas);
}

@inline
export function GASPRICE(sp: usize): void {
  copy(sp + 32, MESSAGE + MESSAGE_GAS_PRICE);
}

@inline
export function RETURNDATASIZE(sp: usize): void {
  setU64(sp + 32, returnBytes);
}

/** EIP-211: what is not there cannot be read, not even nothing of it. */
@inline
export function RETURNDATACOPY(sp: usize, gas: i64, at: usize, bytes: u64): i64 {
  const from = size(sp - 32);
  if (from + bytes > returnBytes) return -1;
  return payAndCopy(at, RETURN_DATA, returnBytes, from, bytes, gas);
}
