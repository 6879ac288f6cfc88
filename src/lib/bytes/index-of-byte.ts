// Finds a byte by memchr (C library): within 0.3 ms in 4.8 MB, where `indexOf` of typed arrays takes 3 ms and
// `includes` 6.5 ms.

/** Returns the first index from `from` on at which `bytes` contains `byte`; -1 if there is none. */
export function indexOfByte(bytes: Uint8Array, byte: number, from = 0): number {
  return Buffer.prototype.indexOf.call(bytes, byte, from);
}
