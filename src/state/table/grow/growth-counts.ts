// Costs of growing so far, for those who watch. Runs on the publisher.
import { HEADER } from '../layout/layout.js';
import type { EntryCounts } from './table-copy.js';

/** Counts and maxima since the writer began. */
export class GrowthCounts {
  #stalls = 0;
  #rebuilds = 0;
  #sliceUsMax = 0;
  #slicePlacesMax = 0;

  /** The writer has waited for a copy. */
  stalled(): void {
    this.#stalls++;
  }

  /** The whole was copied at once, for another hash key or after a failure. */
  rebuilt(): void {
    this.#rebuilds++;
  }

  /** A slice has taken so long and come so far. `places`: copied, and looked at by hands. */
  slice(ms: number, places: number): void {
    this.#sliceUsMax = Math.max(this.#sliceUsMax, Math.ceil(ms * 1000));
    this.#slicePlacesMax = Math.max(this.#slicePlacesMax, places);
  }

  /** Writes them into a table's header, with its entries and how many were given up. */
  tell(words: Int32Array, held: Readonly<EntryCounts>, evictions: number): void {
    words[HEADER.accounts] = held.accounts;
    words[HEADER.slots] = held.slots;
    words[HEADER.stalls] = this.#stalls;
    words[HEADER.rebuilds] = this.#rebuilds;
    words[HEADER.sliceUsMax] = this.#sliceUsMax;
    words[HEADER.slicePlacesMax] = this.#slicePlacesMax;
    words[HEADER.evictions] = (evictions % 2 ** 32) | 0;
    words[HEADER.evictions + 1] = Math.floor(evictions / 2 ** 32);
  }
}
