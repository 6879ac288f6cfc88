// Defines what a metric is, and the sources from which all metrics are read.
import type { ErrorName } from '../../rpc-errors.js';
import type { KernelCounters } from '../../evm/kernel/kernel-counters-and-code-denylist.js';
import type { LiveStatus } from '../../feed/live-status.js';
import type { HttpCounts } from '../../http/http-counters.js';
import type { Histogram } from '../../lib/histogram.js';
import type { PoolStats } from '../../pool/pool-counters.js';
import type { ReplicationStatus } from '../../replicas/replication-status.js';
import type { RequestLatency } from '../../rpc/answer/request-latency.js';
import type { NotLocalReason } from '../../rpc/call/executions-at-upstream.js';
import type { SubmittedTransactionTracker } from '../../rpc/call/submitted-transaction-tracker.js';
import type { PushCounts, TopicCounts } from '../../rpc/push/push-counts.js';
import type { CurrentViewInfo } from '../../rpc/view/current-table-view.js';
import type { WatchCounts } from '../../rpc/watch/watched-call-topic.js';

/** Where the values of metrics are read when they are scraped. */
export interface MetricSources {
  readonly about: { readonly version: string; readonly chain: string; readonly chainId: string };
  /** Number of estimator threads. */
  readonly workers: number;
  readonly calls: () => ReadonlyMap<string, number>;
  readonly errors: () => ReadonlyMap<ErrorName, number>;
  readonly latency: RequestLatency;
  /**
   * Histogram of the time from the arrival of a feed message until its state can be read. If no feed is followed, the
   * time starts with the arrival of a block header from the node.
   */
  readonly visible: Histogram;
  readonly http: () => HttpCounts;
  /** Returns the bytes of the responses that are being built. */
  readonly answerBytes: () => number;
  readonly push: () => PushCounts;
  /** Returns the tracked transactions; `null` if submitted transactions are not tracked. */
  readonly ownSends: () => Pick<SubmittedTransactionTracker, 'counts' | 'size' | 'times'> | null;
  /** Counts of estimates and calls that were forwarded to the node, by reason. */
  readonly nodeExecutions: () => Readonly<Record<NotLocalReason, number>>;
  readonly pool: () => PoolStats;
  readonly watches: () => WatchCounts;
  readonly snapshot: () => CurrentViewInfo;
  readonly publisherRestarts: () => number;
  readonly kernel: KernelCounters;
  readonly damagedRecords: () => number;
  /** Returns the status of the live chain; `null` on any other chain. */
  readonly live: () => LiveStatus | null;
  /** Returns the status of publishing or replicating; `null` if neither is configured. */
  readonly replication: () => ReplicationStatus | null;
  /** Returns the monotonic time in milliseconds. */
  readonly nowMs: () => number;
}

/** Names and values of the labels of one sample. */
export type MetricLabels = Readonly<Record<string, string>>;
export type MetricSample = readonly [value: number, labels?: MetricLabels];

/** A metric's name, kind and help, and the function that reads its samples. */
export interface Metric {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly samples: (sources: MetricSources) => readonly MetricSample[];
}

export interface DurationMetric {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly times: (sources: MetricSources) => readonly (readonly [Histogram, value?: string])[];
}

/** Creates a gauge with one sample. */
export function gaugeMetric(name: string, help: string, read: (sources: MetricSources) => number): Metric {
  return { kind: 'gauge', name, help, samples: (sources) => [[read(sources)]] };
}

/** Creates a counter with one sample. */
export function counterMetric(name: string, help: string, read: (sources: MetricSources) => number): Metric {
  return { kind: 'counter', name, help, samples: (sources) => [[read(sources)]] };
}

/** Creates a metric about subscriptions, with one sample for each topic. */
export function createMetricPerTopic(
  kind: Metric['kind'],
  name: string,
  help: string,
  count: keyof TopicCounts,
): Metric {
  const samples = ({ push }: MetricSources): readonly MetricSample[] =>
    [...push().topics].map(([topic, counts]) => [counts[count], { topic }]);
  return { kind, name, help, samples };
}

/** Returns a function that creates metrics which have a sample only if `sourceOf` returns a status. */
export function conditionalMetricFactory<Status>(sourceOf: (sources: MetricSources) => Status | null) {
  return (
    kind: Metric['kind'],
    name: string,
    help: string,
    read: (status: Status, nowMs: number) => number,
  ): Metric => {
    const samples = (sources: MetricSources): readonly MetricSample[] => {
      const status = sourceOf(sources);
      return status === null ? [] : [[read(status, sources.nowMs())]];
    };
    return { kind, name: `prestate_${name}`, help, samples };
  };
}
