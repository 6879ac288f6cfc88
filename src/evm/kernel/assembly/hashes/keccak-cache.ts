// Caches Keccak-256 hashes of inputs of at most 96 bytes. Contracts compute the same hashes again and again, often
// within one message: a Solidity mapping stores the value of a key at the hash of the key and the mapping's slot (64
// bytes), and the address of a contract made by CREATE2 is the hash of 85 bytes (EIP-1014). A new hash replaces the one
// in its row of the cache.

// Only short inputs are cached. See DECISIONS.md.
import { keccak256 } from './keccak';
import { saltOfFirstLimb, saltOfFourthLimb, mixSaltedSum, saltOfSecondLimb, saltOfThirdLimb } from './hash-table-seeds';
import { copy, byteSwap } from '../words/word';
import { SCRATCH_HASH, KECCAK_CACHE, KECCAK_CACHE_BITS, KECCAK_ROW_BYTES } from '../shared/memory-layout';

/** Longest input whose hash is cached, a multiple of 8. */
export const CACHED_INPUT_BYTES_MAX: u32 = 96;

// ---- fields of a cache row ----
const DIGEST: usize = CACHED_INPUT_BYTES_MAX;
/** Offset of the input's length; 0 marks an empty row. The input itself is at the start of the row. */
const LENGTH: usize = DIGEST + 32;

/** Writes Keccak-256 of the `length` bytes at `input` (1 to CACHED_INPUT_BYTES_MAX) to `out`, as a word. */
export function cachedKeccak(out: usize, input: usize, length: u32): void {
  const row = KECCAK_CACHE + <usize>(hash(input, length) >> (64 - <u64>KECCAK_CACHE_BITS)) * KECCAK_ROW_BYTES;
  if (load<u32>(row, LENGTH) != length || !holds(row, input, length)) fill(row, input, length);
  copy(out, row + DIGEST);
}

function fill(row: usize, input: usize, length: u32): void {
  for (let at: u32 = 0; at < length; at += 8) store<u64>(row + at, limb(input, at, length));
  store<u32>(row, length, LENGTH);
  keccak256(SCRATCH_HASH, input, length);
  byteSwap(row + DIGEST, SCRATCH_HASH);
}

function holds(row: usize, input: usize, length: u32): bool {
  let differs: u64 = 0;
  let at: u32 = 0;
  for (; at + 8 <= length; at += 8) differs |= load<u64>(row + at) ^ load<u64>(input + at);
  if (at < length) differs |= load<u64>(row + at) ^ lastLimb(input, at, length);
  return differs == 0;
}

/**
 * Hashes an input for the row index. Takes two limbs at a time, so that the processor can compute their products in
 * parallel.
 */
function hash(input: usize, length: u32): u64 {
  let even = <u64>length;
  let odd = even;
  let at: u32 = 0;
  for (; at + 16 <= length; at += 16) {
    even = (even ^ load<u64>(input + at)) * saltOfFirstLimb;
    odd = (odd ^ load<u64>(input + at, 8)) * saltOfSecondLimb;
  }
  if (at < length) even = (even ^ limb(input, at, length)) * saltOfThirdLimb;
  if (at + 8 < length) odd = (odd ^ limb(input, at + 8, length)) * saltOfFourthLimb;
  return mixSaltedSum(even + ((odd << 32) | (odd >> 32)));
}

/** Reads eight bytes of the input; bytes beyond its end count as zero. */
@inline
function limb(input: usize, at: u32, length: u32): u64 {
  return at + 8 <= length ? load<u64>(input + at) : lastLimb(input, at, length);
}

/**
 * Reads the last one to seven bytes of the input, together with bytes before them, because memory may end after the
 * input.
 */
@inline
function lastLimb(input: usize, at: u32, length: u32): u64 {
  return load<u64>(input + length - 8) >> (64 - (<u64>(length - at) << 3));
}
