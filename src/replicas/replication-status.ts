// The status of replication (publishing state versions or following them), for readiness, metrics and the log.

/** Counters since the start of the program. */
export interface ReplicationCounts {
  /** State versions that were sent to or applied from the stream. */
  versions: number;
  /** Bytes that were sent to or read from the stream. */
  bytes: number;
  /**
   * Stream epochs (series of state versions without a gap) that this executor has started or this replica has followed.
   */
  epochs: number;
  /** Snapshots that were stored or loaded. */
  snapshots: number;
  /** How often a replica had to start again from a snapshot: after a gap, a damaged message or a reset of the state. */
  catchUps: number;
  /** Messages that were malformed or had a wrong checksum. */
  damaged: number;
  /**
   * How often too many state versions were queued for the server, so that they were dropped and a new stream epoch
   * started.
   */
  overflows: number;
}

export function newReplicationCounts(): ReplicationCounts {
  return { versions: 0, bytes: 0, epochs: 0, snapshots: 0, catchUps: 0, damaged: 0, overflows: 0 };
}

/** The status of replication as the publisher reports it. Times are monotonic milliseconds. */
export interface ReplicationStatus {
  /**
   * A `leader` executes blocks and publishes state versions, a `replica` applies them. An executor that does not lead
   * is a replica, too.
   */
  readonly role: 'leader' | 'replica';
  readonly counts: ReplicationCounts;
  readonly isConnected: boolean;
  /** True if this executor holds the lease. A replica never does. */
  readonly hasLease: boolean;
  readonly epoch: number;
  /** `version`: the newest state version of this instance. `newest`: the executor's newest version, as far as known. */
  readonly version: number;
  readonly newest: number;
  /** Number of state versions that a leader has queued for the server, or that a replica has not applied yet. */
  readonly waiting: number;
  /** Number of the executor's confirmed blocks that this replica does not have yet. */
  readonly blocksBehind: number;
  /**
   * Milliseconds for which the oldest of these state versions has been waiting to be sent or applied; 0 if there is
   * none.
   */
  readonly lagMs: number;
  /** When the leader's last heartbeat was received; `null` if none has come since the connection was established. */
  readonly heardAtMs: number | null;
  /** Why the executor reports itself as not ready; `null` if it is ready, or if this instance is the executor. */
  readonly trouble: string | null;
  /** Why the executor reports the chain's rules as uncertain; `null` if they are certain. */
  readonly doubt: string | null;
  /** What a replica is doing. `catching up`: it loads a snapshot. A leader is always `following`. */
  readonly phase: 'following' | 'catching up';
  /** When this status was reported. */
  readonly atMs: number;
}

/** Returns the status of an executor that has not reached the server yet: it neither executes nor follows. */
export function statusBeforeConnection(nowMs: number): ReplicationStatus {
  return {
    role: 'replica',
    counts: newReplicationCounts(),
    isConnected: false,
    hasLease: false,
    epoch: 0,
    version: 0,
    newest: 0,
    waiting: 0,
    blocksBehind: 0,
    lagMs: 0,
    heardAtMs: null,
    trouble: null,
    doubt: null,
    phase: 'catching up',
    atMs: nowMs,
  };
}
