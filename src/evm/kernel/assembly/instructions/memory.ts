// Instructions on memory, and KECCAK256. Before it calls these functions, the interpreter has extended memory and
// charged for that.
import { COPY_WORD_GAS, KECCAK_WORD_GAS } from '../dynamic-gas-costs';
import { keccak256 } from '../hashes/keccak';
import { CACHED_INPUT_BYTES_MAX, cachedKeccak } from '../hashes/keccak-cache';
import { wordCount } from '../frames/memory';
import { SCRATCH_WORD } from '../shared/memory-layout';
import { setU64, byteSwap } from '../words/word';

/** MLOAD 0x51: offset -> the 32-byte word at that offset. */
@inline
export function MLOAD(sp: usize, at: usize): void {
  byteSwap(sp, at);
}

/** MSTORE 0x52: offset, word ->. Writes the word. */
@inline
export function MSTORE(sp: usize, at: usize): void {
  byteSwap(at, sp - 32);
}

/** MSTORE8 0x53: offset, word ->. Writes the word's lowest byte. */
@inline
export function MSTORE8(sp: usize, at: usize): void {
  store<u8>(at, load<u8>(sp - 32));
}

/** MSIZE 0x59: -> length of the frame's memory in bytes, a multiple of 32. */
@inline
export function MSIZE(sp: usize, memoryBytes: u32): void {
  setU64(sp + 32, memoryBytes);
}

/** MCOPY 0x5e (EIP-5656): target, source, length ->. The ranges may overlap. 3 gas for each word. */
@inline
export function MCOPY(gas: i64, at: usize, source: usize, bytes: u64): i64 {
  const left = gas - COPY_WORD_GAS * wordCount(bytes);
  if (left >= 0 && bytes != 0) memory.copy(at, source, <usize>bytes);
  return left;
}

/** KECCAK256 0x20: offset, length -> hash of that memory range. 6 gas for each word. */
@inline
export function KECCAK256(sp: usize, gas: i64, at: usize, bytes: u64): i64 {
  const left = gas - KECCAK_WORD_GAS * wordCount(bytes);
  if (left < 0) return left;
  if (bytes - 1 < CACHED_INPUT_BYTES_MAX) {
    cachedKeccak(sp - 32, at, <u32>bytes);
    return left;
  }
  keccak256(SCRATCH_WORD, at, <u32>bytes);
  byteSwap(sp - 32, SCRATCH_WORD);
  return left;
}
