// The session of the table in use; a table that takes its place brings a session of its own. Runs on main.
import type { ArchiveReader } from '../state/archive-reader.js';
import { TableReader } from '../state/snapshot.js';
import { Session } from './session.js';

/** The newest version and the table it lies in. */
export interface SnapshotState {
  readonly version: number;
  readonly block: number;
  readonly ageMs: number;
  readonly tableBytes: number;
  readonly generation: number;
  readonly oldestPinAgeMs: number;
}

export class CurrentSession {
  readonly #archive: ArchiveReader;
  #table: TableReader;
  #session: Session;

  constructor(buffer: SharedArrayBuffer, archive: ArchiveReader) {
    this.#archive = archive;
    this.#table = new TableReader(buffer);
    this.#session = this.#open();
  }

  get(): Session {
    return this.#session;
  }

  /** Reads from another table from now on. */
  setTable(buffer: SharedArrayBuffer): void {
    this.#table = new TableReader(buffer);
    this.#session = this.#open();
  }

  /** Where the newest version stands and how old it is. */
  describe(nowMs: number): SnapshotState {
    const version = this.#table.newest();
    const { coordinates, publishedAtMs } = this.#table.record(version);
    return {
      version,
      block: coordinates.block,
      ageMs: nowMs - publishedAtMs,
      tableBytes: this.#table.bytes,
      generation: this.#table.generation,
      oldestPinAgeMs: this.#table.oldestPinAgeMs(nowMs),
    };
  }

  #open(): Session {
    return new Session({ table: this.#table, pin: this.#table.acquirePin(), archive: this.#archive });
  }
}
