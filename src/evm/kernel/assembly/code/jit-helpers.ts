// Kernel functions that compiled code calls for instructions that access memory, storage or accounts. Each function
// gets the address of the top of the stack, the remaining gas and the call frame's memory, and returns the gas left. A
// negative result means that nothing was changed, and that the interpreter must execute the instruction.
import * as F from '../frames/frame';
import { runningFrame } from '../frames/frame';
import * as accounts from '../instructions/accounts';
import * as memory from '../instructions/memory';
import * as storage from '../instructions/storage';
import { saturatedSize } from '../words/word';

@inline
function self(): usize {
  return <usize>load<u32>(runningFrame, F.SELF_ACCOUNT);
}

/** Executes KECCAK256, if the range is within the current memory. */
export function KECCAK256(sp: usize, gas: i64, memoryStart: usize, memoryBytes: u32): i64 {
  const offset = saturatedSize(sp);
  const bytes = saturatedSize(sp - 32);
  if (bytes != 0 && offset + bytes > memoryBytes) return -1;
  return memory.KECCAK256(sp, gas, memoryStart + <usize>offset, bytes);
}

export function SLOAD(sp: usize, gas: i64, _memoryStart: usize, _memoryBytes: u32): i64 {
  return storage.SLOAD(sp, gas, self());
}

export function TLOAD(sp: usize, gas: i64, _memoryStart: usize, _memoryBytes: u32): i64 {
  storage.TLOAD(sp, self());
  return gas;
}

export function BALANCE(sp: usize, gas: i64, _memoryStart: usize, _memoryBytes: u32): i64 {
  return accounts.BALANCE(sp, gas);
}

export function EXTCODESIZE(sp: usize, gas: i64, _memoryStart: usize, _memoryBytes: u32): i64 {
  return accounts.EXTCODESIZE(sp, gas);
}

export function EXTCODEHASH(sp: usize, gas: i64, _memoryStart: usize, _memoryBytes: u32): i64 {
  return accounts.EXTCODEHASH(sp, gas);
}

export function SELFBALANCE(sp: usize, gas: i64, _memoryStart: usize, _memoryBytes: u32): i64 {
  accounts.SELFBALANCE(sp, self());
  return gas;
}
