// Bounds of RPC methods, responses and subscriptions.

export const RPC_LIMITS = {
  /** Maximum number of calls in one batch: go-ethereum's default. */
  batchCallsMax: 1000,
  /** Estimates and calls that are being executed by the upstream node, of all clients and of one. */
  nodeExecutionsMax: 256,
  nodeExecutionsPerClientMax: 64,
  /**
   * Number of characters up to which a request for an execution by the upstream node is merged with an equal request in
   * flight. Most requests are shorter.
   */
  nodeQuestionMergedCharacters: 16 * 1024,
  /**
   * Number of calls up to which a batch that is too large gets an error for each of its ids. A larger batch gets one
   * error without an id.
   */
  batchIdsMax: 10_000,
  /** Bytes of one response, in which all calls of a batch count together: go-ethereum's default. */
  responseBytesMax: 25_000_000,
  /** Bytes of all responses that are being built. A response that no longer fits is replaced by an error. */
  answersBytesMax: 64 * 1024 * 1024,
  /**
   * A response of at least this many bytes is large. A client's large responses are written one at a time, and at most
   * `largeAnswersMax` of all clients.
   */
  largeAnswerBytesMin: 1024 * 1024,
  largeAnswersMax: 4,
  /** Bytes per millisecond of large responses to one client while other clients send requests: 33 MB a second. */
  largeAnswerBytesPerMs: 32 * 1024,
  /**
   * Memory of large responses and bodies: allocations from this size on are returned to the operating system when they
   * are freed.
   */
  mappedBlockBytes: 4 * 1024 * 1024,
  /** A response up to this many bytes is never refused for lack of memory. */
  smallAnswerBytes: 16 * 1024,
  /**
   * Requests a second up to which every request is timed, which takes 0.3 % of the main thread. Beyond it, one request
   * of N is timed; `timingStepMax` is the largest N.
   */
  timedRequestsMax: 1000,
  timingStepMax: 128,
  /**
   * Bodies longer than this wait for a later tick when the main thread's time slice is used up. Reading overrides takes
   * up to 40 ns a byte.
   */
  bodyAtOnceBytesMax: 16 * 1024,
  /**
   * Bodies from this length on are joined, decoded and answered in several time slices. The longest single step took
   * some 8 ms, for 5 MB on cores that attackers kept busy.
   */
  bodyInStepsBytesMin: 512 * 1024,
  /** Memory for long bodies that is retained while there are no long bodies: two of the largest. */
  longBodiesKeptBytesMax: 16 * 1024 * 1024,
  /** Memory for long byte strings in parameters that is retained while there are no such strings. */
  pooledBytesKeptMax: 16 * 1024 * 1024,
  /** Bytes of a body of plain reads, and of its response: a full batch of storage reads, which takes 0.1 ms. */
  plainBodyBytesMax: 256 * 1024,
  plainAnswerBytesMax: 256 * 1024,
  /** JSON values in the params of one call: more than any list that is accepted. Parsing them takes up to 3 ms. */
  paramsValuesMax: 8192,
  /** Accounts and slots in the state override of one call. Each takes some 3 us to read and encode. */
  overridesMax: 1024,
  /** Depth of nested JSON values. No supported call is deeper than 8. */
  jsonDepthMax: 64,
  /** Unanswered calls of one WebSocket: as many as a batch may have. */
  socketCallsMax: 1000,
  /** Slots of one eth_getStorageValues: go-ethereum's limit. */
  storageValuesMax: 1024,
  /**
   * Blocks in one eth_feeHistory. Reading a block takes 0.2 to 0.6 ms the first time; then its cached row is used, in 5
   * us.
   */
  feeHistoryBlocksMax: 128,
  /** Transactions and blocks in the cached rows of fee methods, at some 50 bytes each. */
  feeRowItemsMax: 200_000,
  /**
   * Maximum number of blocks that one eth_getLogs searches, and of logs that it returns. A block that is excluded by
   * its bloom filter takes some 20 us.
   */
  logsBlocksMax: 10_000,
  logsMax: 10_000,
  /**
   * Addresses in a log filter, or topics at one position; and number of topic positions (LOG4 has four). As in
   * go-ethereum.
   */
  filterItemsMax: 1000,
  topicsMax: 4,
  /**
   * Chain events that are retained for filters and for subscriptions that resume, by number and by bytes. This is
   * enough for the increments of some minutes.
   */
  eventsKeptMax: 4096,
  eventBytesMax: 32 * 1024 * 1024,
  /** Subscriptions of one WebSocket, and of all. */
  subscriptionsPerSocketMax: 100,
  subscriptionsMax: 100_000,
  /** Addresses and slots in one subscription. */
  subscriptionKeysMax: 1000,
  /**
   * Maximum number of watched calls of one WebSocket, and of all WebSockets. Equal calls count once. Each takes some 2
   * KB.
   */
  watchedCallsPerSocketMax: 64,
  watchedCallsMax: 16_384,
  /** Bytes of a watched call's parameters as JSON. A call with 24 KiB of code in an override fits. */
  watchedCallBytesMax: 64 * 1024,
  /** Bytes of a watched call's result as JSON. The longest contract code fits. */
  watchedAnswerBytesMax: 64 * 1024,
  /** Bytes of the parameters and results of all watched calls. */
  watchedBytesMax: 64 * 1024 * 1024,
  /** Accounts and slots that all watched calls read, at some 300 bytes each. */
  watchedKeysMax: 262_144,
  /**
   * Lists of watched calls that are updated at the same time. Other lists wait, and are then updated to the newest
   * state version.
   */
  watchRoundsMax: 32,
  /**
   * Maximum number of different sets of options for which increments are traced, in total and for one client. Each set
   * needs another execution of every increment. The third limit is the number of blocks that may wait for their traces;
   * an older block gets an error instead.
   */
  traceTopicsMax: 64,
  traceTopicsPerClientMax: 8,
  tracedBlocksMax: 4,
  /** Filters that clients poll, and the time after which a filter that is not polled is dropped. */
  filtersMax: 4096,
  filterIdleMsMax: 300_000,
  /**
   * Default and maximum time that eth_sendRawTransactionSync waits (EIP-7966), and number of requests that may wait at
   * a time.
   */
  receiptWaitMs: 2000,
  receiptWaitMsMax: 30_000,
  receiptWaitersMax: 1000,
  /**
   * A submitted transaction counts in its sender's nonce for at least so many blocks and milliseconds. A transaction
   * that is not included after three blocks is late, but three blocks of 200 ms are less than it needs to propagate
   * through the mempool.
   */
  ownSendBlocksMax: 3,
  ownSendMsMin: 3000,
  /**
   * Bytes of the submitted transactions that count in nonces, of all clients and of one, and the bytes of bookkeeping
   * added for each. One client may have some 6,000: 200 a second for 30 seconds.
   */
  ownSendsBytesMax: 16 * 1024 * 1024,
  ownSendsBytesPerClientMax: 4 * 1024 * 1024,
  ownSendOverheadBytes: 512,
  /**
   * Senders whose submitted transactions count in nonces at `pending`. They include senders of transactions that other
   * instances have submitted.
   */
  ownSendSendersMax: 65_536,
  /**
   * The node's response about a transaction may refer to a block that this program has not received yet. The response
   * is then held back for up to this many milliseconds; delays of 31 to 309 were observed.
   */
  headWaitMs: 1000,
  /** Decoded transactions and blocks that are cached for queries of receipts and logs, at some 2 KB each. */
  decodedTransactionsMax: 16_384,
  /** Bytes of complete blocks that are cached as JSON. */
  blockTextBytesMax: 16 * 1024 * 1024,
  /** Reward percentiles in one eth_feeHistory: go-ethereum's limit. */
  feeHistoryPercentilesMax: 100,
  /**
   * Time that a call may spend on fetching state from the upstream node. Estimates and eth_call have their own
   * time-out.
   */
  fillMsMax: 5000,
  /** Time for a call that is forwarded to the upstream node. Searching the logs of many blocks takes a node seconds. */
  passedOnMsMax: 10_000,
  /**
   * Maximum number of runs of an execution that misses state and starts again when it is fetched. Each run may need
   * state whose key depends on values that were missing before.
   */
  missRoundsMax: 256,
  /**
   * Maximum number of attempts to fetch the same missing state. It has to be fetched again if the state table was reset
   * meanwhile.
   */
  fillTriesMax: 4,
} as const;
