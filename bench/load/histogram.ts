// Histograms of times (HdrHistogram): microseconds up to a minute with three digits. Runs in the generator and in the bench.
import { decodeFromCompressedBase64, encodeIntoCompressedBase64, Int32Histogram } from 'hdr-histogram-js';

const HIGHEST_US = 60_000_000;
const DIGITS = 3;
/** Percentiles that curves are drawn through: ever closer to 100, as many points for each nine. */
const CURVE = [0, 25, 50, 75, 80, 85, 90, 92, 94, 96, 98, 99, 99.3, 99.6, 99.8, 99.9, 99.95, 99.99, 99.999, 100];
const BARS_PER_DOUBLING = 4;

/** Milliseconds at the percentiles that everybody asks for. */
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

/** A bar of a histogram: up to these milliseconds, and the share of all values. */
export type Bar = readonly [uptoMs: number, share: number];

/** Many times, counted. */
export class Times {
  readonly #histogram: Int32Histogram;

  constructor(histogram: Int32Histogram = new Int32Histogram(1, HIGHEST_US, DIGITS)) {
    this.#histogram = histogram;
  }

  /** Reads what `encode` wrote. */
  static decode(text: string): Times {
    return new Times(decodeFromCompressedBase64(text, 32, false) as Int32Histogram);
  }

  /** All of several, together. */
  static sum(parts: readonly Times[]): Times {
    const whole = new Times();
    for (const part of parts) whole.#histogram.add(part.#histogram);
    return whole;
  }

  /** Longer times than a minute count as a minute. */
  add(ms: number): void {
    this.#histogram.recordValue(Math.min(HIGHEST_US, Math.max(1, Math.round(ms * 1000))));
  }

  get count(): number {
    return this.#histogram.totalCount;
  }

  /** Milliseconds; 0 where there is none. */
  percentile(percentile: number): number {
    return this.count === 0 ? 0 : this.#histogram.getValueAtPercentile(percentile) / 1000;
  }

  /** Number of those at least this long. */
  countFrom(ms: number): number {
    return this.count - this.#below(ms * 1000);
  }

  percentiles(): Percentiles {
    const [p50, p90, p99, p999] = [50, 90, 99, 99.9].map((at) => this.percentile(at)) as [
      number,
      number,
      number,
      number,
    ];
    const mean = this.count === 0 ? 0 : this.#histogram.mean / 1000;
    return { count: this.count, mean, p50, p90, p99, p999, max: this.percentile(100) };
  }

  /** The curve up to the percentile that the number of values still supports, and the longest. */
  curve(): CurvePoint[] {
    if (this.count === 0) return [];
    const finest = 100 - 100 / this.count;
    return CURVE.filter((at) => at <= finest || at === 100).map((at) => [at, this.percentile(at)]);
  }

  /** Shares of all values in bars that grow by a quarter of a doubling. */
  bars(): Bar[] {
    if (this.count === 0) return [];
    const [first, last] = [barOf(Math.max(1, this.percentile(0) * 1000)), barOf(this.percentile(100) * 1000)];
    return Array.from({ length: last - first + 1 }, (_, i) => {
      const [from, to] = [2 ** ((first + i) / BARS_PER_DOUBLING), 2 ** ((first + i + 1) / BARS_PER_DOUBLING)];
      return [to / 1000, (this.#below(to) - this.#below(from)) / this.count];
    });
  }

  encode(): string {
    return encodeIntoCompressedBase64(this.#histogram);
  }

  #below(us: number): number {
    const end = this.#histogram.countsArrayIndex(Math.min(HIGHEST_US, Math.ceil(us)));
    let sum = 0;
    for (let index = 0; index < end; index++) sum += this.#histogram.getCountAtIndex(index);
    return sum;
  }
}

/** The bar that a time belongs to. */
function barOf(us: number): number {
  return Math.floor(Math.log2(us) * BARS_PER_DOUBLING);
}
