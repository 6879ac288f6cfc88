// One LMDB database of the archive. Every value is written with a checksum, which is verified when the value is read.
// Writes are part of a transaction, and only the result of the whole transaction is awaited. See DECISIONS.md.
import type { Database } from 'lmdb';
import { ArchiveDamage } from './archive-damage.js';
import { toPlainUint8Array } from './keys-and-values.js';
import { crc32 } from 'node:zlib';
import { firstLineOfError } from '../../../lib/error-message.js';

/**
 * Number of bytes that the checksum adds to a value: the CRC-32 of key and value, big endian. It covers the key, so
 * that a value that ended up under another key is found to be damaged.
 */
const CHECKSUM_BYTES = 4;

function appendChecksum(key: Uint8Array, value: Uint8Array): Buffer {
  const sealed = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  sealed.set(value);
  sealed.writeUInt32BE(crc32(value, crc32(key)), value.length);
  return sealed;
}

/** Returns the value without its checksum, in the same memory; `null` if the checksum does not match key and value. */
function verifyAndStripChecksum(key: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  const length = sealed.length - CHECKSUM_BYTES;
  if (length < 0) return null;
  const value = sealed.subarray(0, length);
  const sum = (sealed[length]! << 24) | (sealed[length + 1]! << 16) | (sealed[length + 2]! << 8) | sealed[length + 3]!;
  return crc32(value, crc32(key)) === sum >>> 0 ? value : null;
}

const ZERO = Buffer.alloc(1);

/** The underlying lmdb database. */
export type LmdbDatabase = Database<Uint8Array, Uint8Array>;

/** A key and its value. Both are valid only until the iterator's next step. */
export interface DbEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A range of keys in the form that lmdb accepts. */
export type DbRange = Parameters<LmdbDatabase['getRange']>[0];

/** Wraps a database: reads verify the checksum, and writes become part of the current transaction. */
export class ChecksummedDb {
  readonly #dir: string;
  readonly #name: string;
  readonly #raw: LmdbDatabase;

  /** Wraps the database `name` of the archive in `dir`. */
  constructor(dir: string, name: string, raw: LmdbDatabase) {
    this.#dir = dir;
    this.#name = name;
    this.#raw = raw;
  }

  /** Returns the value, or undefined if the key is absent. Throws ArchiveDamage. */
  get(key: Buffer): Uint8Array | undefined {
    const sealed = this.getPlain(key);
    return sealed === undefined ? undefined : this.#value(key, sealed);
  }

  put(key: Buffer, value: Uint8Array): void {
    this.putPlain(key, appendChecksum(key, value));
  }

  /** Returns a value as it is stored. Used for the format record, which has no checksum. */
  getPlain(key: Buffer): Uint8Array | undefined {
    try {
      return this.#raw.get(key);
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  /** Writes a value without a checksum. */
  putPlain(key: Buffer, value: Uint8Array): void {
    void this.#raw.put(key, value);
  }

  /** Removes the record of a key, if there is one. */
  remove(key: Buffer): void {
    void this.#raw.remove(key);
  }

  /** Iterates over all records in a range. Throws ArchiveDamage at a damaged one. */
  *entries(range: DbRange): IterableIterator<DbEntry> {
    const entries = this.#raw.getRange(range)[Symbol.iterator]();
    try {
      for (let entry = this.#next(entries); entry !== null; entry = this.#next(entries)) {
        yield { key: toPlainUint8Array(entry.key), value: this.#value(entry.key, entry.value) };
      }
    } finally {
      entries.return?.();
    }
  }

  /**
   * Returns the value of an account or slot after a block. Keys consist of a prefix and a block number. With one seek,
   * finds the highest key that is not above `key` and has the same prefix. Throws ArchiveDamage.
   */
  newest(key: Buffer, prefixBytes: number): Uint8Array | null {
    const range = { start: key, end: key.subarray(0, prefixBytes), reverse: true, limit: 1 };
    const entry = this.#first(range);
    return entry === null ? null : this.#value(entry.key, entry.value);
  }

  /**
   * Reads every record from the last to the first, until `isOver` returns true. Each record is read by an iterator and
   * also by its key, because damage can make a record unreachable by key although it exists. Throws ArchiveDamage.
   */
  check(isOver: () => boolean): void {
    let before: Buffer | null = null;
    let count = 0;
    for (const entry of this.entries({ reverse: true })) {
      if (isOver()) return;
      const key = Buffer.from(entry.key);
      if ((before !== null && before.compare(key) <= 0) || this.getPlain(key) === undefined) {
        throw new ArchiveDamage(this.#dir, `record ${this.#name} ${hex(key)} is not in its place`);
      }
      before = key;
      count++;
    }
    const { entryCount } = this.#raw.getStats() as { readonly entryCount: number };
    if (count !== entryCount)
      throw new ArchiveDamage(this.#dir, `table ${this.#name} has ${count} of ${entryCount} records`);
  }

  /**
   * Copies the last records, about `bytes` in all, each to a new key directly after its own. This tests whether LMDB
   * can write to these pages. Throws ArchiveDamage.
   */
  crowd(bytes: number): void {
    const neighbours: [key: Buffer, value: Buffer][] = [];
    let left = bytes;
    for (const { key, value } of this.entries({ reverse: true })) {
      neighbours.push([Buffer.concat([key, ZERO]), Buffer.from(value)]);
      left -= key.length + value.length;
      if (left < 0) break;
    }
    for (const [key, value] of neighbours) this.put(key, value);
  }

  /** Rewrites, unchanged, the value of a key whose values are stored without a checksum. */
  rewritePlain(key: Buffer): void {
    const value = this.getPlain(key);
    if (value !== undefined) this.putPlain(key, Buffer.from(value));
  }

  #first(range: DbRange): DbEntry | null {
    try {
      for (const entry of this.#raw.getRange(range)) return entry;
      return null;
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  #next(entries: Iterator<DbEntry>): DbEntry | null {
    try {
      const step = entries.next();
      return step.done === true ? null : step.value;
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  #value(key: Uint8Array, sealed: Uint8Array): Uint8Array {
    const value = verifyAndStripChecksum(key, sealed);
    if (value === null) throw new ArchiveDamage(this.#dir, `record ${this.#name} ${hex(key)} is not what was written`);
    return toPlainUint8Array(value);
  }

  #unreadable(error: unknown): ArchiveDamage {
    return new ArchiveDamage(this.#dir, `table ${this.#name} cannot be read: ${firstLineOfError(error)}`);
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
