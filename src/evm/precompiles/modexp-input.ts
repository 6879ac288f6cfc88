// Parses the input of MODEXP (EIP-198).

/** Lengths in bytes; above 2^53 they are rounded. */
export interface ModexpLengths {
  readonly base: number;
  readonly exponent: number;
  readonly modulus: number;
  /** Bit length of the exponent's first 32 bytes. */
  readonly headBits: number;
}

/** Bytes of the three lengths, which come before base, exponent and modulus. */
export const MODEXP_HEAD_BYTES = 96;

/** Reads the lengths. The input counts as padded with zeros. */
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

/** Bit length of a number of `bytes` bytes that starts with `first`. */
function bitLength(first: Uint8Array, bytes: number): number {
  const at = first.findIndex((byte) => byte !== 0);
  return at < 0 ? 0 : 8 * (bytes - at) - Math.clz32(first[at]!) + 24;
}
