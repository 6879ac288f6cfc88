// Metric sources of a program that has served some requests, for tests of the metrics output.
import { KernelCounters } from '../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { newLiveFeedCounters } from '../../src/feed/live-feed-counters.js';
import type { LiveStatus } from '../../src/feed/live-status.js';
import { Histogram } from '../../src/lib/histogram.js';
import type { MetricSources } from '../../src/observe/metrics/metric-definition.js';
import { JobTimeHistograms } from '../../src/pool/pool-counters.js';
import { type ReplicationStatus, newReplicationCounts } from '../../src/replicas/replication-status.js';
import { RequestLatency } from '../../src/rpc/answer/request-latency.js';
import { UsageLedger } from '../../src/fairness/usage-ledger.js';
import { UpstreamExecutions } from '../../src/rpc/call/executions-at-upstream.js';
import { PushCounts } from '../../src/rpc/push/push-counts.js';

export const NOW_MS = 100_000;

/** A healthy live chain. */
export const LIVE: LiveStatus = {
  counts: { ...newLiveFeedCounters(), blocksExecuted: 3, increments: 20 },
  upstream: { requests: 9, roundTrips: 4, retries: 0, refused: 0, reconnects: 0 } as LiveStatus['upstream'],
  upstreamHead: 1,
  head: 1,
  blockMs: 2000,
  lowerHead: null,
  upstreamSilentSinceMs: null,
  feedBlock: 2,
  headAtMs: NOW_MS - 1000,
  feedAtMs: NOW_MS - 200,
  feeds: [{ isUp: true, losses: 0, reason: null }],
  executing: null,
  newestMs: { block: 20, increment: 3 },
  unknownFeatures: [{ kind: 'precompile', name: 'B20_FACTORY (0xb20f)' }],
  warmth: 1,
  doubt: null,
  notice: null,
  atMs: NOW_MS,
};

/** A leading executor. */
export const LEADER: ReplicationStatus = {
  role: 'leader',
  counts: { ...newReplicationCounts(), versions: 40, bytes: 4000, epochs: 1 },
  isConnected: true,
  hasLease: true,
  epoch: 1,
  version: 40,
  newest: 40,
  waiting: 0,
  blocksBehind: 0,
  lagMs: 0,
  heardAtMs: null,
  trouble: null,
  doubt: null,
  phase: 'following',
  atMs: NOW_MS,
};

/** A replica that follows it. */
export const REPLICA: ReplicationStatus = { ...LEADER, role: 'replica', hasLease: false, heardAtMs: NOW_MS - 200 };

/** Sources of a plain chain, with overrides. */
export function metricSources(given: Partial<MetricSources> = {}): MetricSources {
  const push = new PushCounts();
  const usage = { accounts: 1, slots: 2, evictions: 3, stalls: 0, rebuilds: 0, sliceMsMax: 1, sliceBucketsMax: 1 };
  const snapshot = {
    version: 9,
    block: 2,
    index: 3,
    head: 1,
    ageMs: 4,
    tableBytes: 5,
    generation: 1,
    oldestPinAgeMs: 0,
  };
  const pool = {
    queued: 0,
    running: 0,
    completed: 5,
    waiting: {},
    refused: { full: 0, closed: 0 },
    times: new JobTimeHistograms(),
    merged: 0,
    cancelled: 0,
    crashes: 0,
    kills: 0,
    tasks: 4,
    taskJobs: 5,
  };
  const http = {
    answers: { 200: 7 },
    bytesIn: 1,
    bytesOut: 2,
    aborted: 0,
    socketMessages: 0,
    socketsOpen: 0,
    slowReaders: 0,
    inFlight: 0,
    unsentBytes: 0,
    fullTurns: 0,
    acceptPauses: 0,
    bufferBytes: 0,
    bufferRefusals: 0,
  };
  return {
    about: { version: '1', chain: 'dev chain', chainId: '31337' },
    workers: 2,
    calls: () => new Map([['eth_call', 7]]),
    errors: () => new Map(),
    latency: new RequestLatency(),
    visible: new Histogram(),
    http: () => http as unknown as ReturnType<MetricSources['http']>,
    answerBytes: () => 0,
    push: () => push,
    ownSends: () => null,
    nodeExecutions: () => new UpstreamExecutions(new UsageLedger()).counts,
    pool: () => pool as unknown as ReturnType<MetricSources['pool']>,
    watches: () => ({ calls: 0, names: 0, runs: 0, vain: 0 }),
    snapshot: () => ({ ...snapshot, usage, missCount: 6 }),
    publisherRestarts: () => 0,
    kernel: new KernelCounters(),
    damagedRecords: () => 0,
    live: () => null,
    replication: () => null,
    nowMs: () => NOW_MS,
    ...given,
  };
}
