// Big-endian bytes to and from bigint. Runs on every thread.

/** Unsigned integer of big-endian bytes; 0 for no bytes. */
export function toBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0
    ? 0n
    : BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`);
}

/** `value` as `length` big-endian bytes; a value that does not fit is a bug of the caller's and throws. */
export function toBytes(value: bigint, length: number): Uint8Array {
  const digits = value.toString(16).padStart(length * 2, '0');
  if (digits.length > length * 2) throw new RangeError(`value does not fit ${length} bytes`);
  return new Uint8Array(Buffer.from(digits, 'hex'));
}
