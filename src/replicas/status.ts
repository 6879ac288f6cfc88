// The state of publishing and following: what readiness, metrics and the log are made from. Runs on main and on the publisher.

/** Counted since the start. */
export interface ReplicationCounts {
  /** Versions sent, or applied. */
  versions: number;
  /** Bytes of them, as they are in the stream. */
  bytes: number;
  /** Epochs begun, or taken over. */
  epochs: number;
  /** Snapshots stored, or loaded. */
  snapshots: number;
  /** Times that a replica had to catch up: after a gap, a damaged message or a state begun anew. */
  catchUps: number;
  /** Messages whose checksum was wrong, or which could not be read. */
  damaged: number;
  /** Times that the queue before the server was full: what waited was dropped, and a new epoch began. */
  overflows: number;
}

/** All zero. */
export function newReplicationCounts(): ReplicationCounts {
  return { versions: 0, bytes: 0, epochs: 0, snapshots: 0, catchUps: 0, damaged: 0, overflows: 0 };
}

/**
 * Reported by the publisher. Times in milliseconds of the monotonic clock.
 */
export interface ReplicationStatus {
  /** `leader`: executes and publishes; `replica`: applies. An executor that does not lead is a replica, too. */
  readonly role: 'leader' | 'replica';
  readonly counts: ReplicationCounts;
  readonly isConnected: boolean;
  /** True if this executor holds the lease; a replica never does. */
  readonly holdsLease: boolean;
  readonly epoch: number;
  /** The newest version here, and that of the executor as far as it was heard of. */
  readonly version: number;
  readonly newest: number;
  /** Versions that wait for the server, or for being applied. */
  readonly waiting: number;
  /** Confirmed blocks of the executor that are not here. */
  readonly blocksBehind: number;
  /** Milliseconds for which the oldest version has been waited for that is not sent, or not applied; 0: none is missing. */
  readonly lagMs: number;
  /** When the leader was last heard of; `null`: never since the server is connected. */
  readonly heardAtMs: number | null;
  /** Reason for which the executor itself would not be ready, as it says; `null`: it is, or this is the executor. */
  readonly trouble: string | null;
  /** Reason for which the rules of the chain are not known to be right, as the executor says. */
  readonly doubt: string | null;
  /** The work of a replica now; a leader follows nobody. */
  readonly phase: 'following' | 'catching up';
  /** When this was reported. */
  readonly atMs: number;
}

/** Status of an executor that has not reached the server: it executes nothing, and follows nobody. */
export function unreachedStatus(nowMs: number): ReplicationStatus {
  return {
    role: 'replica',
    counts: newReplicationCounts(),
    isConnected: false,
    holdsLease: false,
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
