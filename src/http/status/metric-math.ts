// Computes values for the status page from scraped metrics: newest values, and rates and quantiles of the last seconds.
// Runs in the browser, inlined into page.html before the page's script.

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** The samples of one scrape of /metrics, by metric name. */
interface Reading {
  readonly atMs: number;
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/** Rate of an event, and quantiles of its duration in milliseconds. The quantiles are `null` if it did not happen. */
interface RateAndQuantiles {
  readonly perSecond: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
}

/**
 * Rates and quantiles compare the newest scrape with one that is `SPAN_MS` old. Scrapes older than `GAP_MS_MAX`, for
 * example from before the computer slept, are discarded.
 */
const SPAN_MS = 10_000;
const GAP_MS_MAX = 15_000;

/** Values and rates from the latest scrapes of /metrics. */
export class ScrapedMetrics {
  #readings: readonly Reading[] = [];

  /** Adds a scrape of /metrics. After a restart of the program, earlier scrapes are discarded. */
  take(text: string, atMs: number): void {
    const now = { atMs, samples: samplesOf(text) };
    const started = this.value('process_start_time_seconds');
    const kept = this.#readings.filter((each) => atMs - each.atMs <= GAP_MS_MAX);
    this.#readings = [...kept, now];
    if (started !== this.value('process_start_time_seconds')) this.#readings = [now];
    while (this.#readings.length > 2 && atMs - this.#readings[1]!.atMs >= SPAN_MS) {
      this.#readings = this.#readings.slice(1);
    }
  }

  has(name: string): boolean {
    return this.#now.has(name);
  }

  /** Returns the sum of all samples of a metric that have these labels. */
  value(name: string, labels: Labels = {}): number {
    return sum(this.#now, name, labels);
  }

  /** Returns all values that a label of a metric has. */
  labels(name: string, label: string): readonly string[] {
    return [...new Set(this.#now.get(name)?.map(({ labels }) => labels[label] ?? ''))];
  }

  /** Returns the growth of a counter per second. */
  rate(name: string, labels: Labels = {}): number {
    return this.#perSecond((samples) => sum(samples, name, labels));
  }

  /**
   * Returns the rate of the event that a histogram measures, and quantiles of its duration in milliseconds, which are
   * interpolated within a bucket.
   */
  times(name: string, labels: Labels = {}): RateAndQuantiles {
    const bounds = this.labels(`${name}_bucket`, 'le');
    const counts = bounds.map((le) => this.#growth((samples) => sum(samples, `${name}_bucket`, { ...labels, le })));
    const quantile = (share: number): number | null => quantileOf(share, bounds, counts);
    return {
      perSecond: this.rate(`${name}_count`, labels),
      p50: quantile(0.5),
      p99: quantile(0.99),
      p999: quantile(0.999),
    };
  }

  get #now(): ReadonlyMap<string, readonly Sample[]> {
    return this.#readings.at(-1)?.samples ?? new Map();
  }

  #growth(read: (samples: Reading['samples']) => number): number {
    return this.#readings.length < 2 ? 0 : read(this.#now) - read(this.#readings[0]!.samples);
  }

  #perSecond(read: (samples: Reading['samples']) => number): number {
    const ms = (this.#readings.at(-1)?.atMs ?? 0) - (this.#readings[0]?.atMs ?? 0);
    return ms === 0 ? 0 : (this.#growth(read) * 1000) / ms;
  }
}

function samplesOf(text: string): Reading['samples'] {
  const samples = new Map<string, Sample[]>();
  for (const [, name, labels, value] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    const of = samples.get(name!) ?? [];
    samples.set(name!, of);
    of.push({ labels: labelsOf(labels ?? ''), value: Number(value) });
  }
  return samples;
}

function labelsOf(text: string): Labels {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, key, value]) => [key, value!.replaceAll(/\\(.)/g, '$1')]));
}

function sum(samples: Reading['samples'], name: string, labels: Labels): number {
  const wanted = Object.entries(labels);
  const those = (samples.get(name) ?? []).filter((each) => wanted.every(([key, text]) => each.labels[key] === text));
  return those.reduce((total, { value }) => total + value, 0);
}

/**
 * Returns a quantile in milliseconds; `share` is 0.99 for the 99th percentile. `bounds` are the buckets' upper bounds
 * in seconds, the last one infinite. `counts` are cumulative, as in Prometheus.
 */
function quantileOf(share: number, bounds: readonly string[], counts: readonly number[]): number | null {
  const all = counts.at(-1) ?? 0;
  if (all <= 0) return null;
  const at = counts.findIndex((count) => count >= share * all);
  const [low, high] = [Number(bounds[at - 1] ?? 0), Number(bounds[at])];
  if (!Number.isFinite(high)) return low * 1000;
  const below = counts[at - 1] ?? 0;
  return (low + ((high - low) * (share * all - below)) / (counts[at]! - below)) * 1000;
}
