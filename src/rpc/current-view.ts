// The session of the table in use; a table that takes its place brings a session of its own. Runs on main.
import { HeldVersions } from '../state/version-pins.js';
import { TableReader } from '../state/table/snapshot.js';
import { Session, type BlockSource } from './read-view.js';

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
  readonly #source: BlockSource;
  #epoch = 0;
  #table: TableReader;
  #session: Session;

  constructor(buffer: SharedArrayBuffer, source: BlockSource) {
    this.#source = source;
    this.#table = new TableReader(buffer);
    this.#session = this.#open();
  }

  get(): Session {
    return this.#session;
  }

  /** Counts the tables that began anew: versions of one mean nothing in another. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Reads from another table from now on. `continues`: its versions go on from those of the one before. */
  setTable(buffer: SharedArrayBuffer, continues: boolean): void {
    if (!continues) this.#epoch++;
    this.#table = new TableReader(buffer);
    this.#session = this.#open();
  }

  /** Where the newest version stands and how old it is. `nowMs`: the monotonic clock. */
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
    const table = this.#table;
    const held = new HeldVersions(table.acquirePin());
    return new Session({ table, pin: table.acquirePin(), held, epoch: this.#epoch, source: this.#source });
  }
}
