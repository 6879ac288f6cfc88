// Every metric in one declaration. Read from plain counters when it is scraped: counting costs the request path an
// increment, never a call into a metrics library. Runs on main.
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { DoorCounters } from './http/door.js';
import type { PoolStats } from './pool/pool.js';

/** What the metrics are read from at the time of a scrape. */
export interface MetricSources {
  readonly calls: () => ReadonlyMap<string, number>;
  readonly door: () => DoorCounters;
  readonly pool: () => PoolStats;
  /** `null` before the first version. */
  readonly snapshot: () => { readonly version: number; readonly block: number; readonly ageMs: number } | null;
  readonly table: () => { readonly bytes: number; readonly generation: number; readonly oldestPinAgeMs: number };
  readonly publisherRestarts: () => number;
}

type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>];

/** One metric: what it is and how its samples are read. */
interface Metric {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly samples: (sources: MetricSources) => readonly Sample[];
}

const METRICS: readonly Metric[] = [
  {
    kind: 'counter',
    name: 'prestate_calls_total',
    help: 'Calls answered, by method',
    label: 'method',
    samples: ({ calls }) => [...calls()].map(([method, count]) => [count, { method }]),
  },
  {
    kind: 'counter',
    name: 'prestate_responses_total',
    help: 'HTTP responses, by status',
    label: 'status',
    samples: ({ door }) => Object.entries(door().statuses).map(([status, count]) => [count, { status }]),
  },
  gauge('prestate_connections', 'Open connections', ({ door }) => door().connections),
  counter('prestate_requests_aborted_total', 'Requests whose client went away', ({ door }) => door().aborted),
  counter('prestate_received_bytes_total', 'Bytes of bodies received', ({ door }) => door().bytesIn),
  counter('prestate_sent_bytes_total', 'Bytes of bodies sent', ({ door }) => door().bytesOut),
  gauge('prestate_jobs_queued', 'Estimates and calls that wait for a worker', ({ pool }) => pool().queued),
  gauge('prestate_jobs_running', 'Estimates and calls at a worker', ({ pool }) => pool().running),
  counter('prestate_jobs_completed_total', 'Estimates and calls answered', ({ pool }) => pool().completed),
  counter('prestate_jobs_refused_total', 'Estimates and calls refused for overload', ({ pool }) => pool().refused),
  counter('prestate_jobs_merged_total', 'Jobs that shared the answer of an equal one', ({ pool }) => pool().merged),
  counter('prestate_jobs_cancelled_total', 'Jobs nobody waited for any more', ({ pool }) => pool().cancelled),
  counter('prestate_tasks_total', 'Tasks sent to workers', ({ pool }) => pool().tasks),
  counter('prestate_task_jobs_total', 'Jobs sent in tasks', ({ pool }) => pool().taskJobs),
  counter('prestate_worker_crashes_total', 'Workers that died', ({ pool }) => pool().crashes),
  counter('prestate_worker_kills_total', 'Workers killed because a job did not end', ({ pool }) => pool().kills),
  gauge('prestate_snapshot_version', 'Newest version', ({ snapshot }) => snapshot()?.version ?? 0),
  gauge('prestate_snapshot_block', 'Block of the newest version', ({ snapshot }) => snapshot()?.block ?? 0),
  gauge('prestate_snapshot_age_seconds', 'Age of the newest version', ({ snapshot }) => (snapshot()?.ageMs ?? 0) / 1000),
  gauge('prestate_table_bytes', 'Size of the shared table', ({ table }) => table().bytes),
  gauge('prestate_table_generation', 'Times the table was rebuilt', ({ table }) => table().generation),
  gauge('prestate_oldest_pin_seconds', 'Age of the oldest pin', ({ table }) => table().oldestPinAgeMs / 1000),
  counter('prestate_publisher_restarts_total', 'Publishers that died and were replaced', (s) => s.publisherRestarts()),
];

function gauge(name: string, help: string, read: (sources: MetricSources) => number): Metric {
  return { kind: 'gauge', name, help, samples: (sources) => [[read(sources)]] };
}

function counter(name: string, help: string, read: (sources: MetricSources) => number): Metric {
  return { kind: 'counter', name, help, samples: (sources) => [[read(sources)]] };
}

/** The registry that `/metrics` shows, with the process's own metrics. */
export function createMetrics(sources: MetricSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of METRICS) register(registry, metric, sources);
  return registry;
}

function register(registry: Registry, metric: Metric, sources: MetricSources): void {
  const { name, help, label } = metric;
  const options = { name, help, registers: [registry], labelNames: label === undefined ? [] : [label] };
  if (metric.kind === 'gauge') {
    new Gauge({
      ...options,
      collect() {
        for (const [value, labels] of metric.samples(sources)) this.set(labels ?? {}, value);
      },
    });
  } else {
    new Counter({
      ...options,
      collect() {
        this.reset();
        for (const [value, labels] of metric.samples(sources)) this.inc(labels ?? {}, value);
      },
    });
  }
}
