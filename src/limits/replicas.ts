// Bounds of replication between executor and replicas.

export const REPLICAS_LIMITS = {
  /** Maximum bytes of a state table: V8 must be able to represent the indices of its 32-bit words as small integers. */
  stateBytesMax: 2 ** 33,
  /** Bytes of one chunk of a message between executor and replicas. NATS's default is 1 MiB with headers. */
  replicationFragmentBytes: 512 * 1024,
  /**
   * Age and bytes of the stream of versions in the NATS server: 10 minutes of 1.7 MB/s. A replica that was away for
   * less catches up without a snapshot.
   */
  replicationStreamMs: 10 * 60_000,
  replicationStreamBytes: 1024 * 1024 * 1024,
  /** Time for which the NATS server recognizes duplicate messages: JetStream's default. */
  replicationDuplicateMs: 2 * 60_000,
  /**
   * Time after which the leader's lease expires if it is not renewed, and time between two renewals. The lease survives
   * three failed renewals.
   */
  replicationLeaseMs: 5000,
  replicationRenewMs: 1000,
  /** Time within which the NATS server must respond. */
  replicationAnswerMsMax: 2000,
  /** Time between two pings of the NATS server. The connection survives two unanswered pings. */
  replicationPingMs: 1000,
  /** Pause before a request that did not reach the NATS server is sent again. */
  replicationRetryMs: 250,
  /** Messages of the stream that a replica prefetches: some 50 s of 200 ms increments, or one second of catching up. */
  replicationFetchMessages: 256,
  /**
   * Versions that wait to be sent to the NATS server, and their changes and transactions. If there are more, a new
   * epoch of version numbers starts.
   */
  replicationWaitingVersionsMax: 2048,
  replicationWaitingChangesMax: 1_000_000,
  /**
   * Time within which a new leading executor must apply what its predecessor left in the stream. Otherwise it resyncs.
   */
  replicationInheritMsMax: 10_000,
  /** Contract codes that an executor remembers to have sent. Codes that it no longer remembers are sent again. */
  replicationCodesSentMax: 100_000,
  /** Time between two heartbeats of the executor, and time without one after which a replica is not ready. */
  replicationAliveMs: 250,
  replicationSilenceMsMax: 3000,
  /**
   * If a replica receives nothing for this time although the executor reports newer versions, it opens another NATS
   * consumer.
   */
  replicationStallMsMax: 500,
  /**
   * Time between two heartbeats of an instance in a nonce-sharing group, whose instances count each other's
   * transactions; and time without one after which an instance counts as gone.
   */
  groupAliveMs: 1000,
  groupSilenceMsMax: 3000,
  /**
   * Maximum time that the response to a transaction waits until all instances of the group acknowledge that they count
   * it in nonces. An instance that has died never does.
   */
  groupAnswerMsMax: 250,
  /** Time within which a replica must receive the executor's version that contains a submitted transaction. */
  replicationSubmitMsMax: 5000,
  /**
   * Time by which a replica's request to the executor times out earlier than the call that needs it, so that an error
   * can still be returned.
   */
  replicationRequestSpareMs: 250,
  /**
   * Time between two regular snapshots, a fifth of the time that the stream retains messages; and minimum time between
   * requested ones.
   */
  replicationSnapshotMs: 2 * 60_000,
  replicationSnapshotRequestMs: 5000,
  /** Time within which one chunk of a snapshot must be stored, or received by a replica that loads it. */
  replicationPieceMsMax: 10_000,
  /** Buckets of the state table that a snapshot visits in one event-loop tick: half a millisecond if all are full. */
  replicationSliceSlots: 512,
  /** Keys of a snapshot that are compressed together: some 20 kB. */
  replicationChunkKeys: 1024,
} as const;
