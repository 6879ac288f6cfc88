// Times that something took, counted by their length: counts in a typed array, as cheap as an increment. Runs on every thread.

/** From 1 us to 16.8 s, a count for each doubling. Shorter times are counted as the shortest, longer ones as the longest. */
const DOUBLINGS = 24;
const COUNTS = DOUBLINGS + 1;
const SUM = COUNTS;
const US_MAX = 2 ** DOUBLINGS - 1;

/** A time in milliseconds and how many took no longer. */
export type Bound = readonly [ms: number, count: number];

/** One thread writes. In shared memory others may read: a count may be one short, never wrong. */
export class Histogram {
  readonly #cells: Float64Array;

  /** All zero, or what lies in `cells`. */
  constructor(cells: Float64Array = new Float64Array(COUNTS + 1)) {
    this.#cells = cells;
  }

  /** One that lies in memory of `createBuffer`. */
  static in(buffer: SharedArrayBuffer): Histogram {
    return new Histogram(new Float64Array(buffer));
  }

  /** Memory for one that two threads know. */
  static createBuffer(): SharedArrayBuffer {
    return new SharedArrayBuffer((COUNTS + 1) * Float64Array.BYTES_PER_ELEMENT);
  }

  /** Counts a time, one below zero as zero; `weight`: for how many it stands. Some 6 ns. */
  record(ms: number, weight = 1): void {
    const us = Math.max(ms, 0) * 1000;
    this.#cells[32 - Math.clz32(Math.min(us, US_MAX))]! += weight;
    this.#cells[SUM]! += (us / 1000) * weight;
  }

  /** Number of those counted. */
  get count(): number {
    return this.bounds().at(-1)![1];
  }

  /** Milliseconds of all together. */
  get sumMs(): number {
    return this.#cells[SUM]!;
  }

  /** The counts up to 1 us and to every doubling of it. */
  bounds(): readonly Bound[] {
    let below = 0;
    return Array.from(
      this.#cells.subarray(0, COUNTS),
      (count, place) => [2 ** place / 1000, (below += count)] as const,
    );
  }
}
