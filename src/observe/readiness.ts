// Decides whether the program is ready for requests, and if not, why: the response of `/readyz`. Pure.
import { stalenessReasons, type StalenessInput } from '../feed/staleness.js';
import type { Readiness } from '../http/routes/monitoring-routes.js';
import { LIMITS } from '../limits/index.js';
import type { ReplicationStatus } from '../replicas/replication-status.js';
import type { CurrentViewInfo } from '../rpc/view/current-table-view.js';

export interface ReadinessInputs {
  readonly snapshot: Pick<CurrentViewInfo, 'block' | 'ageMs'>;
  /** True if new state versions keep coming. On a static chain they do not, and an old version is not stale. */
  readonly renewed: boolean;
  /** Status of the live chain; `null` on any other chain. */
  readonly live: StalenessInput | null;
  /** Status of publishing or replicating; `null` if neither is configured. */
  readonly replication: ReplicationStatus | null;
  /** Monotonic time in milliseconds. */
  readonly nowMs: number;
}

/** Decides whether the program is ready. A state that should be renewed and is not must not look healthy. */
export function decideReadiness({ snapshot, renewed, live, replication, nowMs }: ReadinessInputs): Readiness {
  if (replication?.role === 'replica') return replicaReadiness(replication, snapshot.block, nowMs);
  if (live !== null) return liveReadiness(live, snapshot.ageMs, nowMs);
  if (renewed && snapshot.ageMs > LIMITS.snapshotAgeMsMax) {
    return { ready: false, reason: `pending was last renewed ${snapshot.ageMs} ms ago` };
  }
  return { ready: true, reason: `at block ${snapshot.block}` };
}

function replicaReadiness(replica: ReplicationStatus, block: number, nowMs: number): Readiness {
  const reasons = [...replicaReasons(replica, nowMs)];
  if (reasons.length > 0) return { ready: false, reason: reasons.join('; ') };
  const position = `at block ${block}; version ${replica.version} of epoch ${replica.epoch}`;
  return { ready: true, reason: [position, ...doubtNote(replica.doubt)].join('; ') };
}

/**
 * Returns how many state versions a replica is behind; `'unknown'` while it catches up or receives nothing, `null` if
 * this is no replica.
 */
export function versionsBehind(replication: ReplicationStatus | null, nowMs: number): number | 'unknown' | null {
  if (replication?.role !== 'replica') return null;
  const { isConnected, phase, heardAtMs, waiting, atMs } = replication;
  const isHeard = heardAtMs !== null && nowMs - heardAtMs <= LIMITS.replicationSilenceMsMax;
  const isFresh = nowMs - atMs <= LIMITS.liveStatusMsMax;
  return isConnected && phase === 'following' && isHeard && isFresh ? waiting : 'unknown';
}

/**
 * Yields the reasons why a replica is not ready: its executor's state is stale, or the replica is behind its executor.
 */
function* replicaReasons(replica: ReplicationStatus, nowMs: number): Generator<string> {
  const { isConnected, phase, heardAtMs, trouble, waiting, blocksBehind, lagMs, atMs } = replica;
  if (!isConnected) yield 'the NATS server is not connected';
  if (phase === 'catching up') yield 'catching up with the executor';
  if (heardAtMs === null) yield 'no executor has been heard of';
  else if (nowMs - heardAtMs > LIMITS.replicationSilenceMsMax) {
    yield `the executor was last heard of ${nowMs - heardAtMs} ms ago`;
  }
  if (blocksBehind > LIMITS.replicationLagBlocksMax) yield `${blocksBehind} blocks behind the executor`;
  if (lagMs > LIMITS.replicationLagMsMax) yield `${waiting} versions behind the executor for ${lagMs} ms`;
  if (trouble !== null) yield `the executor says: ${trouble}`;
  if (nowMs - atMs > LIMITS.liveStatusMsMax) yield `the publisher was last heard of ${nowMs - atMs} ms ago`;
}

function liveReadiness(live: StalenessInput, ageMs: number, nowMs: number): Readiness {
  const { head, warmth, notice, doubt, unknownFeatures } = live;
  const reasons = [...stalenessReasons(live, ageMs, nowMs)];
  if (reasons.length > 0)
    return { ready: false, reason: [...reasons, ...unknownFeaturesNote(unknownFeatures)].join('; ') };
  const isFresh = notice === null || (doubt !== null && notice.includes(doubt));
  const notes = [`at block ${head}`, ...warmthNote(warmth), ...doubtNote(doubt), ...(isFresh ? [] : [notice])];
  notes.push(...unknownFeaturesNote(unknownFeatures));
  return { ready: true, reason: notes.join('; ') };
}

/** Yields a note if the chain's rules are unverified. Requests are still answered, estimates and calls by the node. */
function* doubtNote(doubt: string | null): Generator<string> {
  if (doubt !== null) yield `nothing is executed, the node answers estimates and calls: ${doubt}`;
}

function* unknownFeaturesNote(unknownFeatures: StalenessInput['unknownFeatures']): Generator<string> {
  if (unknownFeatures.length === 0) return;
  yield `not known here: ${unknownFeatures.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`;
}

/**
 * Yields a note on the share of the recently used state that has been fetched again after a resync. Until all of it has
 * been fetched, responses are correct, but some of them wait for the node.
 */
function* warmthNote(warmth: number): Generator<string> {
  if (warmth < 1) yield `${Math.floor(warmth * 100)} % warm`;
}
