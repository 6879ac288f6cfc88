// The checksum after every value of the archive: CRC-32 of key and value, 4 bytes, big endian. It covers the key, so
// that a record that was moved or whose key was changed is not accepted as another. Pure. Runs on every thread.

// Decision (2026-11, two cores): The archive verifies what it reads. Every record has a CRC-32. LMDB trusts its pages,
// and a flipped bit in one crashes the process, so a child process (`workers/archive-trial.ts`) reads the archive
// first, for 3 s at most: each record in order and by its key, then once more in a transaction that writes extra
// records next to the last ones and is aborted. The error is the line that is reported. Price: 0.3 us a read, 4 bytes a
// record, a start of Node.js and 4 us a record at start-up; unreferenced pages are not read, and a damaged record of
// the newest transaction may cost the last block.
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

/** The value without its checksum, in the same memory; `null` when the checksum does not match key and value. */
export function checked(key: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  const length = sealed.length - CHECKSUM_BYTES;
  if (length < 0) return null;
  const value = sealed.subarray(0, length);
  const sum = (sealed[length]! << 24) | (sealed[length + 1]! << 16) | (sealed[length + 2]! << 8) | sealed[length + 3]!;
  return crc32(value, crc32(key)) === sum >>> 0 ? value : null;
}
