// Memory of the call frames: its length, a multiple of 32 bytes, and the gas for extending it.
import { abortExecution } from '../abort-reason';
import * as F from './frame';
import { COPY_WORD_GAS } from '../dynamic-gas-costs';
import { runningFrame } from './frame';
import { MEMORY, FRAME_MEMORY_END } from '../shared/memory-layout';
import * as status from '../shared/status';

/** Highest end that the memory of a frame can have. Longer memory would cost more gas than any frame can have. */
const END_MAX: u64 = 0xffff_ffe0;

/** Highest address of frame memory ever used. The host uses it to report the kernel's memory usage. */
export let memoryPeak: usize = MEMORY;

/** Returns the number of 32-byte words that cover this many bytes. */
@inline
export function wordCount(bytes: u64): i64 {
  return <i64>((bytes + 31) >> 5);
}

/** Returns the length of memory in bytes that covers `end`, a multiple of 32. */
@inline
export function roundUpToWords(end: u64): u32 {
  return <u32>((end + 31) & ~31);
}

/** Returns the gas for memory of this length. */
@inline
export function memoryGas(bytes: u64): i64 {
  const count = bytes >> 5;
  return <i64>(count * 3 + count * count / 512);
}

/** Returns the end of a memory range; 0 if the range is empty, -1 if no gas could pay for it. */
@inline
export function memoryRangeEnd(offset: u64, length: u64): i64 {
  if (length == 0) return 0;
  const end = offset + length;
  return end > END_MAX ? -1 : <i64>roundUpToWords(end);
}

/**
 * Extends the running frame's memory to `end`. Returns the gas that this costs, which the caller must charge; -1 if
 * `gas` is not enough, or if there is no more memory (aborted).
 */
export function memoryExpansionCost(start: usize, bytes: u32, end: u64, gas: i64): i64 {
  if (end > END_MAX) return -1;
  const to = roundUpToWords(end);
  const cost = memoryGas(to) - memoryGas(bytes);
  if (cost > gas) return -1;
  return grow(start, bytes, to) ? cost : -1;
}

/**
 * Extends the running frame's memory to `to` bytes, which are already paid for. Returns false if there is no more
 * memory (aborted, TABLE_FULL).
 */
export function growPaidFrameMemory(to: u32): bool {
  const from = load<u32>(runningFrame, F.MEMORY_BYTES);
  if (to <= from) return true;
  if (!grow(<usize>load<u32>(runningFrame, F.MEMORY_START), from, to)) return false;
  store<u32>(runningFrame, to, F.MEMORY_BYTES);
  return true;
}

/** Copies `count` bytes of the source from `offset` on. Bytes beyond the end of the source count as zero. */
export function copyZeroPadded(to: usize, source: usize, length: u32, offset: u64, count: u32): void {
  const there: u32 = offset >= length ? 0 : min<u32>(count, length - <u32>offset);
  if (there != 0) memory.copy(to, source + <usize>offset, there);
  if (there < count) memory.fill(to + there, 0, count - there);
}

/** Charges COPY_WORD_GAS for each word, and copies. Returns the gas left; if that is negative, nothing was copied. */
export function chargeAndCopy(to: usize, source: usize, length: u32, offset: u64, count: u64, gas: i64): i64 {
  const left = gas - COPY_WORD_GAS * wordCount(count);
  if (left >= 0 && count != 0) copyZeroPadded(to, source, length, offset, <u32>count);
  return left;
}

function grow(start: usize, from: usize, to: usize): bool {
  if (start + to > FRAME_MEMORY_END) {
    abortExecution(status.TABLE_FULL);
    return false;
  }
  if (start + to > memoryPeak) memoryPeak = start + to;
  memory.fill(start + from, 0, to - from);
  return true;
}
