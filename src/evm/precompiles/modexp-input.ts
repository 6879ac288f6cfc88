// Parses the input of MODEXP (EIP-198).

/** Lengths of MODEXP's operands in bytes. Lengths above 2^53 are rounded. */
export interface ModexpLengths {
  readonly base: number;
  readonly exponent: number;
  readonly modulus: number;
  /** Bit length of the number in the exponent's first 32 bytes. */
  readonly headBits: number;
}

/** Total length of the three length fields, which come before base, exponent and modulus. */
export const MODEXP_HEAD_BYTES = 96;

/** Reads the lengths. Missing bytes at the end of the input count as zero. */
export function readModexpLengths(data: Uint8Array): ModexpLengths {
  const [base, exponent, modulus] = [lengthAt(data, 0), lengthAt(data, 32), lengthAt(data, 64)];
  const headBytes = Math.min(exponent, 32);
  const start = MODEXP_HEAD_BYTES + base;
  return { base, exponent, modulus, headBits: bitLength(data.subarray(start, start + headBytes), headBytes) };
}

function lengthAt(data: Uint8Array, start: number): number {
  let value = 0;
  for (let at = start; at < start + 32; at++) value = value * 256 + (data[at] ?? 0);
  return value;
}

/** Returns the bit length of a number of `bytes` bytes whose first bytes are `first`. */
function bitLength(first: Uint8Array, bytes: number): number {
  const at = first.findIndex((byte) => byte !== 0);
  return at < 0 ? 0 : 8 * (bytes - at) - Math.clz32(first[at]!) + 24;
}
