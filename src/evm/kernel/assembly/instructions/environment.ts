// Instructions that read the message or the running code, 0x30 to 0x3e, except those on accounts.
import { returnDataLength } from '../execution-wide-state';
import * as F from '../frames/frame';
import { runningFrame } from '../frames/frame';
import { copyZeroPadded, chargeAndCopy } from '../frames/memory';
import * as op from '../operations';
import * as C from '../shared/code-fields';
import { MESSAGE, MESSAGE_CALLER, MESSAGE_GAS_PRICE, RETURN_DATA, SCRATCH_WORD } from '../shared/memory-layout';
import { copy, fromAddress, setU64, saturatedSize, byteSwap } from '../words/word';

/** ADDRESS 0x30: -> address of the account whose storage the frame uses. */
@inline
export function ADDRESS(sp: usize, self: usize): void {
  fromAddress(sp + 32, self);
}

/** ORIGIN 0x32: -> sender of the transaction. */
@inline
export function ORIGIN(sp: usize): void {
  fromAddress(sp + 32, MESSAGE + MESSAGE_CALLER);
}

/** CALLER 0x33: -> sender of the running message. */
@inline
export function CALLER(sp: usize): void {
  fromAddress(sp + 32, runningFrame + F.CALLER);
}

/** CALLVALUE 0x34: -> value of the running message in wei. */
@inline
export function CALLVALUE(sp: usize): void {
  copy(sp + 32, runningFrame + F.VALUE);
}

/** CALLDATALOAD 0x35: offset -> the word of the call data at that offset; zeros beyond the end. */
@inline
export function CALLDATALOAD(sp: usize): void {
  const offset = saturatedSize(sp);
  const length = load<u32>(runningFrame, F.INPUT_BYTES);
  const input = <usize>load<u32>(runningFrame, F.INPUT);
  if (offset + 32 <= length) {
    byteSwap(sp, input + <usize>offset);
  } else {
    copyZeroPadded(SCRATCH_WORD, input, length, offset, 32);
    byteSwap(sp, SCRATCH_WORD);
  }
}

/** CALLDATASIZE 0x36: -> length of the call data in bytes. */
@inline
export function CALLDATASIZE(sp: usize): void {
  setU64(sp + 32, load<u32>(runningFrame, F.INPUT_BYTES));
}

/** CODESIZE 0x38: -> length of the running code in bytes. */
@inline
export function CODESIZE(sp: usize, codeLength: u32): void {
  setU64(sp + 32, codeLength);
}

/** GASPRICE 0x3a: -> the transaction's effective gas price in wei per gas. */
@inline
export function GASPRICE(sp: usize): void {
  copy(sp + 32, MESSAGE + MESSAGE_GAS_PRICE);
}

/** RETURNDATASIZE 0x3d (EIP-211): -> number of bytes that the last call has returned. */
@inline
export function RETURNDATASIZE(sp: usize): void {
  setU64(sp + 32, returnDataLength);
}

/**
 * CALLDATACOPY 0x37, CODECOPY 0x39, RETURNDATACOPY 0x3e: offset in memory, offset in the source, length ->. Bytes
 * beyond the end of call data and code count as zero. Reading beyond the end of the return data fails, even for a
 * length of 0 (EIP-211). 3 gas for each word.
 */
@inline
export function COPY(operation: u32, sp: usize, gas: i64, code: usize, codeLength: u32, at: usize, bytes: u64): i64 {
  const from = saturatedSize(sp - 32);
  let source = RETURN_DATA;
  let length = returnDataLength;
  if (operation == op.CALLDATACOPY) {
    source = <usize>load<u32>(runningFrame, F.INPUT);
    length = load<u32>(runningFrame, F.INPUT_BYTES);
  } else if (operation == op.CODECOPY) {
    source = <usize>load<u32>(code, C.BYTES);
    length = codeLength;
  } else if (from + bytes > returnDataLength) {
    return -1;
  }
  return chargeAndCopy(at, source, length, from, bytes, gas);
}
