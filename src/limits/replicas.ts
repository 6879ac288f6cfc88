// Bounds of publishing and replicating.

/** Part of `LIMITS`. */
export const REPLICAS_LIMITS = {
  /** Bytes of a table: its 32-bit words are indexed by what V8 represents as a small integer. */
  stateBytesMax: 2 ** 33,
  /**
   * Bytes of one chunk of a message between executor and replicas; NATS accepts 1 MiB by default, its headers included.
   */
  replicationFragmentBytes: 512 * 1024,
  /**
   * Bounds of the stream: a replica that was disconnected for less catches up without a snapshot. Bytes: 10 minutes of
   * 1.7 MB/s.
   */
  replicationStreamMs: 10 * 60_000,
  replicationStreamBytes: 1024 * 1024 * 1024,
  /** Time for which the server deduplicates messages; JetStream's default. */
  replicationDuplicateMs: 2 * 60_000,
  /** Time after which a lease that is not renewed expires; and between two renewals, of which three may fail. */
  replicationLeaseMs: 5000,
  replicationRenewMs: 1000,
  /** Time for a response of the NATS server. */
  replicationAnswerMsMax: 2000,
  /** Time between two pings of the NATS server, of which two may go unanswered. */
  replicationPingMs: 1000,
  /** Pause before a request that did not reach the server is sent again. */
  replicationRetryMs: 250,
  /**
   * Messages of the stream that are prefetched: half a minute of increments of 200 ms, or one second of catching up.
   */
  replicationFetchMessages: 256,
  /**
   * Versions, and changes and transactions in them, that wait for the server; with more a new epoch starts, from a
   * snapshot.
   */
  replicationWaitingVersionsMax: 2048,
  replicationWaitingChangesMax: 1_000_000,
  /** Time in which a new leader applies what the last one has left in the stream; with more it resyncs. */
  replicationInheritMsMax: 10_000,
  /** Codes that an executor remembers to have sent; beyond that they are sent once more. */
  replicationCodesSentMax: 100_000,
  /** Time between two heartbeats of the executor, and the silence after which a replica is not ready. */
  replicationAliveMs: 250,
  replicationSilenceMsMax: 3000,
  /**
   * Silence of the stream, while the executor reports that it contains more, after which its reader opens another
   * consumer.
   */
  replicationStallMsMax: 500,
  /**
   * Time between two heartbeats of a group member that counts the group's transactions, and the silence after which it
   * is no longer a member.
   */
  groupAliveMs: 1000,
  groupSilenceMsMax: 3000,
  /**
   * Time for which the response to a transaction waits until all members have acknowledged that they count it; a dead
   * one never does.
   */
  groupAnswerMsMax: 250,
  /** Time in which the executor's version that contains a submitted transaction arrives here. */
  replicationSubmitMsMax: 5000,
  /** Time by which a request to the executor ends before its call does: its error still has to be returned. */
  replicationRequestSpareMs: 250,
  /**
   * Time between two snapshots, and the least time between two that replicas have requested; a fifth of what the stream
   * holds.
   */
  replicationSnapshotMs: 2 * 60_000,
  replicationSnapshotRequestMs: 5000,
  /** Time for a chunk of a snapshot to be stored, and for the next one of a snapshot that is loaded. */
  replicationPieceMsMax: 10_000,
  /** Table buckets that a snapshot visits between two event-loop ticks: half a millisecond if they are full. */
  replicationSliceSlots: 512,
  /** Keys that are compressed together: some 20 kB. */
  replicationChunkKeys: 1024,
} as const;
