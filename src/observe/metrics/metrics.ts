// Renders `/metrics`. Values are read from plain counters when they are scraped, so that counting costs the request
// path one increment and no call of a metrics library. A metric without samples is left out: its feature is off, and a
// zero would mislead.
import { Registry, collectDefaultMetrics } from 'prom-client';
import { EXECUTION_METRICS } from './execution.table.js';
import { FEED_METRICS } from './feed.table.js';
import type { MetricLabels, Metric, MetricSources, DurationMetric } from './metric-definition.js';
import { REPLICA_METRICS } from './replicas.table.js';
import { SERVING_METRICS } from './serving.table.js';
import { DURATION_METRICS } from './durations.table.js';

const VALUES = { ...SERVING_METRICS, ...EXECUTION_METRICS, ...FEED_METRICS, ...REPLICA_METRICS };
const METRICS: readonly Metric[] = Object.values(VALUES).flat();

/** Name, kind and help text of every metric of this program, by the rows of the dashboard. */
export const METRICS_BY_DASHBOARD_ROW: Readonly<
  Record<string, readonly { name: string; help: string; kind?: Metric['kind'] }[]>
> = {
  ...VALUES,
  Latency: DURATION_METRICS,
};

/** Media type of the `/metrics` response. */
export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Creates the function that renders `/metrics` (Prometheus, text format 0.0.4) with the process's metrics. */
export function createMetrics(sources: MetricSources): () => Promise<string> {
  const own = processMetrics();
  return async () => {
    const families = [
      ...METRICS.map((each) => valuesText(each, sources)),
      ...DURATION_METRICS.map((each) => timesText(each, sources)),
    ];
    return families.join('') + (await own.metrics());
  };
}

/** Names of all metrics, including those of the Node.js process. */
export function metricNames(): readonly string[] {
  const own = processMetrics().getMetricsAsArray();
  return [...METRICS, ...DURATION_METRICS, ...own].map(({ name }) => name);
}

/**
 * Gauges of the Node.js process whose names end in `_total` like counters. They are left out: `nodejs_active_resources`
 * and others have the same values by kind.
 */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

function processMetrics(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const name of MISNAMED) register.removeSingleMetric(name);
  return register;
}

function valuesText({ name, kind, help, samples }: Metric, sources: MetricSources): string {
  const lines = samples(sources).map(([value, labels = {}]) => line(name, labels, value));
  return familyText(name, kind, help, lines);
}

/** Renders a histogram as text: cumulative counts by upper bound, in seconds, as Prometheus expects. */
function timesText({ name, help, label, times }: DurationMetric, sources: MetricSources): string {
  const lines = times(sources).flatMap(([histogram, value = '']) => {
    const labels: MetricLabels = label === undefined ? {} : { [label]: value };
    const { count, sumMs } = histogram;
    return [
      ...histogram.bounds().map(([ms, below]) => line(`${name}_bucket`, { ...labels, le: `${ms / 1000}` }, below)),
      line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
      line(`${name}_sum`, labels, sumMs / 1000),
      line(`${name}_count`, labels, count),
    ];
  });
  return familyText(name, 'histogram', help, lines);
}

function familyText(name: string, kind: string, help: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}\n`;
}

function line(name: string, labels: MetricLabels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text.replaceAll(/[\\"\n]/g, escaped)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

function escaped(character: string): string {
  return character === '\n' ? String.raw`\n` : `\\${character}`;
}
