// Bounds of publishing and following. Runs on every thread.

/** Part of `LIMITS`. */
export const REPLICAS_LIMITS = {
  /** Bytes of a table: its 32-bit words are indexed by what V8 holds in a small integer. */
  stateBytesMax: 2 ** 33,
  /** Bytes of one part of a message between executor and replicas; NATS takes 1 MiB by default, its headers included. */
  replicationPartBytes: 512 * 1024,
  /**
   * Bounds of the stream: a replica that was away for less catches up without a snapshot. Bytes: 10 minutes of 1.7
   * MB/s.
   */
  replicationStreamMs: 10 * 60_000,
  replicationStreamBytes: 1024 * 1024 * 1024,
  /** Time for which the server knows a message again that is sent twice; JetStream's default. */
  replicationDuplicateMs: 2 * 60_000,
  /** Time after which a lease that is not renewed is free; and between two renewals, of which three may fail. */
  replicationLeaseMs: 5000,
  replicationRenewMs: 1000,
  /** Time for an answer of the NATS server. */
  replicationAnswerMsMax: 2000,
  /** Time between two pings of the NATS server, of which two may go unanswered. */
  replicationPingMs: 1000,
  /** Pause before a request that the server has not met is sent again. */
  replicationRetryMs: 250,
  /** Messages of the stream that are fetched ahead: half a minute of increments of 200 ms, or one second of catching up. */
  replicationFetchMessages: 256,
  /** Versions, and changes and transactions in them, that wait for the server; with more an epoch begins, from a snapshot. */
  replicationWaitingVersionsMax: 2048,
  replicationWaitingChangesMax: 1_000_000,
  /** Time in which a new leader applies what the last one has left in the stream; with more it begins anew. */
  replicationInheritMsMax: 10_000,
  /** Codes of which an executor remembers that it has told them; beyond that they are told once more. */
  replicationCodesToldMax: 100_000,
  /** Time between two words of the executor that it is there, and the silence after which a replica is not ready. */
  replicationAliveMs: 250,
  replicationSilenceMsMax: 3000,
  /** Silence of the stream, while the executor says that it holds more, after which its reader opens another consumer. */
  replicationStallMsMax: 500,
  /**
   * Time between two words of a member of a group that counts its transactions, and the silence after which it is none.
   */
  groupAliveMs: 1000,
  groupSilenceMsMax: 3000,
  /**
   * Time for which a transaction is answered behind the word of all members that they count it; one that has died says
   * nothing.
   */
  groupAnswerMsMax: 250,
  /** Time in which a version of the executor's that a transaction was taken into is here. */
  replicationSubmitMsMax: 5000,
  /** Time that a question to the executor leaves of that of its call: its refusal has to be told. */
  replicationAskSpareMs: 250,
  /** Time between two snapshots, and between two at the least when replicas ask for one; a fifth of what the stream holds. */
  replicationSnapshotMs: 2 * 60_000,
  replicationSnapshotAskedMs: 5000,
  /** Time for a piece of a snapshot to be stored, and for the next one of one that is loaded. */
  replicationPieceMsMax: 10_000,
  /** Table places that a snapshot looks at between two turns of the event loop: half a millisecond where they are full. */
  replicationSlicePlaces: 512,
  /** Keys that are compressed together: some 20 kB. */
  replicationChunkKeys: 1024,
} as const;
