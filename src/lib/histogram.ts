// How often something took how long: counts in a typed array, as cheap as an increment. Runs on every thread.

/** Counts for each doubling of the time, so that a bound is at most an eighth above what it bounds. */
const STEPS = 8;
const STEP_BITS = Math.log2(STEPS);
/** From 1 us to 16.8 s. Shorter times are counted by eighths of a microsecond, longer ones as the longest. */
const DOUBLINGS = 24;
const COUNTS = STEPS * (DOUBLINGS + 1);
const SUM = COUNTS;
const EIGHTHS_PER_MS = 1000 * STEPS;
const EIGHTHS_MAX = STEPS * 2 ** DOUBLINGS - 1;

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
    const eighths = Math.max(ms, 0) * EIGHTHS_PER_MS;
    this.#cells[placeOf(Math.min(eighths, EIGHTHS_MAX) | 0)]! += weight;
    this.#cells[SUM]! += (eighths / EIGHTHS_PER_MS) * weight;
  }

  /** How many were counted. */
  get count(): number {
    let count = 0;
    for (let place = 0; place < COUNTS; place++) count += this.#cells[place]!;
    return count;
  }

  /** Milliseconds of all together. */
  get sumMs(): number {
    return this.#cells[SUM]!;
  }

  /** As it is now. */
  copy(): Histogram {
    return new Histogram(Float64Array.from(this.#cells));
  }

  /** What was counted since `earlier`, a copy of this one. */
  since(earlier: Histogram): Histogram {
    return new Histogram(this.#cells.map((count, place) => count - earlier.#cells[place]!));
  }

  /** What both have counted. */
  with(other: Histogram): Histogram {
    return new Histogram(this.#cells.map((count, place) => count + other.#cells[place]!));
  }

  /** The time that this share of all (0 to 1) does not exceed, at most an eighth too long; `null` where there is none. */
  quantileMs(share: number): number | null {
    const wanted = share * this.count;
    let below = 0;
    for (let place = 0; place < COUNTS; place++) {
      below += this.#cells[place]!;
      if (below > 0 && below >= wanted) return upperMs(place);
    }
    return null;
  }

  /** The counts up to 1 us and to every doubling of it. */
  bounds(): readonly Bound[] {
    const bounds: Bound[] = [];
    let below = 0;
    for (let place = 0; place < COUNTS; place++) {
      below += this.#cells[place]!;
      if (place % STEPS === STEPS - 1) bounds.push([upperMs(place), below]);
    }
    return bounds;
  }
}

/** The first eighths have a place each; above, the bits below the highest one choose among those of its doubling. */
function placeOf(eighths: number): number {
  if (eighths < STEPS) return eighths;
  const shift = 31 - Math.clz32(eighths) - STEP_BITS;
  return (shift + 1) * STEPS + ((eighths >>> shift) & (STEPS - 1));
}

function upperMs(place: number): number {
  const shift = Math.max(0, Math.floor(place / STEPS) - 1);
  const eighths = place < STEPS ? place + 1 : ((place % STEPS) + STEPS + 1) * 2 ** shift;
  return eighths / EIGHTHS_PER_MS;
}
