// Holds the read view of the current state table. When another table replaces it, there is a new read view.
import { recordDroppedSharedMemory } from '../../lib/memory/garbage-collection.js';
import { TableReader, type TableUsage } from '../../state/table/read/table-reader-and-snapshot.js';
import type { CompleteBlockSource } from './stored-blocks.js';
import type { OpenPlainReads } from '../reads/native-plain-reads.js';
import { ReadView, type MissCounter } from './pinned-read-view.js';

/** Position of the newest state version, and facts about it. */
export interface CurrentViewInfo {
  readonly version: number;
  readonly block: number;
  /** Index, in its block, of the newest increment that the version includes. */
  readonly index: number;
  /** Number of the newest confirmed block. */
  readonly head: number;
  readonly ageMs: number;
  readonly tableBytes: number;
  readonly generation: number;
  readonly oldestPinAgeMs: number;
  readonly usage: TableUsage;
  /** Number of reads of accounts and slots that were missing in the state table. */
  readonly missCount: number;
}

/** Holds the current state table and its read view; `setTable` replaces both. */
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

  /** Returns the current read view. It must not be used after an await. */
  get(): ReadView {
    return this.#readView;
  }

  /** Number of resets of the state table. Version numbers from before a reset mean nothing after it. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Switches to another state table. `continues`: its version numbers continue those of the previous table. */
  setTable(buffer: SharedArrayBuffer, continues: boolean): void {
    if (!continues) this.#epoch++;
    recordDroppedSharedMemory(this.#table.bytes);
    this.#table = new TableReader(buffer);
    this.#readView = this.#open();
  }

  /** Returns position and age of the newest state version. `nowMs` is the time on the monotonic clock. */
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
    return new ReadView({
      table: this.#table,
      epoch: this.#epoch,
      source: this.#source,
      missCount: this.#missCount,
      plainReads: this.#openPlainReads(this.#table.buffer),
    });
  }
}
