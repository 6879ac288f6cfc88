// The status of publishing and following, for readiness, metrics and the log.

/** Counters since the start of the program. */
export interface ReplicationCounts {
  /** Versions that were sent or applied. */
  versions: number;
  /** Bytes of these versions in the stream. */
  bytes: number;
  /** Epochs that were started or followed. */
  epochs: number;
  /** Snapshots that were stored or loaded. */
  snapshots: number;
  /** How often a replica had to catch up: after a gap, a damaged message or a reset of the state. */
  catchUps: number;
  /** Messages that are malformed or have a wrong checksum. */
  damaged: number;
  /** How often the queue for the server was full, so that it was dropped and a new epoch started. */
  overflows: number;
}

export function newReplicationCounts(): ReplicationCounts {
  return { versions: 0, bytes: 0, epochs: 0, snapshots: 0, catchUps: 0, damaged: 0, overflows: 0 };
}

/** The status as the publisher reports it. Times are monotonic milliseconds. */
export interface ReplicationStatus {
  /** A `leader` executes and publishes, a `replica` applies. An executor that does not lead is a replica, too. */
  readonly role: 'leader' | 'replica';
  readonly counts: ReplicationCounts;
  readonly isConnected: boolean;
  /** True if this executor holds the lease. A replica never does. */
  readonly hasLease: boolean;
  readonly epoch: number;
  /** The newest version here, and the executor's newest version as far as known. */
  readonly version: number;
  readonly newest: number;
  /** Versions that are queued for the server, or not applied yet. */
  readonly waiting: number;
  /** Confirmed blocks of the executor that this replica does not have yet. */
  readonly blocksBehind: number;
  /** Milliseconds for which the oldest version that is not sent or not applied has been waiting; 0 if there is none. */
  readonly lagMs: number;
  /** When the leader's last heartbeat was received; `null` if there was none since the server was connected. */
  readonly heardAtMs: number | null;
  /** Why the executor itself would not be ready, as it reports; `null` if it is ready, or this is the executor. */
  readonly trouble: string | null;
  /** Why the chain's rules are not known to be right, as the executor reports. */
  readonly doubt: string | null;
  /** What a replica is doing. A leader is always `following`. */
  readonly phase: 'following' | 'catching up';
  /** When this status was reported. */
  readonly atMs: number;
}

/** The status of an executor that has not reached the server: it neither executes nor follows. */
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
