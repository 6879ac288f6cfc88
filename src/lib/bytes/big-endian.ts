// Converts big-endian bytes to and from bigint. Also defines the lengths of Ethereum's addresses and words.

export const ADDRESS_BYTES = 20;
/** Bytes of a word: a storage slot, its value, or a hash. */
export const WORD_BYTES = 32;
/** The empty byte string, the zero address and the zero word. They are shared and must not be written to. */
export const EMPTY_BYTES: Uint8Array = new Uint8Array(0);
export const ZERO_ADDRESS: Uint8Array = new Uint8Array(ADDRESS_BYTES);
export const ZERO_WORD: Uint8Array = new Uint8Array(WORD_BYTES);

/** Bytes converted at a time. A double is exact to 48 bits, so six bytes need only one BigInt operation. */
const CHUNK_BYTES = 6;
const CHUNK_BITS = 48n;

/** Returns the unsigned big-endian integer of these bytes; 0 if there are none. */
export function toBigInt(bytes: Uint8Array): bigint {
  return readInteger(bytes, 0, bytes.length);
}

/** Returns the unsigned big-endian integer of the bytes from `from` to `to`. */
export function readInteger(bytes: Uint8Array, from: number, to: number): bigint {
  let at = from + ((to - from) % CHUNK_BYTES);
  let value = BigInt(chunkOf(bytes, from, at));
  for (; at < to; at += CHUNK_BYTES) value = (value << CHUNK_BITS) | BigInt(chunkOf(bytes, at, at + CHUNK_BYTES));
  return value;
}

function chunkOf(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 256 + bytes[at]!;
  return value;
}

/** Returns `value` as `length` big-endian bytes. Throws if it does not fit, which is a bug of the caller. */
export function toBytes(value: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  writeInteger(value, bytes, 0, length);
  return bytes;
}

/** Returns a new word that consists of zeros, followed by these bytes. */
export function toWord(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(WORD_BYTES);
  word.set(bytes, WORD_BYTES - bytes.length);
  return word;
}

/** Writes an integer as big-endian bytes from `from` to `to`. */
export function writeInteger(value: bigint, out: Uint8Array, from: number, to: number): void {
  let rest = value;
  let at = to;
  for (; at - from > CHUNK_BYTES; at -= CHUNK_BYTES, rest >>= CHUNK_BITS)
    writeChunk(Number(BigInt.asUintN(CHUNK_BYTES * 8, rest)), out, at - CHUNK_BYTES, at);
  if (rest < 0n || rest >= 256n ** BigInt(at - from)) throw new RangeError(`value does not fit ${to - from} bytes`);
  writeChunk(Number(rest), out, from, at);
}

function writeChunk(chunk: number, out: Uint8Array, from: number, to: number): void {
  let rest = chunk;
  for (let at = to - 1; at >= from; at--, rest = Math.floor(rest / 256)) out[at] = rest % 256;
}
