// How the program fares, for the status page: one JSON text. Runs on main.
import type { Readiness } from './http/health.js';
import type { LiveStatus, PoolStatus, Quantiles, StatusMessage, Times, TrafficStatus } from './http/status/message.js';
import type { Histogram } from './lib/histogram.js';
import { LIMITS } from './limits.js';
import type { MetricSources } from './metrics.js';

/** What is shown: nothing that `/metrics`, `/readyz` and the headers of an answer do not tell. */
export interface StatusSources extends MetricSources {
  readonly version: string;
  readonly chain: { readonly id: string; readonly name: string };
  readonly workers: number;
  readonly readiness: () => Readiness;
  /** Of the process, milliseconds. */
  readonly uptimeMs: () => number;
  readonly memory: () => { readonly rss: number; readonly heapUsed: number };
}

/** What a span of time is measured against. */
interface Earlier {
  readonly atMs: number;
  readonly times: ReadonlyMap<string, Histogram>;
  readonly counts: Readonly<Record<string, number>>;
}

/** Rates and quantiles are those since the text before; after a rest a first one has none. */
export class Status {
  readonly #sources: StatusSources;
  #earlier: Earlier | null = null;

  constructor(sources: StatusSources) {
    this.#sources = sources;
  }

  /** How it is now. */
  text(): string {
    const { version, chain, readiness, uptimeMs } = this.#sources;
    const now = this.#taken();
    const span = new Span(this.#earlier, now);
    this.#earlier = now;
    const message: StatusMessage = {
      version,
      chain,
      ...readiness(),
      uptimeMs: uptimeMs(),
      pending: this.#pending(),
      live: this.#live(span),
      traffic: this.#traffic(span),
      pool: this.#pool(span),
      ...this.#memory(),
      kernel: this.#kernel(span),
      methods: span.rows('method'),
      stages: span.rows('stage'),
    };
    return JSON.stringify(message);
  }

  #taken(): Earlier {
    const { latency, pool, visible, calls, errors, kernel, nowMs } = this.#sources;
    const { decode, read, answer } = latency.stages;
    const { times, completed, refused } = pool();
    const stages = { decode, read, queue: times.queue, execution: times.execution, return: times.return, answer };
    const named = [
      ...[...latency.requests].map(([name, each]) => [`method ${name}`, each] as const),
      ...Object.entries(stages).map(([name, each]) => [`stage ${name}`, each] as const),
      ['visible', visible] as const,
    ];
    return {
      atMs: nowMs(),
      times: new Map(named.map(([name, each]) => [name, each.copy()])),
      counts: {
        calls: sum(calls().values()),
        errors: sum(errors().values()),
        completed,
        refused: sum(Object.values(refused)),
        executions: kernel.count('executions'),
      },
    };
  }

  #pending(): StatusMessage['pending'] {
    const { block, index, head, version, ageMs } = this.#sources.snapshot();
    return { block, index, head, version, ageMs };
  }

  #live(span: Span): LiveStatus | null {
    const { live, nowMs } = this.#sources;
    const status = live();
    if (status === null) return null;
    const { counts, upstreamHead, head, headAtMs, feedAtMs, upstreamSilentSinceMs: silentSinceMs } = status;
    const { gaps, reorgs, restarts, mismatches } = counts;
    return {
      upstreamHead,
      head,
      headAgeMs: nowMs() - headAtMs,
      feedAgeMs: feedAtMs === null ? null : nowMs() - feedAtMs,
      silentMs: silentSinceMs === null ? 0 : nowMs() - silentSinceMs,
      visible: quantiles(span.times('visible')),
      gaps,
      reorgs,
      restarts,
      mismatches,
    };
  }

  #traffic(span: Span): TrafficStatus {
    const { inFlight, socketsOpen: websockets } = this.#sources.http();
    const all = span.together('method');
    return {
      requestsPerSecond: span.perSecond(all?.count ?? 0),
      callsPerSecond: span.rate('calls'),
      errorsPerSecond: span.rate('errors'),
      ...quantiles(all),
      inFlight,
      websockets,
    };
  }

  #pool(span: Span): PoolStatus {
    const { pool, workers } = this.#sources;
    const { queued, running, refused, crashes, kills } = pool();
    const rates = { completedPerSecond: span.rate('completed'), refusedPerSecond: span.rate('refused') };
    return { workers, queued, running, ...rates, refused, crashes, kills };
  }

  #memory(): Pick<StatusMessage, 'memory' | 'table'> {
    const { memory, snapshot } = this.#sources;
    const { rss: residentBytes, heapUsed: heapBytes } = memory();
    const { tableBytes: bytes, usage, misses } = snapshot();
    const { accounts, slots, evictions } = usage;
    return { memory: { residentBytes, heapBytes }, table: { bytes, accounts, slots, evictions, misses } };
  }

  #kernel(span: Span): StatusMessage['kernel'] {
    const { kernel } = this.#sources;
    return {
      executionsPerSecond: span.rate('executions'),
      fallbacks: sum(kernel.fallbacks().map(([, count]) => count)),
      checks: kernel.count('checks'),
      mismatches: kernel.count('mismatches'),
      distrusted: kernel.denylisted,
    };
  }
}

/** What happened between two moments. */
class Span {
  readonly #earlier: Earlier | null;
  readonly #now: Earlier;

  /** An `earlier` of too long ago is none: an average of an hour says nothing of now. */
  constructor(earlier: Earlier | null, now: Earlier) {
    this.#earlier = earlier !== null && now.atMs - earlier.atMs <= LIMITS.statusSpanMsMax ? earlier : null;
    this.#now = now;
  }

  /** A count of this span, by second. */
  perSecond(count: number): number {
    const ms = this.#earlier === null ? 0 : this.#now.atMs - this.#earlier.atMs;
    return ms === 0 ? 0 : (count * 1000) / ms;
  }

  /** How fast a counter grows. */
  rate(name: string): number {
    return this.perSecond(this.#now.counts[name]! - (this.#earlier?.counts[name] ?? 0));
  }

  /** The times of this span; `null` where it has none. */
  times(name: string): Histogram | null {
    const now = this.#now.times.get(name);
    if (this.#earlier === null || now === undefined) return null;
    const before = this.#earlier.times.get(name);
    return before === undefined ? now : now.since(before);
  }

  /** Everything of a kind, by name. */
  rows(kind: string): readonly Times[] {
    return this.#names(kind).map((name) => {
      const times = this.times(name);
      return { name: name.slice(kind.length + 1), perSecond: this.perSecond(times?.count ?? 0), ...quantiles(times) };
    });
  }

  /** All times of a kind as one. */
  together(kind: string): Histogram | null {
    return this.#names(kind).reduce<Histogram | null>((all, name) => {
      const times = this.times(name);
      return all === null || times === null ? (all ?? times) : all.with(times);
    }, null);
  }

  #names(kind: string): readonly string[] {
    return [...this.#now.times.keys()].filter((name) => name.startsWith(`${kind} `));
  }
}

function quantiles(times: Histogram | null): Quantiles {
  return {
    p50Ms: times?.quantileMs(0.5) ?? null,
    p99Ms: times?.quantileMs(0.99) ?? null,
    p999Ms: times?.quantileMs(0.999) ?? null,
  };
}

function sum(values: Iterable<number>): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}
