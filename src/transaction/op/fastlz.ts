// Computes the length of FastLZ-compressed bytes (level 1). From Fjord on, OP-Stack chains estimate a transaction's
// share of the L1 data from it.

/** Number of bits of the hash of three bytes. */
const HASH_BITS = 13;
/** Largest distance, in bytes, between a match and the earlier bytes that it repeats. */
const DISTANCE_MAX = 8191;
/** Largest number of literal bytes in one instruction. */
const LITERALS_MAX = 32;
/** A match of more than 264 bytes is split into instructions of this many bytes. */
const MATCH_MAX = 262;
/** No match starts in this many bytes at the end of the input. */
const TAIL_BYTES = 13;
/** No match extends into this many bytes at the end of the input. */
const LITERAL_TAIL_BYTES = 4;

/** Returns the compressed length. The compressor is greedy: it only tries the last position that had the same hash. */
export function fastLzLength(input: Uint8Array): number {
  const table = new Uint32Array(1 << HASH_BITS);
  const end = input.length - TAIL_BYTES;
  let bytes = 0;
  let literalsFrom = 0;
  let at = nextMatch(input, table, 2, end);
  while (at < end) {
    const from = table[hash(input, at)]!;
    table[hash(input, at)] = at;
    const length = matchLength(input, from, at);
    bytes += literalBytes(at - literalsFrom) + matchBytes(length);
    literalsFrom = at + length;
    for (const position of [literalsFrom - 2, literalsFrom - 1]) table[hash(input, position)] = position;
    at = nextMatch(input, table, literalsFrom, end);
  }
  return bytes + literalBytes(input.length - literalsFrom);
}

/**
 * Returns the next position whose bytes match earlier bytes, or `end`. Positions on the way become candidates for later
 * matches.
 */
function nextMatch(input: Uint8Array, table: Uint32Array, start: number, end: number): number {
  // The reference compressor ignores a match right before the end.
  for (let at = start; at < end - 1; at++) {
    const key = hash(input, at);
    const from = table[key]!;
    if (at - from <= DISTANCE_MAX && three(input, from) === three(input, at)) return at;
    table[key] = at;
  }
  return Math.max(end, 0);
}

/** Returns the length of the match, at least three bytes. */
function matchLength(input: Uint8Array, from: number, at: number): number {
  const end = input.length - LITERAL_TAIL_BYTES;
  let length = 3;
  while (at + length < end && input[from + length] === input[at + length]) length++;
  // A match that extends to the end of the input is encoded one byte shorter.
  return at + length < end ? length : length - 1;
}

function literalBytes(count: number): number {
  const rest = count % LITERALS_MAX;
  return Math.floor(count / LITERALS_MAX) * (LITERALS_MAX + 1) + (rest === 0 ? 0 : rest + 1);
}

/** Returns the number of bytes that encode a match: two up to length 8, three up to length 264. */
function matchBytes(length: number): number {
  const extra = length - 3;
  return Math.floor(extra / MATCH_MAX) * 3 + (extra % MATCH_MAX >= 6 ? 3 : 2);
}

function hash(input: Uint8Array, at: number): number {
  return Math.imul(three(input, at), 0x9e3779b9) >>> (32 - HASH_BITS);
}

function three(input: Uint8Array, at: number): number {
  return input[at]! | (input[at + 1]! << 8) | (input[at + 2]! << 16);
}
