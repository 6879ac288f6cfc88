// Bounds of the chains that are followed, imported or made. Runs on every thread.

/** Part of `LIMITS`. */
export const FEED_LIMITS = {
  /** Transactions from which on their senders are recovered on threads for it: to wake those costs as much as ten signatures. */
  sendersApartMin: 16,
  /**
   * Transactions that are decoded and then executed together while the senders of others are being recovered: more leave too
   * much to do when the last sender is there.
   */
  decodedTogetherMax: 16,
  /** Transactions whose senders are remembered until their block is confirmed, at 52 bytes each. A power of two. */
  sendersKeptMax: 32_768,
  /** Transactions waiting in the dev chain's pool, and of one sender. */
  poolTransactionsMax: 10_000,
  poolTransactionsPerSenderMax: 1000,
  /** Execution time of one of the dev chain's increments, after which the rest waits for the next: three quarters of its 200 ms. */
  devIncrementMsMax: 150,
  /** Part of that time for making traffic, at some 0.8 ms a transaction; traffic that finds no time is not sent. */
  devTrafficMsMax: 75,
  /**
   * Time for which a transaction to the dev chain that could be executed is answered behind its execution; where blocks
   * stay full it is answered then. Clients give a request 30 s, seldom more.
   */
  devSubmissionMsMax: 30_000,
  /** Snapshots of the dev chain that can be gone back to; the oldest gives way. */
  devSnapshotsMax: 1024,
  /** Time that a transaction may wait in the pool for its nonce or its fee; go-ethereum's three hours. */
  poolWaitMsMax: 3 * 3600 * 1000,
  /** Bytes of one raw transaction; go-ethereum's pool limit. */
  transactionBytesMax: 128 * 1024,
  /**
   * Bytes of a raw blob transaction with its blobs, and of types that are not known here; go-ethereum's limit for
   * blobs.
   */
  blobTransactionBytesMax: 1024 * 1024,
  /** Time between two reports of an import: a bar moves by as much as the eye can follow. */
  importProgressMs: 250,
  /** RLP bytes of one block of a chain file: six times EIP-7934's bound, which older chains did not have. */
  importBlockBytesMax: 64 * 1024 * 1024,
  /** Bytes of one feed message, as it comes and unpacked; a full block of call data as hex is a fifth of it. */
  feedFrameBytesMax: 16 * 1024 * 1024,
  /** Bytes of the transactions of one pre-confirmed block that are kept for building it again. */
  feedBlockBytesMax: 32 * 1024 * 1024,
  /** Feeds of one chain that are followed beside each other; every one of them is read and decoded in full. */
  feedsMax: 4,
  /** Openings of one block that are remembered, to tell a feed that is late from one that begins the block anew. */
  feedOpeningsMax: 8,
  /** Increments of one block; ten are usual. */
  feedIncrementsMax: 1024,
  /** Pre-confirmed blocks kept while they wait for their parent. */
  feedAheadBlocksMax: 5,
  /** Blocks that what is served may be ahead of the confirmed ones. */
  feedDepthBlocksMax: 3,
  /** Time from ping to ping on a feed's connection, and the pings without an answer after which it is given up. */
  feedPingMs: 1000,
  feedPingsUnansweredMax: 2,
  /** Time to connect to a feed. */
  feedHandshakeMsMax: 10_000,
  /**
   * Wait before the next connection to a feed: half to all of the least, doubled each time up to the most. The least is
   * the time between two increments, so that often none is missed and the block goes on.
   */
  feedRetryMsMin: 200,
  feedRetryMsMax: 20_000,
  /** Life of a connection to a feed after which the wait begins at its least again. */
  feedLivedMs: 10_000,
  /** Longest wait that a feed may ask for (Retry-After). */
  feedRetryAfterMsMax: 5 * 60_000,
  /** Followers of the dev chain's own feed, and bytes that one may leave unread before it is dropped. */
  devFeedClientsMax: 64,
  devFeedBacklogBytesMax: 4 * 1024 * 1024,
  /** Time that a record of a feed lies in memory before it is written: a kill can lose so much. */
  recordFlushMs: 500,
  /** Bytes of a record waiting to be written; beyond it frames are not recorded. */
  recordWaitingBytesMax: 64 * 1024 * 1024,
  /** Bytes of a record that are compressed and written together at the latest; brotli frames of 5 kB come to 200. */
  recordChunkBytes: 1024 * 1024,
  /** Mismatches of one kind after which a live chain is followed by diffs, and the blocks in which they come: no accident then. */
  mismatchesAlike: 3,
  mismatchBlocks: 100,
  /** Reasons for which blocks come another way than asked for that are told, each kind once. */
  wayKindsToldMax: 32,
  /** Gas of transactions of one block that are tried out again and find nothing missing: some 0.3 s of the publisher. */
  vainGasMax: 200_000_000,
  /** Codes whose slots and addresses are remembered, at up to 3 KiB each. */
  namedCodesMax: 4096,
  /** Slots and addresses that one code names and that are read ahead, and accounts whose code is looked at for one look. */
  constantSlotsMax: 64,
  constantAddressesMax: 16,
  namingAccountsMax: 64,
  /** Transactions of which the upstream node is asked at a time what they will read; it executes each of them. */
  listsPerLookMax: 64,
  /** Reasons for which the upstream node refused what might not have been needed that are told to the log, each once. */
  refusedHintsToldMax: 32,
  /** Expected execution time of an increment, that of five of 200 ms; a longer one makes `/readyz` 503 and counts as slow. */
  incrementMs: 1000,
  /** Execution time after which an increment is given up: its block, of 2 s, is over. */
  incrementMsMax: 2000,
  /** Expected execution time of a confirmed block: those of many chains come every 2 s. */
  blockMs: 2000,
  /** Execution time after which a confirmed block is given up: enough of Ethereum's 12 s is left to begin the state anew. */
  blockMsMax: 10_000,
  /** Execution time of transactions after which news that have arrived are let in; a turn of the event loop costs 10 us. */
  executionSliceMs: 10,
  /** Blocks between a kept one and a new head that are caught up with, as many as are kept; with more the state begins anew. */
  catchUpBlocksMax: 128,
  /** Blocks of a catch-up that are fetched at a time, while as many before them are taken. */
  catchUpFetchedBlocks: 8,
  /** Blocks below the head with which a state begins, so that it holds what a reorganization of so many goes back to. */
  beginBelowBlocks: 3,
  /** Silence of the upstream's heads after which readiness fails: five blocks of Ethereum's 12 s. */
  headSilenceMsMax: 60_000,
  /** Silence of a pre-confirmation feed after which readiness fails: 25 increments of 200 ms. */
  feedSilenceMsMax: 5000,
  /** Age of `pending` beside a running feed after which readiness fails: after a gap the next block, of 2 s, renews it. */
  pendingAgeMsMax: 4000,
  /** Blocks, and time by the chain's own clock, by both of which the upstream's head may be ahead of ours before readiness fails. */
  headLagBlocksMax: 3,
  /** Ten blocks of 200 ms: a slow answer of the node is no lag. */
  headLagMsMax: 2000,
  /** Silence of the publisher of a live chain, which reports twice a second, after which readiness fails. */
  liveStatusMsMax: 5000,
  /** Keys of a live chain that are remembered over a restart, at 53 bytes each on the disk and some 150 in memory. */
  warmKeysMax: 200_000,
  /** Keys of one batch that is read again after a beginning: an increment waits some 2 ms for its answer to be taken. */
  warmBatchKeysMax: 256,
  /** Time between two writings of those keys; a kill loses the keys since. */
  warmSaveMs: 60_000,
  /** Blocks and seconds whose system slots are read before they come: six seconds of 200 ms blocks, two blocks of 12 s. */
  systemSlotsAhead: 32,
  /** Things of a chain that are not known here and are told, and characters of a name: both come from the node. */
  strangersMax: 32,
  strangerNameChars: 60,
  /** Time after which the upstream is asked for its rules again: a fork may have been named since. */
  rulesAskedMs: 600_000,
  /** Time between two tries to follow a head after the upstream has failed. */
  followRetryMs: 1000,
  /** Failed tries in a row with a node that answers; then the block is gone, and the state begins anew at the head. */
  followTriesMax: 4,
} as const;
