// The checksum behind every value of the archive: CRC-32 of key and value, 4 bytes, big endian. With the key, so that a
// record that was moved or whose key was changed does not pass for another. Pure. Runs on every thread.

// Decision (2026-11, two cores): The archive checks what it reads. Every record has a CRC-32. LMDB trusts its pages,
// and a flipped bit in one ends the process, so a process of its own (`workers/archive-trial.ts`) reads the archive
// first, for 3 s at most: each record in its order and by its key, then once more with neighbours written beside the
// last ones, which it gives up. Its end is the line that is told. Price: 0.3 us a read, 4 bytes a record, a start of
// Node.js and 4 us a record at start; pages that nothing refers to are not looked at, and a damaged record of the
// newest transaction may cost the last block.
import { crc32 } from 'node:zlib';

/** Bytes that a checksum adds to a value. */
export const CHECKSUM_BYTES = 4;

/** The value with its checksum. */
export function withChecksum(key: Uint8Array, value: Uint8Array): Buffer {
  const sealed = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  sealed.set(value);
  sealed.writeUInt32BE(crc32(value, crc32(key)), value.length);
  return sealed;
}

/** The value without its checksum, in the same memory; `null` when the checksum is not that of key and value. */
export function checked(key: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  const length = sealed.length - CHECKSUM_BYTES;
  if (length < 0) return null;
  const value = sealed.subarray(0, length);
  const sum = (sealed[length]! << 24) | (sealed[length + 1]! << 16) | (sealed[length + 2]! << 8) | sealed[length + 3]!;
  return crc32(value, crc32(key)) === sum >>> 0 ? value : null;
}
