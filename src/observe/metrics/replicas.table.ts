// Metrics of executors that publish, and of replicas.
import type { ReplicationStatus } from '../../replicas/replication-status.js';
import { versionsBehind } from '../readiness.js';
import { type Metric, conditionalMetricFactory } from './metric-definition.js';

/** Creates a metric that exists only on publishing executors and on replicas. */
const replicated = conditionalMetricFactory((sources) => sources.replication());

export const REPLICA_METRICS = {
  Replicas: [
    replicated('gauge', 'replication_leads', '1 if this executor leads, else 0', (s) => Number(s.hasLease)),
    replicated('gauge', 'replication_connected', '1 if the NATS server is connected, else 0', (s) =>
      Number(s.isConnected),
    ),
    replicated('gauge', 'replication_epoch', 'Epoch of the newest version', (s) => s.epoch),
    replicated('gauge', 'replication_version', 'Newest version, as numbered by the executor', (s) => s.version),
    replicated(
      'gauge',
      'replication_waiting_versions',
      'Versions not yet sent, or not yet applied; -1: unknown, as the executor is silent',
      (s, now) => (isUnknownBehind(s, now) ? -1 : s.waiting),
    ),
    replicated(
      'gauge',
      'replication_lag_seconds',
      'Age of the oldest version not yet sent, or not yet applied; -1: unknown, as the executor is silent',
      (s, now) => (isUnknownBehind(s, now) ? -1 : s.lagMs / 1000),
    ),
    replicated(
      'gauge',
      'replication_silence_seconds',
      'Time since the last message of the executor; -1: none since connecting, or this is the executor',
      (s, now) => (s.heardAtMs === null ? -1 : (now - s.heardAtMs) / 1000),
    ),
    replicated('counter', 'replication_versions_total', 'Versions sent, or applied', (s) => s.counts.versions),
    replicated('counter', 'replication_bytes_total', 'Bytes of versions in the stream', (s) => s.counts.bytes),
    replicated('counter', 'replication_epochs_total', 'Epochs started or taken over', (s) => s.counts.epochs),
    replicated('counter', 'replication_snapshots_total', 'Snapshots stored or loaded', (s) => s.counts.snapshots),
    replicated(
      'counter',
      'replication_catch_ups_total',
      'Times that a replica had to catch up',
      (s) => s.counts.catchUps,
    ),
    replicated('counter', 'replication_damaged_total', 'Damaged messages', (s) => s.counts.damaged),
    replicated(
      'counter',
      'replication_overflows_total',
      'Times that the queue to the server was full',
      (s) => s.counts.overflows,
    ),
  ],
} satisfies Readonly<Record<string, readonly Metric[]>>;

function isUnknownBehind(status: ReplicationStatus, nowMs: number): boolean {
  return versionsBehind(status, nowMs) === 'unknown';
}
