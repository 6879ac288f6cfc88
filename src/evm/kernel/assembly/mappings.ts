// Where mappings keep what belongs to a key: at the Keccak-256 of 64 bytes, the key and the mapping's own slot. Contracts ask
// for the same places again and again, often within one message, so those computed lately are kept: a place takes the row that
// its key leads to, from whichever had it before.
import { keccak256 } from './keccak';
import { HASH, PLACES, PLACES_BITS, PLACE_BYTES } from './layout';
import { fifth, first, fourth, mix, second, third } from './salt';
import { copy, equal, swap } from './word';

// ---- a row ----
const INPUT: usize = 0;
const PLACE: usize = 64;
const IS_FILLED: usize = 96;

/** Keccak-256 of the 64 bytes at `input`, as a word. */
export function mappingPlace(out: usize, input: usize): void {
  const row = PLACES + <usize>(hash(input) >> (64 - <u64>PLACES_BITS)) * PLACE_BYTES;
  if (load<u32>(row, IS_FILLED) == 0 || !equal(row, input) || !equal(row + 32, input + 32)) fill(row, input);
  copy(out, row + PLACE);
}

function fill(row: usize, input: usize): void {
  copy(row + INPUT, input);
  copy(row + INPUT + 32, input + 32);
  keccak256(HASH, input, 64);
  swap(row + PLACE, HASH);
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
