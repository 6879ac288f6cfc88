// Big-endian bytes to and from bigint. Runs on every thread.

/** Bytes of a number that are read in one step: 48 bits are exact in a double, and no BigInt has to be made of each byte. */
const CHUNK_BYTES = 6;
const CHUNK_BITS = 48n;

/** Unsigned integer of big-endian bytes; 0 for no bytes. */
export function toBigInt(bytes: Uint8Array): bigint {
  return readInteger(bytes, 0, bytes.length);
}

/** The same of the bytes from `from` to `to`. */
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

/** `value` as `length` big-endian bytes; a value that does not fit is a bug of the caller's and throws. */
export function toBytes(value: bigint, length: number): Uint8Array {
  const digits = value.toString(16).padStart(length * 2, '0');
  if (digits.length > length * 2) throw new RangeError(`value does not fit ${length} bytes`);
  return new Uint8Array(Buffer.from(digits, 'hex'));
}
