// The status of publishing and following, for readiness, metrics and the log.

/** Counted since the start of the program. */
export interface ReplicationCounts {
  /** Versions sent, or applied. */
  versions: number;
  /** Their bytes in the stream. */
  bytes: number;
  /** Epochs started, or followed. */
  epochs: number;
  /** Snapshots stored, or loaded. */
  snapshots: number;
  /** How often a replica had to catch up: after a gap, a damaged message or a reset of the state. */
  catchUps: number;
  /** Messages with a wrong checksum, or malformed. */
  damaged: number;
  /** How often the queue for the server was full: it was dropped, and a new epoch started. */
  overflows: number;
}

/** All zero. */
export function newReplicationCounts(): ReplicationCounts {
  return { versions: 0, bytes: 0, epochs: 0, snapshots: 0, catchUps: 0, damaged: 0, overflows: 0 };
}

/** Reported by the publisher. Times are monotonic milliseconds. */
export interface ReplicationStatus {
  /** `leader`: executes and publishes; `replica`: applies. An executor that does not lead is a replica, too. */
  readonly role: 'leader' | 'replica';
  readonly counts: ReplicationCounts;
  readonly isConnected: boolean;
  /** True if this executor holds the lease; a replica never does. */
  readonly hasLease: boolean;
  readonly epoch: number;
  /** The newest version here, and that of the executor as far as known. */
  readonly version: number;
  readonly newest: number;
  /** Versions queued for the server, or not applied yet. */
  readonly waiting: number;
  /** Confirmed blocks of the executor that this replica lacks. */
  readonly blocksBehind: number;
  /**
   * How long the oldest version that is not sent, or not applied, has been outstanding, in milliseconds; 0: none is.
   */
  readonly lagMs: number;
  /** When the leader's last heartbeat was received; `null`: none since the server was connected. */
  readonly heardAtMs: number | null;
  /** Why the executor itself would not be ready, as it reports; `null`: it is ready, or this is the executor. */
  readonly trouble: string | null;
  /** Why the chain's rules are not known to be right, as the executor reports. */
  readonly doubt: string | null;
  /** What a replica currently does; a leader is always `following`. */
  readonly phase: 'following' | 'catching up';
  /** When this was reported. */
  readonly atMs: number;
}

/** Status of an executor that has not reached the server: it neither executes nor follows. */
export function unreachedStatus(nowMs: number): ReplicationStatus {
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
