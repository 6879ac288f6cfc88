// Bounds of RPC methods, responses and subscriptions.

export const RPC_LIMITS = {
  /** Calls in one batch: go-ethereum's default. */
  batchCallsMax: 1000,
  /** Estimates and calls forwarded to the upstream node at a time, of all clients and of one. */
  nodeExecutionsMax: 256,
  nodeExecutionsPerClientMax: 64,
  /** Characters of such a request up to which it is merged with an equal one in flight. Most are shorter. */
  nodeQuestionMergedCharacters: 16 * 1024,
  /** Calls up to which a too large batch gets an error for each id; beyond it, one error without an id. */
  batchIdsMax: 10_000,
  /** Bytes of one response, where all calls of a batch count together: go-ethereum's default. */
  responseBytesMax: 25_000_000,
  /** Bytes of all responses that are being built. A response that no longer fits is replaced by an error. */
  answersBytesMax: 64 * 1024 * 1024,
  /** Responses from this length on are written one at a time per client, and so many at a time in all. */
  largeAnswerBytesMin: 1024 * 1024,
  largeAnswersMax: 4,
  /** Bytes a millisecond of a client's large responses while others send requests: 33 MB a second. */
  largeAnswerBytesPerMs: 32 * 1024,
  /** Memory blocks of large responses and bodies: from this size on, freed ones go back to the system. */
  mappedBlockBytes: 4 * 1024 * 1024,
  /** Bytes up to which a response is never refused for lack of memory. */
  smallAnswerBytes: 16 * 1024,
  /** Requests a second that are all timed, 0.3 % of main. Beyond it one in N is; N is at most the second. */
  timedRequestsMax: 1000,
  timingStepMax: 128,
  /** Longer bodies wait for a later tick when main's slice is used up. Overrides take up to 40 ns a byte. */
  bodyAtOnceBytesMax: 16 * 1024,
  /**
   * Bodies from this length on are joined, decoded and answered in several time slices. The longest single step took
   * some 8 ms, for 5 MB on cores that attackers kept busy.
   */
  bodyInStepsBytesMin: 512 * 1024,
  /** Memory that is retained for long bodies while there are none: two of the largest. */
  longBodiesKeptBytesMax: 16 * 1024 * 1024,
  /** Memory that is retained for long byte strings in their parameters while there are none. */
  pooledBytesKeptMax: 16 * 1024 * 1024,
  /** Bytes of a body of plain reads, and of its response: a full batch of storage reads, 0.1 ms. */
  plainBodyBytesMax: 256 * 1024,
  plainAnswerBytesMax: 256 * 1024,
  /** JSON values in the params of one call: more than any accepted list. Parsing them takes up to 3 ms. */
  paramsValuesMax: 8192,
  /** Accounts and slots in the state override of one call. Each takes some 3 us to read and encode. */
  overridesMax: 1024,
  /** Depth of nested JSON values. No supported call is deeper than 8. */
  jsonDepthMax: 64,
  /** Calls of one WebSocket that are not answered yet: as many as a batch may have. */
  socketCallsMax: 1000,
  /** Slots of one eth_getStorageValues: go-ethereum's limit. */
  storageValuesMax: 1024,
  /** Blocks of one eth_feeHistory. Reading a block takes 0.2 to 0.6 ms; after that its cached row is used, in 5 us. */
  feeHistoryBlocksMax: 128,
  /** Transactions and blocks in the rows cached for fee methods, at some 50 bytes each. */
  feeRowItemsMax: 200_000,
  /** Blocks that an eth_getLogs searches, some 20 us each without a match in the bloom filter, and its logs. */
  logsBlocksMax: 10_000,
  logsMax: 10_000,
  /** Addresses in a log filter, or topics at one position, and positions (LOG4 has four), as in go-ethereum. */
  filterItemsMax: 1000,
  topicsMax: 4,
  /** Events kept for filters and subscriptions that resume, by number and bytes: minutes of increments. */
  eventsKeptMax: 4096,
  eventBytesMax: 32 * 1024 * 1024,
  /** Subscriptions of one WebSocket, and in total. */
  subscriptionsPerSocketMax: 100,
  subscriptionsMax: 100_000,
  /** Addresses and slots in one subscription. */
  subscriptionKeysMax: 1000,
  /** Watched calls of one WebSocket, and in total, where equal calls count once: some 2 KB each. */
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
  /** Watch lists that are updated at the same time. The others wait, and are then updated to the newest version. */
  watchRoundsMax: 32,
  /**
   * Traces of increments with different options that are subscribed to, in total and by one client, since each needs
   * another execution of every increment. The third number is how many blocks may wait for their trace; an older block
   * gets an error instead.
   */
  traceTopicsMax: 64,
  traceTopicsPerClientMax: 8,
  tracedBlocksMax: 4,
  /** Filters for clients that poll, and the time after which a filter that is not polled is dropped. */
  filtersMax: 4096,
  filterIdleMsMax: 300_000,
  /** Default and longest wait of eth_sendRawTransactionSync (EIP-7966), and how many may wait at a time. */
  receiptWaitMs: 2000,
  receiptWaitMsMax: 30_000,
  receiptWaitersMax: 1000,
  /**
   * A submitted transaction counts for its sender's nonce for at least this many blocks and this many milliseconds. A
   * transaction that is not included after three blocks is late, but three blocks of 200 ms are less than the mempool
   * needs to propagate it.
   */
  ownSendBlocksMax: 3,
  ownSendMsMin: 3000,
  /**
   * Bytes of the submitted transactions that count, of all clients and of one, and the bookkeeping added for each. One
   * client may have some 6,000: 200 a second for 30 seconds.
   */
  ownSendsBytesMax: 16 * 1024 * 1024,
  ownSendsBytesPerClientMax: 4 * 1024 * 1024,
  ownSendOverheadBytes: 512,
  /** Senders of these transactions. They include the senders of transactions that other instances have submitted. */
  ownSendSendersMax: 65_536,
  /**
   * The node's response about a transaction may refer to a block that has not arrived here. It is then held back for up
   * to this many milliseconds; delays of 31 to 309 were observed.
   */
  headWaitMs: 1000,
  /** Decoded transactions and blocks cached for queries of receipts and logs, at some 2 KB each. */
  decodedTransactionsMax: 16_384,
  /** Bytes of the blocks that are cached as JSON. */
  blockTextBytesMax: 16 * 1024 * 1024,
  /** Reward percentiles of one eth_feeHistory: go-ethereum's limit. */
  feeHistoryPercentilesMax: 100,
  /** Time of one call for state from the upstream node; estimates and eth_call have their own time-out. */
  fillMsMax: 5000,
  /** Time for a call that is forwarded to the upstream node. Searching the logs of many blocks takes it seconds. */
  passedOnMsMax: 10_000,
  /** Runs of an execution that find missing state and start again: each finds keys that depend on values read. */
  missRoundsMax: 256,
  /** Attempts to fetch the same missing state. It is fetched again if the state table was resynced meanwhile. */
  fillTriesMax: 4,
} as const;
