// Every metric in one declaration. Read from plain counters when it is scraped: counting costs the request path an
// increment, never a call into a metrics library. A family without samples is left out: it is that of a feature that is
// not on, and a zero in its place would be an answer. Runs on main.
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { ErrorName } from '../errors.js';
import type { LiveCounts } from '../feed/counts.js';
import type { KernelCounters } from '../evm/kernel/shared-counters.js';
import { STRANGER_KINDS, type LiveStatus } from '../feed/status.js';
import type { HttpCounts } from '../http/counters.js';
import type { Histogram } from '../lib/time/histogram.js';
import type { PoolStats } from '../pool/pool.js';
import { versionsBehind } from './readiness.js';
import type { ReplicationStatus } from '../replicas/status.js';
import type { SnapshotState } from '../rpc/view/current-view.js';
import type { NodeReason } from '../rpc/call/node-executions.js';
import type { OwnSends } from '../rpc/call/own-sends.js';
import type { Latency } from '../rpc/answer/latency.js';
import type { PushCounts, TopicCounts } from '../rpc/push/counts.js';
import type { WatchCounts } from '../rpc/watch/watches.js';

/** Sources that the metrics are read from at the time of a scrape. */
export interface MetricSources {
  readonly about: { readonly version: string; readonly chain: string; readonly chainId: string };
  /** Estimator threads. */
  readonly workers: number;
  readonly calls: () => ReadonlyMap<string, number>;
  readonly errors: () => ReadonlyMap<ErrorName, number>;
  readonly latency: Latency;
  /** From a frame of the feed, or a head where no feed is followed, until readers see its state. */
  readonly visible: Histogram;
  readonly http: () => HttpCounts;
  /** Bytes of answers that are being made. */
  readonly answerBytes: () => number;
  readonly push: () => PushCounts;
  /** `null`: no book is kept of transactions that are sent. */
  readonly ownSends: () => Pick<OwnSends, 'counts' | 'onTheWay' | 'times'> | null;
  /** Estimates and calls that are not answered here, by reason. */
  readonly nodeExecutions: () => Readonly<Record<NodeReason, number>>;
  readonly pool: () => PoolStats;
  readonly watches: () => WatchCounts;
  readonly snapshot: () => SnapshotState;
  readonly publisherRestarts: () => number;
  readonly kernel: KernelCounters;
  readonly damagedRecords: () => number;
  /** `null` for a chain that is not a live one. */
  readonly live: () => LiveStatus | null;
  /** `null`: nothing is published or followed. */
  readonly replication: () => ReplicationStatus | null;
  /** The monotonic clock. */
  readonly nowMs: () => number;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [value: number, labels?: Labels];

/** One metric: what it is and how its samples are read. */
interface Metric {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly samples: (sources: MetricSources) => readonly Sample[];
}

/** Times by label, in one histogram. */
interface TimesMetric {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly times: (sources: MetricSources) => readonly (readonly [Histogram, value?: string])[];
}

/** Counters of a live feed: field, metric, help. */
const COUNTED: readonly (readonly [keyof LiveCounts, string, string])[] = [
  ['blocksExecuted', 'blocks_executed', 'Confirmed blocks executed'],
  ['blocksPromoted', 'blocks_promoted', 'Confirmed blocks that had been pre-confirmed as they are'],
  ['blocksByAccessList', 'blocks_by_access_list', 'Confirmed blocks taken by their access lists'],
  ['blocksByPrestate', 'blocks_by_prestate', 'Confirmed blocks taken as diffs of prestateTracer'],
  ['blocksByReplay', 'blocks_by_replay', 'Confirmed blocks taken as diffs of trace_replayBlockTransactions'],
  [
    'accountsDoubted',
    'diff_accounts_doubted',
    'Accounts in diffs that were read again, as a tracer may be wrong there',
  ],
  ['samplesDiffering', 'diff_samples_differing', 'Samples of diffs that read otherwise at the node'],
  ['switchedToDiffs', 'switched_to_diffs', 'Times from which on blocks were taken as diffs, after mismatches alike'],
  ['increments', 'increments', 'Increments executed'],
  ['blocksSlow', 'blocks_slow', 'Confirmed blocks that took longer to execute than is to be expected'],
  ['incrementsSlow', 'increments_slow', 'Increments that took longer to execute than is to be expected'],
  ['blocksGivenUp', 'blocks_given_up', 'Confirmed blocks given up: too slow, or replaced'],
  ['incrementsGivenUp', 'increments_given_up', 'Increments given up: too slow, or replaced'],
  ['fills', 'fills', 'Reads of state that was not held'],
  ['filledKeys', 'filled_keys', 'Accounts and slots read as they were not held'],
  [
    'refusedHints',
    'refused_hints',
    'Accounts and slots that the upstream refused, and that might not have been needed',
  ],
  ['missPasses', 'miss_passes', 'Executions of a block or increment that found state missing'],
  ['gaps', 'gaps', 'Gaps in the news of the upstream or the feed'],
  ['gapsFilled', 'gaps_filled', 'Gaps of the feed that another feed or a late frame has closed'],
  ['blocksForeign', 'foreign_blocks', "Blocks that run code which is not the EVM's"],
  ['mismatches', 'mismatches', "Executions with another result than the chain's"],
  ['reorgs', 'reorgs', 'Confirmed blocks replaced'],
  ['restarts', 'state_restarts', 'States begun anew'],
  ['unknownBlocks', 'unknown_blocks', 'Blocks with a transaction of a type that is not known'],
  ['unknownRules', 'unknown_rules', 'Times from which on the rules of the chain were not known to be right'],
  ['fallbacks', 'fallbacks', 'Pre-confirmed states dropped'],
  ['upstreamFailures', 'upstream_failures', 'Heads and pre-confirmed blocks that could not be followed at first'],
];

/** A metric that only a live chain has. */
const live = where((sources) => sources.live());
/** A metric that only executors that publish and replicas have. */
const replicated = where((sources) => sources.replication());

/** Metrics by the rows of the dashboard. */
const VALUES = {
  Traffic: [
    {
      kind: 'gauge',
      name: 'prestate_info',
      help: '1; version and chain are its labels',
      samples: ({ about: { version, chain, chainId } }) => [[1, { version, chain, chain_id: chainId }]],
    },
    {
      kind: 'counter',
      name: 'prestate_calls_total',
      help: 'Calls answered, by method',
      samples: ({ calls }) => [...calls()].map(([method, count]) => [count, { method }]),
    },
    {
      kind: 'counter',
      name: 'prestate_responses_total',
      help: 'HTTP responses, by status',
      samples: ({ http }) => Object.entries(http().answers).map(([status, count]) => [count, { status }]),
    },
    {
      kind: 'counter',
      name: 'prestate_errors_total',
      help: 'Calls answered with an error, by its name in src/errors.ts',
      samples: ({ errors }) => [...errors()].map(([error, count]) => [count, { error }]),
    },
    {
      kind: 'counter',
      name: 'prestate_node_executions_total',
      help: 'Estimates and calls that are not answered here: foreign, rules and setting are asked of the node, the others refused',
      samples: ({ nodeExecutions }) => Object.entries(nodeExecutions()).map(([reason, count]) => [count, { reason }]),
    },
    counter('prestate_requests_aborted_total', 'Requests whose client went away', ({ http }) => http().aborted),
    counter('prestate_received_bytes_total', 'Bytes of bodies received', ({ http }) => http().bytesIn),
    counter('prestate_sent_bytes_total', 'Bytes of bodies sent', ({ http }) => http().bytesOut),
    gauge('prestate_requests_in_flight', 'Requests that wait for an answer', ({ http }) => http().inFlight),
    gauge('prestate_unsent_bytes', 'Bytes of answers kept for slow readers', ({ http }) => http().unsentBytes),
    gauge('prestate_answer_bytes', 'Bytes of answers that are being made', ({ answerBytes }) => answerBytes()),
    gauge('prestate_websockets', 'Open WebSockets', ({ http }) => http().socketsOpen),
    counter('prestate_websocket_messages_total', 'WebSocket messages received', ({ http }) => http().socketMessages),
    counter('prestate_slow_readers_total', 'Connections closed for not reading', ({ http }) => http().slowReaders),
    counter(
      'prestate_full_turns_total',
      'Turns of the event loop that ended with connections waiting',
      ({ http }) => http().fullTurns,
    ),
    counter(
      'prestate_accept_pauses_total',
      'Pauses in accepting connections for want of file descriptors',
      ({ http }) => http().acceptPauses,
    ),
    gauge(
      'prestate_guard_buffer_bytes',
      'Bytes that were read and wait to be passed on',
      ({ http }) => http().bufferBytes,
    ),
    counter(
      'prestate_guard_buffer_refusals_total',
      'Requests and connections refused as too many bytes waited to be passed on',
      ({ http }) => http().bufferRefusals,
    ),
  ],
  Subscriptions: [
    byTopic('gauge', 'prestate_subscriptions', 'Open subscriptions', 'open'),
    byTopic('gauge', 'prestate_filters', 'Filters of clients that poll', 'filters'),
    byTopic('counter', 'prestate_pushed_messages_total', 'Messages sent to subscribers', 'pushed'),
    byTopic('counter', 'prestate_skipped_messages_total', 'Messages left out for slow readers', 'skipped'),
    {
      kind: 'counter',
      name: 'prestate_subscribers_closed_total',
      help: 'Connections closed as they could not be told all, by reason',
      samples: ({ push }) => Object.entries(push().closed).map(([reason, count]) => [count, { reason }]),
    },
    counter('prestate_resumes_total', 'Subscriptions that resumed from the past', ({ push }) => push().resumed),
  ],
  'Estimates and calls': [
    gauge('prestate_jobs_queued', 'Estimates and calls that wait for a worker', ({ pool }) => pool().queued),
    {
      kind: 'gauge',
      name: 'prestate_jobs_waiting',
      help: 'Estimates and calls that wait for a worker, by the cost that is expected',
      samples: ({ pool }) => Object.entries(pool().waiting).map(([name, count]) => [count, { class: name }]),
    },
    gauge('prestate_jobs_running', 'Estimates and calls at a worker', ({ pool }) => pool().running),
    counter('prestate_jobs_completed_total', 'Estimates and calls answered', ({ pool }) => pool().completed),
    {
      kind: 'counter',
      name: 'prestate_jobs_refused_total',
      help: 'Estimates and calls refused for overload, by reason',
      samples: ({ pool }) => Object.entries(pool().refused).map(([reason, count]) => [count, { reason }]),
    },
    counter('prestate_jobs_merged_total', 'Jobs that shared the answer of an equal one', ({ pool }) => pool().merged),
    counter('prestate_jobs_cancelled_total', 'Jobs nobody waited for any more', ({ pool }) => pool().cancelled),
    counter('prestate_tasks_total', 'Tasks sent to workers', ({ pool }) => pool().tasks),
    counter('prestate_task_jobs_total', 'Jobs sent in tasks', ({ pool }) => pool().taskJobs),
    counter('prestate_worker_crashes_total', 'Workers that died', ({ pool }) => pool().crashes),
    counter('prestate_worker_kills_total', 'Workers killed because a job did not end', ({ pool }) => pool().kills),
    gauge('prestate_workers', 'Estimator threads', ({ workers }) => workers),
  ],
  'Own transactions': [
    {
      kind: 'gauge',
      name: 'prestate_sends_on_the_way',
      help: 'Transactions that went through here and count towards the nonce at pending',
      samples: ({ ownSends }) => {
        const sends = ownSends();
        return sends === null ? [] : [[sends.onTheWay]];
      },
    },
    {
      kind: 'counter',
      name: 'prestate_sends_total',
      help: 'Fates of transactions that went through here, as prestate_sends tells them',
      samples: ({ ownSends }) => Object.entries(ownSends()?.counts ?? {}).map(([status, count]) => [count, { status }]),
    },
  ],
  'Watched calls': [
    gauge('prestate_watched_calls', 'Distinct calls that are watched', ({ watches }) => watches().calls),
    gauge('prestate_watched_keys', 'Accounts and slots that watched calls have read', ({ watches }) => watches().names),
    counter('prestate_watch_runs_total', 'Runs of watched calls', ({ watches }) => watches().runs),
    counter(
      'prestate_watch_runs_vain_total',
      'Runs of watched calls that have to be made again',
      ({ watches }) => watches().vain,
    ),
  ],
  EVM: [
    counter('prestate_kernel_executions_total', 'Messages given to the kernel', (s) => s.kernel.count('executions')),
    {
      kind: 'counter',
      name: 'prestate_kernel_fallbacks_total',
      help: 'Messages that @ethereumjs/evm executed in the place of the kernel, by reason',
      samples: ({ kernel }) => kernel.fallbacks().map(([reason, count]) => [count, { reason: reasonLabel(reason) }]),
    },
    counter('prestate_kernel_compiled_traces_total', 'Paths through code compiled to WebAssembly', (s) =>
      s.kernel.count('traces'),
    ),
    counter('prestate_kernel_checks_total', 'Answers compared with the reference', (s) => s.kernel.count('checks')),
    counter('prestate_kernel_checks_skipped_total', 'Comparisons with the reference given up', (s) =>
      s.kernel.count('skipped'),
    ),
    counter('prestate_kernel_mismatches_total', 'Answers that differed from those of the reference', (s) =>
      s.kernel.count('mismatches'),
    ),
    gauge('prestate_kernel_distrusted_codes', 'Codes that the kernel is not to run', (s) => s.kernel.denylisted),
  ],
  State: [
    gauge('prestate_snapshot_version', 'Newest version', ({ snapshot }) => snapshot().version),
    gauge('prestate_snapshot_block', 'Block of the newest version', ({ snapshot }) => snapshot().block),
    gauge(
      'prestate_snapshot_increment',
      'Increment of the newest version in its block',
      ({ snapshot }) => snapshot().index,
    ),
    gauge(
      'prestate_snapshot_head_block',
      'Newest confirmed block in the newest version',
      ({ snapshot }) => snapshot().head,
    ),
    gauge('prestate_snapshot_age_seconds', 'Age of the newest version', ({ snapshot }) => snapshot().ageMs / 1000),
    gauge('prestate_table_bytes', 'Size of the shared table', ({ snapshot }) => snapshot().tableBytes),
    gauge(
      'prestate_table_generation',
      'Number of the table among those of the present state',
      (s) => s.snapshot().generation,
    ),
    {
      kind: 'gauge',
      name: 'prestate_table_entries',
      help: 'Accounts and slots in the table',
      samples: ({ snapshot }) => {
        const { accounts, slots } = snapshot().usage;
        return [
          [accounts, { kind: 'account' }],
          [slots, { kind: 'slot' }],
        ];
      },
    },
    counter('prestate_table_evictions_total', 'Entries given up for others', (s) => s.snapshot().usage.evictions),
    counter('prestate_table_misses_total', 'Accounts and slots read that were not held', (s) => s.snapshot().misses),
    counter(
      'prestate_table_stalls_total',
      'Copies of the table that were waited for',
      (s) => s.snapshot().usage.stalls,
    ),
    counter(
      'prestate_table_rebuilds_total',
      'Copies of the table at once for another hash key or after a failure',
      (s) => s.snapshot().usage.rebuilds,
    ),
    gauge(
      'prestate_table_slice_seconds',
      'Longest slice of growth and clean-up',
      (s) => s.snapshot().usage.sliceMsMax / 1000,
    ),
    gauge('prestate_oldest_pin_seconds', 'Age of the oldest pin', ({ snapshot }) => snapshot().oldestPinAgeMs / 1000),
    counter('prestate_publisher_restarts_total', 'Publishers that died and were replaced', (s) =>
      s.publisherRestarts(),
    ),
    counter('prestate_archive_damaged_records_total', 'Damaged records read', ({ damagedRecords }) => damagedRecords()),
  ],
  'Upstream and feed': [
    live('gauge', 'upstream_head_block', "The upstream's newest block", ({ upstreamHead }) => upstreamHead),
    live('gauge', 'head_block', 'Newest confirmed block here', ({ head }) => head),
    live(
      'gauge',
      'head_age_seconds',
      'Time since the upstream told of a new head',
      ({ headAtMs }, now) => (now - headAtMs) / 1000,
    ),
    live('gauge', 'executing_seconds', 'Execution time of the block or increment at hand', executingSeconds),
    live('gauge', 'block_seconds', 'Execution time of the newest confirmed block', (s) => s.newestMs.block / 1000),
    live('gauge', 'increment_seconds', 'Execution time of the newest increment', (s) => s.newestMs.increment / 1000),
    live(
      'gauge',
      'warm_share',
      'Share of recent accounts and slots held again since the start',
      ({ warmth }) => warmth,
    ),
    {
      kind: 'gauge',
      name: 'prestate_unknown_things',
      help: 'Things of the chain that are not known: forks, precompiles, system contracts, header fields, transaction types',
      samples: ({ live: status }) => strangerSamples(status()),
    },
    live('gauge', 'feed_age_seconds', 'Time since the feed told of something; -1 without a feed', feedAge),
    ...COUNTED.map(([name, metric, help]) => live('counter', `${metric}_total`, help, ({ counts }) => counts[name])),
    live(
      'counter',
      'upstream_requests_total',
      'JSON-RPC requests to the upstream',
      ({ upstream }) => upstream.requests,
    ),
    live(
      'counter',
      'upstream_round_trips_total',
      'HTTP requests to the upstream',
      ({ upstream }) => upstream.roundTrips,
    ),
    live('counter', 'upstream_retries_total', 'HTTP requests repeated', ({ upstream }) => upstream.retries),
    live(
      'counter',
      'upstream_refused_total',
      'JSON-RPC requests not sent to a silent upstream',
      (s) => s.upstream.refused,
    ),
    live(
      'gauge',
      'upstream_silence_seconds',
      'Time without an answer of the upstream',
      ({ upstreamSilentSinceMs }, now) => (upstreamSilentSinceMs === null ? 0 : (now - upstreamSilentSinceMs) / 1000),
    ),
    live(
      'counter',
      'upstream_reconnects_total',
      'WebSockets to the upstream lost',
      ({ upstream }) => upstream.reconnects,
    ),
  ],
  Replicas: [
    replicated('gauge', 'replication_leads', '1 if this executor leads, else 0', ({ holdsLease }) =>
      Number(holdsLease),
    ),
    replicated('gauge', 'replication_connected', '1 if the NATS server is connected, else 0', (s) =>
      Number(s.isConnected),
    ),
    replicated('gauge', 'replication_epoch', 'Epoch of the newest version', ({ epoch }) => epoch),
    replicated(
      'gauge',
      'replication_version',
      'Newest version, by the numbers of the executor',
      ({ version }) => version,
    ),
    replicated(
      'gauge',
      'replication_waiting_versions',
      'Versions that are not sent, or not applied yet; -1: not known, as the executor is not heard of',
      (s, now) => (isUnknownBehind(s, now) ? -1 : s.waiting),
    ),
    replicated(
      'gauge',
      'replication_lag_seconds',
      'Wait of the oldest version that is not sent, or not applied yet; -1: not known, as the executor is not heard of',
      (s, now) => (isUnknownBehind(s, now) ? -1 : s.lagMs / 1000),
    ),
    replicated(
      'gauge',
      'replication_silence_seconds',
      'Time since the executor was heard of; -1: not since the server is connected, or it is this one',
      (s, now) => {
        return s.heardAtMs === null ? -1 : (now - s.heardAtMs) / 1000;
      },
    ),
    replicated('counter', 'replication_versions_total', 'Versions sent, or applied', ({ counts }) => counts.versions),
    replicated('counter', 'replication_bytes_total', 'Bytes of versions in the stream', ({ counts }) => counts.bytes),
    replicated('counter', 'replication_epochs_total', 'Epochs begun or taken over', ({ counts }) => counts.epochs),
    replicated(
      'counter',
      'replication_snapshots_total',
      'Snapshots stored or loaded',
      ({ counts }) => counts.snapshots,
    ),
    replicated(
      'counter',
      'replication_catch_ups_total',
      'Times that a replica had to catch up',
      ({ counts }) => counts.catchUps,
    ),
    replicated(
      'counter',
      'replication_damaged_total',
      'Messages that could not be read',
      ({ counts }) => counts.damaged,
    ),
    replicated(
      'counter',
      'replication_overflows_total',
      'Times that the queue before the server was full',
      (s) => s.counts.overflows,
    ),
  ],
} satisfies Readonly<Record<string, readonly Metric[]>>;

const METRICS: readonly Metric[] = Object.values(VALUES).flat();

const TIMES: readonly TimesMetric[] = [
  {
    name: 'prestate_request_seconds',
    help: 'Time from the whole body until the transport has the answer; a body by its method, or as batch, refused or other',
    label: 'method',
    times: ({ latency }) => [...latency.requests].map(([method, times]) => [times, method]),
  },
  {
    name: 'prestate_stage_seconds',
    help: 'Time of stages: decode, read and answer of every body on main; queue, execution and return of every job',
    label: 'stage',
    times: ({ latency, pool }) => {
      const { decode, read, answer } = latency.stages;
      const { queue, execution, return: back } = pool().times;
      const all = { decode, read, queue, execution, return: back, answer };
      return Object.entries(all).map(([stage, times]) => [times, stage]);
    },
  },
  {
    name: 'prestate_feed_to_visible_seconds',
    help: 'Time from a frame of the feed, or a head where no feed is followed, until readers see its state',
    times: ({ visible }) => [[visible]],
  },
  {
    name: 'prestate_send_seconds',
    help: 'Time from the handing in of a transaction that went through here until it is pre-confirmed, and confirmed',
    label: 'status',
    times: ({ ownSends }) => Object.entries(ownSends()?.times ?? {}).map(([status, times]) => [times, status]),
  },
];

/** The label keeps the word that dashboards know. */
function reasonLabel(reason: string): string {
  return reason === 'denylisted' ? 'distrusted' : reason;
}

function gauge(name: string, help: string, read: (sources: MetricSources) => number): Metric {
  return { kind: 'gauge', name, help, samples: (sources) => [[read(sources)]] };
}

function counter(name: string, help: string, read: (sources: MetricSources) => number): Metric {
  return { kind: 'counter', name, help, samples: (sources) => [[read(sources)]] };
}

/** Metric of subscriptions, a sample a topic. */
function byTopic(kind: Metric['kind'], name: string, help: string, count: keyof TopicCounts): Metric {
  const samples = ({ push }: MetricSources): readonly Sample[] =>
    [...push().topics].map(([topic, counts]) => [counts[count], { topic }]);
  return { kind, name, help, samples };
}

/** Makes metrics that are there only where `sourceOf` has a status. */
function where<Status>(sourceOf: (sources: MetricSources) => Status | null) {
  return (
    kind: Metric['kind'],
    name: string,
    help: string,
    read: (status: Status, nowMs: number) => number,
  ): Metric => {
    const samples = (sources: MetricSources): readonly Sample[] => {
      const status = sourceOf(sources);
      return status === null ? [] : [[read(status, sources.nowMs())]];
    };
    return { kind, name: `prestate_${name}`, help, samples };
  };
}

/** Each kind, so that a rate has a zero to begin at. */
function strangerSamples(status: LiveStatus | null): readonly Sample[] {
  if (status === null) return [];
  return STRANGER_KINDS.map((kind) => [status.strangers.filter((each) => each.kind === kind).length, { kind }]);
}

/** The publisher may be too busy to report. */
function executingSeconds({ executing, atMs }: LiveStatus, nowMs: number): number {
  return executing === null ? 0 : (executing.executedMs + nowMs - atMs) / 1000;
}

function isUnknownBehind(status: ReplicationStatus, nowMs: number): boolean {
  return versionsBehind(status, nowMs) === 'unknown';
}

function feedAge({ feedAtMs }: LiveStatus, nowMs: number): number {
  return feedAtMs === null ? -1 : (nowMs - feedAtMs) / 1000;
}

/** Name, kind and help of every metric of our own, by the rows of the dashboard. */
export const METRIC_ROWS: Readonly<Record<string, readonly { name: string; help: string; kind?: Metric['kind'] }[]>> = {
  ...VALUES,
  Latency: TIMES,
};

/** Media type of the text. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Makes the text that `/metrics` shows (Prometheus, text format 0.0.4), with the process's own metrics. */
export function createMetrics(sources: MetricSources): () => Promise<string> {
  const own = processMetrics();
  return async () => {
    const families = [
      ...METRICS.map((each) => valuesText(each, sources)),
      ...TIMES.map((each) => timesText(each, sources)),
    ];
    return families.join('') + (await own.metrics());
  };
}

/** Names of all metrics, those of the process included. */
export function metricNames(): readonly string[] {
  const own = processMetrics().getMetricsAsArray();
  return [...METRICS, ...TIMES, ...own].map(({ name }) => name);
}

function processMetrics(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}

function valuesText({ name, kind, help, samples }: Metric, sources: MetricSources): string {
  const lines = samples(sources).map(([value, labels = {}]) => line(name, labels, value));
  return familyText(name, kind, help, lines);
}

/** In seconds, as Prometheus has them: every bound with all below it. */
function timesText({ name, help, label, times }: TimesMetric, sources: MetricSources): string {
  const lines = times(sources).flatMap(([histogram, value = '']) => {
    const labels: Labels = label === undefined ? {} : { [label]: value };
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

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text.replaceAll(/[\\"\n]/g, escaped)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

function escaped(character: string): string {
  return character === '\n' ? String.raw`\n` : `\\${character}`;
}
