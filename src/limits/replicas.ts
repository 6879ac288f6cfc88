// Bounds of replication between executor and replicas.

export const REPLICAS_LIMITS = {
  /** Bytes of a state table. Its 32-bit words must have indices that V8 represents as small integers. */
  stateBytesMax: 2 ** 33,
  /** Bytes of one chunk of a message between executor and replicas. NATS's default is 1 MiB with headers. */
  replicationFragmentBytes: 512 * 1024,
  /** Age and size of the stream, 10 minutes of 1.7 MB/s. A replica away for less catches up without a snapshot. */
  replicationStreamMs: 10 * 60_000,
  replicationStreamBytes: 1024 * 1024 * 1024,
  /** Time for which the NATS server recognizes duplicate messages: JetStream's default. */
  replicationDuplicateMs: 2 * 60_000,
  /** Time after which an unrenewed lease expires, and between two renewals. Three of them may fail. */
  replicationLeaseMs: 5000,
  replicationRenewMs: 1000,
  /** Time within which the NATS server must respond. */
  replicationAnswerMsMax: 2000,
  /** Time between two pings of the NATS server. Two may stay unanswered. */
  replicationPingMs: 1000,
  /** Pause before a request that did not reach the NATS server is sent again. */
  replicationRetryMs: 250,
  /** Messages of the stream that are prefetched: half a minute of 200 ms increments, or one second of catching up. */
  replicationFetchMessages: 256,
  /** Versions waiting for the NATS server, their changes and transactions. With more, a new epoch starts. */
  replicationWaitingVersionsMax: 2048,
  replicationWaitingChangesMax: 1_000_000,
  /** Time within which a new leader must apply what its predecessor left in the stream; otherwise it resyncs. */
  replicationInheritMsMax: 10_000,
  /** Contract codes that an executor remembers to have sent. Codes that it no longer remembers are sent again. */
  replicationCodesSentMax: 100_000,
  /** Time between two heartbeats of the executor, and the time without one after which a replica is not ready. */
  replicationAliveMs: 250,
  replicationSilenceMsMax: 3000,
  /** If a replica receives nothing for this long while the executor reports more, it opens another consumer. */
  replicationStallMsMax: 500,
  /** Between heartbeats of a group's members, and without one: they count each other's transactions. */
  groupAliveMs: 1000,
  groupSilenceMsMax: 3000,
  /** Longest wait of a transaction's response until all group members count it. A dead one never does. */
  groupAnswerMsMax: 250,
  /** Time within which a replica must receive the executor's version that contains a submitted transaction. */
  replicationSubmitMsMax: 5000,
  /** A request to the executor ends this much before its call, to leave time to return its error. */
  replicationRequestSpareMs: 250,
  /** Time between two regular snapshots, a fifth of the stream, and least time between requested ones. */
  replicationSnapshotMs: 2 * 60_000,
  replicationSnapshotRequestMs: 5000,
  /** Time within which one chunk of a snapshot must be stored, or received by a replica that loads it. */
  replicationPieceMsMax: 10_000,
  /** Table buckets that a snapshot visits in one event-loop tick: half a millisecond if all are full. */
  replicationSliceSlots: 512,
  /** Keys that are compressed together: some 20 kB. */
  replicationChunkKeys: 1024,
} as const;
