// The read view of the current table. When another table replaces that, the read view changes as well.
import { recordDroppedSharedMemory } from '../../lib/memory/garbage-collection.js';
import { VersionPins } from '../../state/version-pins.js';
import { TableReader, type TableUsage } from '../../state/table/read/snapshot.js';
import type { CompleteBlockSource } from './chain-blocks.js';
import type { OpenPlainReads } from '../reads/plain-reads.js';
import { ReadView, type MissCounter } from './read-view.js';

/** The newest version and its table. */
export interface CurrentViewInfo {
  readonly version: number;
  readonly block: number;
  /** The version's increment index in its block, and the newest confirmed block. */
  readonly index: number;
  readonly head: number;
  readonly ageMs: number;
  readonly tableBytes: number;
  readonly generation: number;
  readonly oldestPinAgeMs: number;
  readonly usage: TableUsage;
  /** State misses: reads of accounts and slots that were not in the table. */
  readonly missCount: number;
}

/** There is one table and one read view at a time; `setTable` replaces both. */
export class CurrentView {
  readonly #source: CompleteBlockSource;
  readonly #openPlainReads: OpenPlainReads;
  readonly #missCount: MissCounter = { count: 0 };
  #epoch = 0;
  #table: TableReader;
  #readView: ReadView;

  constructor(buffer: SharedArrayBuffer, source: CompleteBlockSource, openPlainReads: OpenPlainReads) {
    this.#source = source;
    this.#openPlainReads = openPlainReads;
    this.#table = new TableReader(buffer);
    this.#readView = this.#open();
  }

  /** The current read view, which must not be kept across an await. */
  get(): ReadView {
    return this.#readView;
  }

  /** Number of resets of the table: versions from before a reset mean nothing after it. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Switches to another table. `continues` is true if its versions continue those of the previous one. */
  setTable(buffer: SharedArrayBuffer, continues: boolean): void {
    if (!continues) this.#epoch++;
    recordDroppedSharedMemory(this.#table.bytes);
    this.#table = new TableReader(buffer);
    this.#readView = this.#open();
  }

  /** Position of the newest version, and its age. `nowMs` is the monotonic clock. */
  describe(nowMs: number): CurrentViewInfo {
    const version = this.#table.newest();
    const { coordinates, publishedAtMs, heads } = this.#table.record(version);
    return {
      version,
      block: coordinates.block,
      index: coordinates.index,
      head: heads.latest,
      ageMs: nowMs - publishedAtMs,
      tableBytes: this.#table.bytes,
      generation: this.#table.generation,
      oldestPinAgeMs: this.#table.oldestPinAgeMs(nowMs),
      usage: this.#table.usage(),
      missCount: this.#missCount.count,
    };
  }

  #open(): ReadView {
    const table = this.#table;
    const pins = new VersionPins(table.acquirePin());
    return new ReadView({
      table,
      pin: table.acquirePin(),
      pins,
      epoch: this.#epoch,
      source: this.#source,
      missCount: this.#missCount,
      plainReads: this.#openPlainReads(table.buffer),
    });
  }
}
