// Keccak-256 of 64 bytes, cached: a mapping keeps the value of a key at the hash of the key and the mapping's own slot,
// and contracts ask for the same hashes again and again, often within one message. A new hash replaces what its row
// held.
import { keccak256 } from './keccak';
import { fifth, first, fourth, mix, second, third } from './salt';
import { copy, equal, swap } from './word';
import { HASH, KECCAK_CACHE, KECCAK_CACHE_BITS, KECCAK_ROW_BYTES } from './shared/layout';

// ---- a row ----
const INPUT: usize = 0;
const DIGEST: usize = 64;
const IS_FILLED: usize = 96;

/** Keccak-256 of the 64 bytes at `input`, as a word. */
export function cachedKeccak(out: usize, input: usize): void {
  const row = KECCAK_CACHE + <usize>(hash(input) >> (64 - <u64>KECCAK_CACHE_BITS)) * KECCAK_ROW_BYTES;
  if (load<u32>(row, IS_FILLED) == 0 || !equal(row, input) || !equal(row + 32, input + 32)) fill(row, input);
  copy(out, row + DIGEST);
}

function fill(row: usize, input: usize): void {
  copy(row + INPUT, input);
  copy(row + INPUT + 32, input + 32);
  keccak256(HASH, input, 64);
  swap(row + DIGEST, HASH);
  store<u32>(row, 1, IS_FILLED);
}

@inline
function hash(input: usize): u64 {
  return mix(
    (load<u64>(input) ^ load<u64>(input, 56)) * first +
      load<u64>(input, 8) * second +
      load<u64>(input, 16) * third +
      load<u64>(input, 24) * fourth +
      (load<u64>(input, 32) ^ load<u64>(input, 40) ^ load<u64>(input, 48)) * fifth,
  );
}
