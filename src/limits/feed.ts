// Bounds of the chains that are followed, imported or produced.

/** Part of `LIMITS`. */
export const FEED_LIMITS = {
  /**
   * Transactions from which on their senders are recovered on separate threads: waking those costs as much as ten
   * signatures.
   */
  sendersApartMin: 16,
  /**
   * Transactions that are decoded and then executed together while the senders of others are being recovered: with more
   * too much is left to do when the last sender is recovered.
   */
  decodedTogetherMax: 16,
  /** Transactions whose senders are cached until their block is confirmed, at 52 bytes each. A power of two. */
  sendersKeptMax: 32_768,
  /** Transactions waiting in the dev chain's pool, of all senders and of one. */
  poolTransactionsMax: 10_000,
  poolTransactionsPerSenderMax: 1000,
  /**
   * Execution time of one of the dev chain's increments, after which the rest waits for the next one: three quarters of
   * its 200 ms.
   */
  devIncrementMsMax: 150,
  /** Part of that time for generating traffic, at some 0.8 ms a transaction; traffic that does not fit is not sent. */
  devTrafficMsMax: 75,
  /**
   * Time for which the response to a transaction that the dev chain can execute waits for its execution; if blocks stay
   * full it is sent then. Clients give a request 30 s, rarely more.
   */
  devSubmissionMsMax: 30_000,
  /** Snapshots of the dev chain that it can revert to; the oldest is dropped. */
  devSnapshotsMax: 1024,
  /** Time that a transaction may wait in the pool for its nonce or its fee; go-ethereum's three hours. */
  poolWaitMsMax: 3 * 3600 * 1000,
  /** Bytes of one raw transaction; go-ethereum's pool limit. */
  transactionBytesMax: 128 * 1024,
  /** Bytes of a raw blob transaction with its blobs, and of unknown types; go-ethereum's limit for blobs. */
  blobTransactionBytesMax: 1024 * 1024,
  /** Time between two progress reports of an import: a progress bar moves smoothly enough for the eye. */
  importProgressMs: 250,
  /** RLP bytes of one block of a chain file: six times EIP-7934's bound, which older chains did not have. */
  importBlockBytesMax: 64 * 1024 * 1024,
  /** Bytes of one feed message, compressed and decompressed; a full block of call data as hex is a fifth of it. */
  feedFrameBytesMax: 16 * 1024 * 1024,
  /** Bytes of the transactions of one pre-confirmed block that are retained for rebuilding it. */
  feedBlockBytesMax: 32 * 1024 * 1024,
  /** Feeds of one chain that are followed in parallel; each is read and decoded in full. */
  feedsMax: 4,
  /**
   * First increments of one block that are remembered, to distinguish a feed that is late from one that restarts the
   * block.
   */
  feedOpeningsMax: 8,
  /** Increments of one block; ten are usual. */
  feedIncrementsMax: 1024,
  /** Pre-confirmed blocks kept while they wait for their parent. */
  feedAheadBlocksMax: 5,
  /** Blocks by which the served state may be ahead of the confirmed ones. */
  feedDepthBlocksMax: 3,
  /** Time between two pings on a feed's connection, and the unanswered pings after which it is dropped. */
  feedPingMs: 1000,
  feedPingsUnansweredMax: 2,
  /** Time to connect to a feed. */
  feedHandshakeMsMax: 10_000,
  /**
   * Pause before the next connection to a feed: half to all of the minimum, doubled each time up to the maximum. The
   * minimum is the time between two increments, so that often none is missed and the block continues.
   */
  feedRetryMsMin: 200,
  feedRetryMsMax: 20_000,
  /** Life of a connection to a feed after which the pause starts at its minimum again. */
  feedLivedMs: 10_000,
  /** Longest pause that a feed may ask for (Retry-After). */
  feedRetryAfterMsMax: 5 * 60_000,
  /** Clients of the dev chain's own feed, and bytes that one may leave unread before it is dropped. */
  devFeedClientsMax: 64,
  devFeedBacklogBytesMax: 4 * 1024 * 1024,
  /**
   * Mismatches of one kind, and the number of blocks within which they must occur, for a live chain to be followed by
   * diffs instead: no accident then.
   */
  mismatchesAlike: 3,
  mismatchBlocks: 100,
  /** Reasons for using another block source than the configured one that are logged, each kind once. */
  sourceKindsLoggedMax: 32,
  /**
   * Gas of transactions of one block that are executed again speculatively without finding missing state: some 0.3 s of
   * the publisher.
   */
  vainGasMax: 200_000_000,
  /** Codes whose constant slots and addresses are cached, at up to 3 KiB each. */
  namedCodesMax: 4096,
  /**
   * Slots and addresses that one code contains as constants and that are prefetched, and accounts whose code is scanned
   * at a time.
   */
  constantSlotsMax: 64,
  constantAddressesMax: 16,
  namingAccountsMax: 64,
  /**
   * Transactions for which the upstream node is asked at a time for the access lists that they will have; it executes
   * each of them.
   */
  accessListsPerExecutionMax: 64,
  /** Reasons of the upstream node for refusing state that might not have been needed that are logged, each once. */
  refusedHintsLoggedMax: 32,
  /**
   * Expected execution time of an increment, five times 200 ms; a longer one makes `/readyz` 503 and counts as slow.
   */
  incrementMs: 1000,
  /** Execution time after which an increment is aborted: its block, of 2 s, is over. */
  incrementMsMax: 2000,
  /** Expected execution time of a confirmed block: those of many chains come every 2 s. */
  blockMs: 2000,
  /** Execution time after which a confirmed block is aborted: enough of Ethereum's 12 s is left to resync the state. */
  blockMsMax: 10_000,
  /** Execution time of transactions after which arrived messages are processed; an event-loop tick costs 10 us. */
  executionYieldMs: 10,
  /**
   * Blocks between a kept one and a new head for which the state catches up, as many as are kept; with more it resyncs.
   */
  catchUpBlocksMax: 128,
  /** Blocks of a catch-up that are fetched at a time, while as many before them are applied. */
  catchUpFetchedBlocks: 8,
  /** Blocks below the head at which a state starts, so that it covers a reorganization of so many. */
  startBelowBlocks: 3,
  /** Silence of the upstream's heads after which readiness fails: five blocks of Ethereum's 12 s. */
  headSilenceMsMax: 60_000,
  /** Silence of a pre-confirmation feed after which readiness fails: 25 increments of 200 ms. */
  feedSilenceMsMax: 5000,
  /**
   * Age of `pending` next to a running feed after which readiness fails: after a gap the next block, of 2 s, renews it.
   */
  pendingAgeMsMax: 4000,
  /**
   * Lag behind the upstream's head, in blocks and in time by the chain's own clock, both of which must be exceeded
   * before readiness fails.
   */
  headLagBlocksMax: 3,
  /** Ten blocks of 200 ms: a slow response of the node is not a lag. */
  headLagMsMax: 2000,
  /** Silence of the publisher of a live chain, which reports twice a second, after which readiness fails. */
  liveStatusMsMax: 5000,
  /** Keys of a live chain that are stored across a restart, at 53 bytes each on disk and some 150 in memory. */
  warmKeysMax: 200_000,
  /**
   * Keys of one batch that is fetched again after a resync: an increment waits some 2 ms for the response to be
   * processed.
   */
  warmBatchKeysMax: 256,
  /** Time between two writes of those keys to disk; a kill loses the keys since. */
  warmSaveMs: 60_000,
  /**
   * Block numbers, and seconds of timestamp, ahead of the head whose system slots are prefetched: six seconds of
   * 200 ms blocks, two blocks of 12 s.
   */
  systemSlotsAhead: 32,
  /** Unknown features of a chain that are reported, and characters of a name: both come from the node. */
  unknownFeaturesMax: 32,
  unknownFeatureChars: 60,
  /**
   * Time after which the upstream is queried for its fork configuration again: a fork may have been scheduled since.
   */
  rulesQueryMs: 600_000,
  /** Time between two attempts to follow a head after the upstream has failed. */
  followRetryMs: 1000,
  /**
   * Consecutive failed attempts with a node that answers; then the block is gone, and the state resyncs at the head.
   */
  followTriesMax: 4,
} as const;
