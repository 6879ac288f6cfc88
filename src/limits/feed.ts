// Bounds of feeds, imports and the dev chain.

export const FEED_LIMITS = {
  /** With fewer transactions the publisher recovers senders itself: waking threads costs some ten signatures. */
  sendersApartMin: 16,
  /**
   * Transactions that are decoded and executed as one group while other threads recover the senders of the next group.
   * With larger groups, too much is left to execute after the last sender is recovered.
   */
  decodedTogetherMax: 16,
  /** Transactions whose senders are cached until their block is confirmed, at 52 bytes each. A power of two. */
  sendersKeptMax: 32_768,
  /** Transactions that wait in the dev chain's pool, in total and from one sender. */
  poolTransactionsMax: 10_000,
  poolTransactionsPerSenderMax: 1000,
  /** Execution time of a dev increment: three quarters of 200 ms. Other transactions wait for the next. */
  devIncrementMsMax: 150,
  /** Time within that for generated traffic, at some 0.8 ms a transaction. Traffic beyond it is left out. */
  devTrafficMsMax: 75,
  /**
   * Longest time that the response to a transaction waits until the dev chain has executed it. If blocks stay full, it
   * is sent without that. Clients rarely wait longer than 30 s for a response.
   */
  devSubmissionMsMax: 30_000,
  /** Snapshots of the dev chain that it can revert to (evm_snapshot). With one more the oldest is dropped. */
  devSnapshotsMax: 1024,
  /** Time that a transaction may wait in the pool for its nonce or fee: three hours, as in go-ethereum. */
  poolWaitMsMax: 3 * 3600 * 1000,
  /** Bytes of one raw transaction, as in go-ethereum's pool. */
  transactionBytesMax: 128 * 1024,
  /** Bytes of a raw blob transaction with its blobs (go-ethereum's limit), or of an unknown type. */
  blobTransactionBytesMax: 1024 * 1024,
  /** Time between two progress reports of an import, short enough that a progress bar moves smoothly. */
  importProgressMs: 250,
  /** RLP bytes of one block in a chain file: six times EIP-7934's bound, which older chains did not have. */
  importBlockBytesMax: 64 * 1024 * 1024,
  /** Bytes of a feed message, compressed and decompressed. A full block of call data in hex needs a fifth. */
  feedFrameBytesMax: 16 * 1024 * 1024,
  /** Bytes of one pre-confirmed block's transactions that are retained so that the block can be rebuilt. */
  feedBlockBytesMax: 32 * 1024 * 1024,
  /** Feeds of one chain that are followed in parallel. Each is received and decoded in full. */
  feedsMax: 4,
  /** First increments of a block that are remembered, to tell a late feed from one that restarted the block. */
  feedOpeningsMax: 8,
  /** Increments of one block. Ten are usual. */
  feedIncrementsMax: 1024,
  /** Pre-confirmed blocks that are kept while they wait for their parent block. */
  feedAheadBlocksMax: 5,
  /** Blocks by which the served state may be ahead of the last confirmed block. */
  feedDepthBlocksMax: 3,
  /** Time between two pings on a feed's connection, and how many may be unanswered before it is closed. */
  feedPingMs: 1000,
  feedPingsUnansweredMax: 2,
  /** Time within which a connection to a feed must be established. */
  feedHandshakeMsMax: 10_000,
  /**
   * Pause before reconnecting to a feed. It is drawn between half and all of a length that starts at the minimum and
   * doubles up to the maximum. The minimum is the time between two increments, so that often none is missed and the
   * block continues.
   */
  feedRetryMsMin: 200,
  feedRetryMsMax: 20_000,
  /** When a connection to a feed has lasted this long, the next pause starts at the minimum again. */
  feedLivedMs: 10_000,
  /** Longest pause before reconnecting that a feed may request by Retry-After. */
  feedRetryAfterMsMax: 5 * 60_000,
  /** Clients of the dev chain's own feed, and the bytes that a client may leave unread before it is disconnected. */
  devFeedClientsMax: 64,
  devFeedBacklogBytesMax: 4 * 1024 * 1024,
  /**
   * When this many mismatches of one kind occur within this many blocks of a live chain, the cause is systematic, and
   * the chain is followed by state diffs from then on.
   */
  mismatchesAlike: 3,
  mismatchBlocks: 100,
  /** Reasons for using another block source than the configured one: at most this many kinds are logged, each once. */
  sourceKindsLoggedMax: 32,
  /** Gas per block for finding missing state by runs that find none: some 0.3 s of the publisher's time. */
  vainGasMax: 200_000_000,
  /** Codes whose constant slots and addresses are cached, at up to 3 KiB each. */
  namedCodesMax: 4096,
  /** Slots and addresses prefetched as constants of a code, and accounts whose code is scanned at a time. */
  constantSlotsMax: 64,
  constantAddressesMax: 16,
  namingAccountsMax: 64,
  /** Transactions per request for access lists (eth_createAccessList). The node executes each of them. */
  accessListsPerExecutionMax: 64,
  /** Reasons of the upstream node for refusing prefetched state that are logged, each once. */
  refusedHintsLoggedMax: 32,
  /** Longest expected execution of an increment, five times 200 ms. Slower, `/readyz` returns 503. */
  incrementMs: 1000,
  /** Execution time after which an increment is aborted. Its block, of 2 s, is over by then. */
  incrementMsMax: 2000,
  /** Longest expected execution time of a confirmed block: on many chains one comes every 2 s. */
  blockMs: 2000,
  /** Execution time of a confirmed block before it is aborted: of Ethereum's 12 s, enough is left to resync. */
  blockMsMax: 10_000,
  /** Execution time after which the publisher yields to arrived messages. An event-loop tick costs 10 us. */
  executionYieldMs: 10,
  /**
   * Most blocks between a retained block and the new head for which the state catches up block by block. This is the
   * number of retained blocks; with more the state resyncs.
   */
  catchUpBlocksMax: 128,
  /** Blocks fetched at a time during a catch-up, while the blocks fetched before them are applied. */
  catchUpFetchedBlocks: 8,
  /** A state starts this many blocks below the head, so that it survives a reorganization of that depth. */
  startBelowBlocks: 3,
  /** Time without a new head from the upstream node after which readiness fails: five of Ethereum's 12 s blocks. */
  headSilenceMsMax: 60_000,
  /** Time without a message from the pre-confirmation feed after which readiness fails: 25 increments of 200 ms. */
  feedSilenceMsMax: 5000,
  /** Age of `pending` that fails readiness while the feed runs. After a gap, the next block renews it. */
  pendingAgeMsMax: 4000,
  /** Lag behind the upstream's head that fails readiness: both in blocks and by the chain's timestamps. */
  headLagBlocksMax: 3,
  /** Ten blocks of 200 ms, so that one slow response of the node is not a lag. */
  headLagMsMax: 2000,
  /** Time without one of the publisher's two reports a second after which a live chain is not ready. */
  liveStatusMsMax: 5000,
  /** Keys of recently used state saved for a live chain's next start, 53 bytes each on disk, 150 in memory. */
  warmKeysMax: 200_000,
  /** Keys fetched again in one batch after a resync. Processing the response delays an increment by some 2 ms. */
  warmBatchKeysMax: 256,
  /** Time between two saves of these keys to disk. A killed process loses the keys since the last one. */
  warmSaveMs: 60_000,
  /** How far ahead system slots are prefetched, in numbers and seconds: six of 200 ms blocks, or two of 12 s. */
  systemSlotsAhead: 32,
  /** Unknown features of a chain that are reported, and characters of one name. The node chooses both. */
  unknownFeaturesMax: 32,
  unknownFeatureChars: 60,
  /** Time between two queries of the upstream's fork configuration: a fork may have been scheduled meanwhile. */
  rulesQueryMs: 600_000,
  /** Pause before following a head is tried again after the upstream node has failed. */
  followRetryMs: 1000,
  /** Failed attempts in a row while the node answers: the block no longer exists, and the state resyncs. */
  followTriesMax: 4,
} as const;
