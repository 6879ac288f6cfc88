// Counters of the work that was needed so far to grow the table, for monitoring.
import { TABLE_HEADER } from '../layout/table-layout.js';
import type { TableEntryCounts } from './table-copy.js';

export class GrowthCounts {
  #stalls = 0;
  #rebuilds = 0;
  #sliceUsMax = 0;
  #sliceBucketsMax = 0;

  /** Counts a copy of the table that was not finished in time, so that the writer had to wait for it. */
  stalled(): void {
    this.#stalls++;
  }

  /** Counts a copy of the whole table at once, made to change the hash key or after a failed publication. */
  rebuilt(): void {
    this.#rebuilds++;
  }

  /**
   * Records the duration of a time slice, and how many buckets were copied, or visited by clock hands (for eviction),
   * during the slice.
   */
  slice(ms: number, buckets: number): void {
    this.#sliceUsMax = Math.max(this.#sliceUsMax, Math.ceil(ms * 1000));
    this.#sliceBucketsMax = Math.max(this.#sliceBucketsMax, buckets);
  }

  /** Writes the counts to a table's header, together with the numbers of entries and evictions. */
  write(words: Int32Array, used: Readonly<TableEntryCounts>, evictions: number): void {
    words[TABLE_HEADER.accounts] = used.accounts;
    words[TABLE_HEADER.slots] = used.slots;
    words[TABLE_HEADER.stalls] = this.#stalls;
    words[TABLE_HEADER.rebuilds] = this.#rebuilds;
    words[TABLE_HEADER.sliceUsMax] = this.#sliceUsMax;
    words[TABLE_HEADER.sliceBucketsMax] = this.#sliceBucketsMax;
    words[TABLE_HEADER.evictions] = (evictions % 2 ** 32) | 0;
    words[TABLE_HEADER.evictions + 1] = Math.floor(evictions / 2 ** 32);
  }
}
