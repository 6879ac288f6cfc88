// What an executor has published: its table, and the block that `latest` refers to.
import type { CompleteBlock } from '../../state/complete-block.js';
import { TableReader, type VersionRecord } from '../../state/table/read/table-reader-and-snapshot.js';

/** The published table. Its buffer changes when it grows. */
export interface PublishedTableRef {
  readonly buffer: SharedArrayBuffer;
  readonly newest: number;
}

export class PublishedState {
  #table: PublishedTableRef | null = null;
  #block: CompleteBlock | null = null;

  /** The table; `null` if there is none, or if it has no state version yet. */
  get table(): PublishedTableRef | null {
    return this.newest === 0 ? null : this.#table;
  }

  /** The newest state version; 0 if there is none. */
  get newest(): number {
    return this.#table?.newest ?? 0;
  }

  /** The state version that `latest` reads; 0 if there is none. */
  get latestVersion(): number {
    return this.table === null ? 0 : versionRecordOfLatest(this.table).version;
  }

  /** The record of the newest state version; `null` if there is none. */
  get record(): VersionRecord | null {
    return this.table === null ? null : new TableReader(this.table.buffer).record(this.newest);
  }

  /** Records that another table is used. `block` is the one that `latest` refers to, if known. */
  begin(table: PublishedTableRef, block: CompleteBlock | null): void {
    this.#table = table;
    this.#block = block;
  }

  confirm(block: CompleteBlock): void {
    this.#block = block;
  }

  /** Returns the newest confirmed block if it has this number; otherwise `null`. */
  blockAt(number: number): CompleteBlock | null {
    return this.#block?.number === number ? this.#block : null;
  }
}

/**
 * Returns the record of the state version that `latest` reads, or of the newest version if there is no block yet. The
 * table must have a version.
 */
export function versionRecordOfLatest({ buffer, newest }: PublishedTableRef): VersionRecord {
  const reader = new TableReader(buffer);
  const { latestVersion } = reader.record(newest);
  return reader.record(latestVersion === 0 ? newest : latestVersion);
}
