// Bounds of feeds, imports and the dev chain.

export const FEED_LIMITS = {
  /**
   * With fewer transactions the publisher thread recovers the senders itself: waking other threads costs as much as
   * some ten signatures.
   */
  sendersApartMin: 16,
  /**
   * Transactions that are decoded and executed as one group while other threads recover the senders of the next group.
   * With larger groups, too much is left to execute after the last sender is recovered.
   */
  decodedTogetherMax: 16,
  /** Transactions whose senders are cached until their block is confirmed, at 52 bytes each. A power of two. */
  sendersKeptMax: 32_768,
  /** Transactions that wait in the dev chain's transaction pool, in total and from one sender. */
  poolTransactionsMax: 10_000,
  poolTransactionsPerSenderMax: 1000,
  /**
   * Execution time of one increment of the dev chain: three quarters of 200 ms. Transactions beyond it wait for the
   * next increment.
   */
  devIncrementMsMax: 150,
  /** Part of `devIncrementMsMax` for generated traffic, at some 0.8 ms a transaction. Traffic beyond it is left out. */
  devTrafficMsMax: 75,
  /**
   * Maximum time that the response to a submitted transaction waits until the dev chain has executed it. If blocks stay
   * full, the response is then sent before the transaction is executed. Clients rarely wait longer than 30 s for a
   * response.
   */
  devSubmissionMsMax: 30_000,
  /** Snapshots that the dev chain can revert to (evm_snapshot). If there is one more, the oldest is dropped. */
  devSnapshotsMax: 1024,
  /**
   * Time that a transaction may wait in the dev chain's transaction pool for its nonce or fee: three hours, as in
   * go-ethereum.
   */
  poolWaitMsMax: 3 * 3600 * 1000,
  /** Bytes of one raw transaction, as in go-ethereum's transaction pool. */
  transactionBytesMax: 128 * 1024,
  /** Bytes of a raw blob transaction with its blobs, or of a transaction of unknown type: go-ethereum's limit. */
  blobTransactionBytesMax: 1024 * 1024,
  /** Time between two progress reports of an import, short enough that a progress bar moves smoothly. */
  importProgressMs: 250,
  /** RLP bytes of one block in a chain file: six times EIP-7934's bound, which older chains did not have. */
  importBlockBytesMax: 64 * 1024 * 1024,
  /** Bytes of one feed message, compressed and decompressed. A full block of call data in hex needs a fifth of that. */
  feedFrameBytesMax: 16 * 1024 * 1024,
  /** Bytes of the transactions of one pre-confirmed block that are retained so that the block can be built anew. */
  feedBlockBytesMax: 32 * 1024 * 1024,
  /** Feeds of one chain that are followed in parallel. Each of them is received and decoded in full. */
  feedsMax: 4,
  /**
   * Maximum number of different first increments of one block that are remembered. Each attempt to build the block
   * starts with a different one. A feed that sends the first increment of an earlier attempt is late.
   */
  feedOpeningsMax: 8,
  /** Increments of one block. Ten are usual. */
  feedIncrementsMax: 1024,
  /** Pre-confirmed blocks that are held while they wait for their parent block. */
  feedAheadBlocksMax: 5,
  /** Number of blocks by which the served state may be ahead of the last confirmed block. */
  feedDepthBlocksMax: 3,
  /** Time between two pings on a feed's connection, and number of unanswered pings after which it is closed. */
  feedPingMs: 1000,
  feedPingsUnansweredMax: 2,
  /** Time within which a connection to a feed must be established. */
  feedHandshakeMsMax: 10_000,
  /**
   * Pause before reconnecting to a feed. It is random, between half and all of a length that starts at the minimum and
   * doubles up to the maximum. The minimum is the time between two increments, so that often no increment is missed.
   */
  feedRetryMsMin: 200,
  feedRetryMsMax: 20_000,
  /**
   * When a connection to a feed has lasted this long, the next pause before reconnecting has the minimum length again.
   */
  feedLivedMs: 10_000,
  /** Maximum pause before reconnecting that a feed may request by Retry-After. */
  feedRetryAfterMsMax: 5 * 60_000,
  /**
   * Maximum number of clients of the dev chain's own feed, and of bytes that a client may leave unread before it is
   * disconnected.
   */
  devFeedClientsMax: 64,
  devFeedBacklogBytesMax: 4 * 1024 * 1024,
  /**
   * When so many mismatches of one kind occur within so many blocks of a live chain, their cause is systematic: from
   * then on, blocks are not executed any more but applied as state diffs.
   */
  mismatchesAlike: 3,
  mismatchBlocks: 100,
  /**
   * Maximum number of log lines about blocks that are read from another source than configured. Each kind of reason is
   * logged once.
   */
  sourceKindsLoggedMax: 32,
  /**
   * Gas per block for speculative runs that look for missing state and find none: some 0.3 s of the publisher's time.
   */
  vainGasMax: 200_000_000,
  /** Contract codes whose constant slots and addresses are cached, at up to 3 KiB each. */
  namedCodesMax: 4096,
  /**
   * Slots and addresses that are prefetched because a code contains them as constants, and accounts whose code is
   * scanned at a time.
   */
  constantSlotsMax: 64,
  constantAddressesMax: 16,
  namingAccountsMax: 64,
  /**
   * Transactions for which access lists are requested at a time (eth_createAccessList). The node executes each of them.
   */
  accessListsPerExecutionMax: 64,
  /**
   * Maximum number of log lines about prefetched state that the upstream node refuses to return. Each reason is logged
   * once.
   */
  refusedHintsLoggedMax: 32,
  /** Expected maximum time to execute an increment, five times 200 ms. If it takes longer, `/readyz` returns 503. */
  incrementMs: 1000,
  /** Execution time after which an increment is aborted. A block of 2 s is over by then. */
  incrementMsMax: 2000,
  /** Expected maximum time to execute a confirmed block: on many chains there is one every 2 s. */
  blockMs: 2000,
  /** Execution time after which a confirmed block is aborted. Of Ethereum's 12 s, enough is then left to resync. */
  blockMsMax: 10_000,
  /**
   * Time after which the publisher interrupts execution to process arrived messages. An event-loop tick costs 10 us.
   */
  executionYieldMs: 10,
  /**
   * Maximum number of blocks between a retained block and the new head for which the state catches up block by block:
   * as many as are retained. With more blocks between, the state resyncs.
   */
  catchUpBlocksMax: 128,
  /** Blocks fetched at a time during a catch-up, while the previously fetched blocks are applied. */
  catchUpFetchedBlocks: 8,
  /**
   * Number of blocks below the head at which a new state starts, so that it survives a reorganization of that depth.
   */
  startBelowBlocks: 3,
  /** Time without a new head from the upstream node after which readiness fails: five of Ethereum's 12 s blocks. */
  headSilenceMsMax: 60_000,
  /** Time without a message from the pre-confirmation feed after which readiness fails: 25 increments of 200 ms. */
  feedSilenceMsMax: 5000,
  /**
   * Age of the `pending` state above which readiness fails while the feed runs. After a gap in the feed, the next block
   * renews it.
   */
  pendingAgeMsMax: 4000,
  /**
   * Number of blocks behind the upstream node's head above which readiness fails, if the delay by timestamps is
   * exceeded, too.
   */
  headLagBlocksMax: 3,
  /**
   * Delay behind the upstream node's head by block timestamps: ten blocks of 200 ms, so that one slow response of the
   * node does not end readiness.
   */
  headLagMsMax: 2000,
  /**
   * Time without a report of the publisher thread after which a live chain is not ready. There are two reports a
   * second.
   */
  liveStatusMsMax: 5000,
  /**
   * Keys of recently used state that are saved for the next start of a live chain, 53 bytes each on disk, 150 in
   * memory.
   */
  warmKeysMax: 200_000,
  /**
   * Saved keys whose state is fetched in one batch after a resync. Processing the response delays an increment by some
   * 2 ms.
   */
  warmBatchKeysMax: 256,
  /**
   * Time between two saves of the recently used keys to disk. If the process is killed, the keys since the last save
   * are lost.
   */
  warmSaveMs: 60_000,
  /**
   * System contract slots are prefetched for this many block numbers and this many seconds after the newest block: six
   * seconds of blocks of 200 ms, or two blocks of 12 s.
   */
  systemSlotsAhead: 32,
  /**
   * Unknown features of a chain that are reported, and characters of a feature's name. Both come from the node, so both
   * are bounded.
   */
  unknownFeaturesMax: 32,
  unknownFeatureChars: 60,
  /** Time between two queries of the upstream node's fork configuration: a fork may have been scheduled meanwhile. */
  rulesQueryMs: 600_000,
  /** Pause after a failure of the upstream node before the program tries again to follow a head. */
  followRetryMs: 1000,
  /**
   * After this many failed attempts in a row to follow a head, although the node responds, the head's block counts as
   * gone, and the state resyncs.
   */
  followTriesMax: 4,
} as const;
