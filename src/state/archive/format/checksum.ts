// The checksum that follows every value of the archive: the CRC-32 of key and value, 4 bytes, big endian. It includes
// the key, so a record that was moved or got another key is not taken for a valid one. Pure.

// Everything that is read from the archive is verified. See DECISIONS.md.
import { crc32 } from 'node:zlib';

/** Number of bytes that the checksum adds to a value. */
export const CHECKSUM_BYTES = 4;

export function appendChecksum(key: Uint8Array, value: Uint8Array): Buffer {
  const sealed = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  sealed.set(value);
  sealed.writeUInt32BE(crc32(value, crc32(key)), value.length);
  return sealed;
}

/** Returns the value without its checksum, in the same memory; `null` if the checksum does not match key and value. */
export function verifyAndStripChecksum(key: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  const length = sealed.length - CHECKSUM_BYTES;
  if (length < 0) return null;
  const value = sealed.subarray(0, length);
  const sum = (sealed[length]! << 24) | (sealed[length + 1]! << 16) | (sealed[length + 2]! << 8) | sealed[length + 3]!;
  return crc32(value, crc32(key)) === sum >>> 0 ? value : null;
}
