// The length that FastLZ (level 1) compresses bytes to: what OP-Stack chains from Fjord on take for a transaction's
// share of the L1 data. Runs on main, publisher and estimators.

/** Bits of the hash that three bytes are found by, and how many bytes back a match may begin. */
const HASH_BITS = 13;
const DISTANCE_MAX = 8191;
/** Bytes of the longest run of literals, and what an instruction of a match adds at most. */
const LITERALS_MAX = 32;
const MATCH_MAX = 262;
/** No match begins in the last 13 bytes, and none goes on into the last 4. */
const TAIL_BYTES = 13;
const LITERAL_TAIL_BYTES = 4;

/**
 * Bytes of the compressed form; nothing is written. Greedy: the last place with the same hash is the only one tried.
 */
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
    for (const place of [literalsFrom - 2, literalsFrom - 1]) table[hash(input, place)] = place;
    at = nextMatch(input, table, literalsFrom, end);
  }
  return bytes + literalBytes(input.length - literalsFrom);
}

/**
 * The next place where the bytes begin like ones before it, or `end`; the places passed over can be found from then on.
 */
function nextMatch(input: Uint8Array, table: Uint32Array, start: number, end: number): number {
  // One found right before the end is left alone by the format's compressor.
  for (let at = start; at < end - 1; at++) {
    const key = hash(input, at);
    const from = table[key]!;
    if (at - from <= DISTANCE_MAX && three(input, from) === three(input, at)) return at;
    table[key] = at;
  }
  return Math.max(end, 0);
}

/** At least three bytes are the same. */
function matchLength(input: Uint8Array, from: number, at: number): number {
  const end = input.length - LITERAL_TAIL_BYTES;
  let length = 3;
  while (at + length < end && input[from + length] === input[at + length]) length++;
  // Ended by the end of the input, a match is told one byte shorter than it is.
  return at + length < end ? length : length - 1;
}

function literalBytes(count: number): number {
  const rest = count % LITERALS_MAX;
  return Math.floor(count / LITERALS_MAX) * (LITERALS_MAX + 1) + (rest === 0 ? 0 : rest + 1);
}

/** Two bytes up to a length of 8, three up to 264. */
function matchBytes(length: number): number {
  const told = length - 3;
  return Math.floor(told / MATCH_MAX) * 3 + (told % MATCH_MAX >= 6 ? 3 : 2);
}

function hash(input: Uint8Array, at: number): number {
  return Math.imul(three(input, at), 0x9e3779b9) >>> (32 - HASH_BITS);
}

function three(input: Uint8Array, at: number): number {
  return input[at]! | (input[at + 1]! << 8) | (input[at + 2]! << 16);
}
