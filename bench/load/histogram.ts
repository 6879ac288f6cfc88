// Histograms of times: microseconds up to a minute, to a precision of a thousandth, in doubling buckets (as in
// HdrHistogram). Runs in the generator and in the bench.

const HIGHEST_US = 60_000_000;
/** Values below it have a bucket each; above it each doubling has half as many buckets. */
const EXACT = 2048;
const HALF = EXACT / 2;
const HALF_BITS = 10;
/** Percentiles of the curve's points: increasingly close to 100, with as many points for each nine. */
const CURVE = [0, 25, 50, 75, 80, 85, 90, 92, 94, 96, 98, 99, 99.3, 99.6, 99.8, 99.9, 99.95, 99.99, 99.999, 100];
const BARS_PER_DOUBLING = 4;

/** Milliseconds at the usual percentiles. */
export interface Percentiles {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** A point of a percentile curve: the percentile, milliseconds. */
export type CurvePoint = readonly [percentile: number, ms: number];

/** A bar of a histogram: upper bound in milliseconds, and the share of all values. */
export type Bar = readonly [uptoMs: number, share: number];

/** Times as sent between processes: alternating bucket and count. */
export type EncodedTimes = readonly number[];

/** A histogram of times. */
export class Times {
  readonly #counts = new Int32Array(bucketOf(HIGHEST_US) + 1);
  #count = 0;

  /** Reads what `encode` wrote. */
  static decode(pairs: EncodedTimes): Times {
    const times = new Times();
    for (let at = 0; at < pairs.length; at += 2) times.#note(pairs[at]!, pairs[at + 1]!);
    return times;
  }

  /** The sum of several histograms. */
  static sum(parts: readonly Times[]): Times {
    const whole = new Times();
    for (const part of parts) part.#counts.forEach((count, bucket) => whole.#note(bucket, count));
    return whole;
  }

  /** Longer times than a minute count as a minute. */
  add(ms: number): void {
    this.#note(bucketOf(Math.min(HIGHEST_US, Math.max(1, Math.round(ms * 1000)))), 1);
  }

  get count(): number {
    return this.#count;
  }

  /** Milliseconds; 0 if there are no values. */
  percentile(percentile: number): number {
    const wanted = Math.max(1, Math.ceil((percentile / 100) * this.#count - 1e-9));
    for (let bucket = 0, seen = 0; bucket < this.#counts.length; bucket++) {
      seen += this.#counts[bucket]!;
      if (seen >= wanted) return lastOf(bucket) / 1000;
    }
    return 0;
  }

  /** Number of values of at least `ms`. */
  countFrom(ms: number): number {
    return this.#count - this.#below(ms * 1000);
  }

  percentiles(): Percentiles {
    const [p50, p90, p99, p999, max] = [50, 90, 99, 99.9, 100].map((at) => this.percentile(at));
    return { count: this.#count, mean: this.#mean(), p50: p50!, p90: p90!, p99: p99!, p999: p999!, max: max! };
  }

  /** The curve up to the percentile that the number of values supports, and the maximum. */
  curve(): CurvePoint[] {
    if (this.#count === 0) return [];
    const finest = 100 - 100 / this.#count;
    return CURVE.filter((at) => at <= finest || at === 100).map((at) => [at, this.percentile(at)]);
  }

  /** Shares of all values in bars of a quarter of a doubling. */
  bars(): Bar[] {
    if (this.#count === 0) return [];
    const [first, last] = [barOf(Math.max(1, this.percentile(0) * 1000)), barOf(this.percentile(100) * 1000)];
    return Array.from({ length: last - first + 1 }, (_, i) => {
      const [from, to] = [2 ** ((first + i) / BARS_PER_DOUBLING), 2 ** ((first + i + 1) / BARS_PER_DOUBLING)];
      return [to / 1000, (this.#below(to) - this.#below(from)) / this.#count];
    });
  }

  encode(): EncodedTimes {
    return [...this.#counts].flatMap((count, bucket) => (count === 0 ? [] : [bucket, count]));
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = 0;
  }

  #note(bucket: number, count: number): void {
    this.#counts[bucket]! += count;
    this.#count += count;
  }

  #mean(): number {
    const sumUs = this.#counts.reduce(
      (sum, count, bucket) => sum + (count * (firstOf(bucket) + lastOf(bucket))) / 2,
      0,
    );
    return sumUs / 1000 / Math.max(1, this.#count);
  }

  #below(us: number): number {
    const end = bucketOf(Math.min(HIGHEST_US, Math.ceil(us)));
    return this.#counts.subarray(0, end).reduce((sum, count) => sum + count, 0);
  }
}

/** The bucket of a whole number of microseconds. */
function bucketOf(us: number): number {
  const shift = Math.max(0, 31 - Math.clz32(us) - HALF_BITS);
  return shift * HALF + (us >> shift);
}

/** The shortest time in a bucket, microseconds. */
function firstOf(bucket: number): number {
  if (bucket < EXACT) return bucket;
  const shift = Math.floor(bucket / HALF) - 1;
  return (bucket - shift * HALF) << shift;
}

/** The longest one. */
function lastOf(bucket: number): number {
  return firstOf(bucket + 1) - 1;
}

/** The bar that a time belongs to. */
function barOf(us: number): number {
  return Math.floor(Math.log2(us) * BARS_PER_DOUBLING);
}
