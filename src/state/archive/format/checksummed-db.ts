// One database of the archive. Every value is written with a checksum, which is verified when the value is read. Writes
// happen within a transaction of the writer, so the promises of single puts are ignored.
import type { Database } from 'lmdb';
import { ArchiveDamage } from './archive-damage.js';
import { firstLineOfError } from './archive-error.js';
import { toPlainUint8Array } from './keys.js';
import { verifyAndStripChecksum, appendChecksum } from './checksum.js';

const ZERO = Buffer.alloc(1);

/** The underlying lmdb database. */
export type LmdbDatabase = Database<Uint8Array, Uint8Array>;

/** A key and its value, which are valid until the next step. */
export interface DbEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A range of entries in the form that lmdb accepts. */
export type DbRange = Parameters<LmdbDatabase['getRange']>[0];

/** A database. Reads verify the checksum, and writes are part of the current transaction. */
export class ChecksummedDb {
  readonly #dir: string;
  readonly #name: string;
  readonly #raw: LmdbDatabase;

  /** The table `name` of the archive in `dir`. */
  constructor(dir: string, name: string, raw: LmdbDatabase) {
    this.#dir = dir;
    this.#name = name;
    this.#raw = raw;
  }

  /** The value, or undefined. Throws ArchiveDamage. */
  get(key: Buffer): Uint8Array | undefined {
    const sealed = this.getPlain(key);
    return sealed === undefined ? undefined : this.#value(key, sealed);
  }

  put(key: Buffer, value: Uint8Array): void {
    this.putPlain(key, appendChecksum(key, value));
  }

  /** A value without a checksum, for what has to be read before the format is known. */
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

  /** Removes an entry, if it is there. */
  remove(key: Buffer): void {
    void this.#raw.remove(key);
  }

  /** All entries one by one. Throws ArchiveDamage at a damaged one. */
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

  /** Of the keys with this prefix, the newest value at `key` or below, by one seek. Throws ArchiveDamage. */
  newest(key: Buffer, prefixBytes: number): Uint8Array | null {
    const range = { start: key, end: key.subarray(0, prefixBytes), reverse: true, limit: 1 };
    const entry = this.#first(range);
    return entry === null ? null : this.#value(entry.key, entry.value);
  }

  /**
   * Reads every record from the last one to the first until `isOver`, both through an iterator and by its key. If a
   * search by key missed a record, the record would look absent. Throws ArchiveDamage.
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

  /** Writes a copy of each of the last records, up to `bytes`, under a key right after it. Throws ArchiveDamage. */
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

  /** Writes a value without a checksum again, unchanged. */
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
