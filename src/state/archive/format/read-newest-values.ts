// Reads the newest value of every account or slot from a database that holds the values at all blocks.
import type { ChecksummedDb } from './checksummed-db.js';

/** The newest value of an account or slot. `prefix` is its key without the block number. */
export interface NewestValue {
  readonly prefix: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * Number of older values of one key that are read and ignored before a seek skips the rest. Reading takes 0.4 us a
 * value and a seek 4 us, so a seek is worth it from some ten values on, and keys with a short history never need one.
 * Measure again when lmdb's cursor changes.
 */
const STEPS_BEFORE_JUMP = 8;

/** Yields the newest value of each key, in descending order of keys, because a key's newest value then comes first. */
export function* newestValues(table: ChecksummedDb, prefixBytes: number): IterableIterator<NewestValue> {
  // A prefix sorts before its keys, so that a range that starts at a prefix begins below all keys of that prefix.
  let start: Buffer | null = null;
  let jumping = true;
  while (jumping) {
    jumping = false;
    let prefix: Uint8Array | null = null;
    let older = 0;
    for (const { key, value } of table.entries(start === null ? { reverse: true } : { reverse: true, start })) {
      if (prefix === null || !startsWith(key, prefix)) {
        prefix = key.subarray(0, prefixBytes);
        older = 0;
        yield { prefix, value };
      } else if (++older === STEPS_BEFORE_JUMP) {
        start = Buffer.from(prefix);
        jumping = true;
        break;
      }
    }
  }
}

function startsWith(key: Uint8Array, prefix: Uint8Array): boolean {
  return (
    Buffer.from(key.buffer, key.byteOffset, key.byteLength).compare(prefix, 0, prefix.length, 0, prefix.length) === 0
  );
}
