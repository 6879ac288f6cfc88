// Bounds of methods, responses and subscriptions.

/** Part of `LIMITS`. */
export const RPC_LIMITS = {
  /** Calls in one batch; go-ethereum's default. */
  batchCallsMax: 1000,
  /** Estimates and calls that are forwarded to the upstream node at a time; a client has a quarter of them. */
  nodeExecutionsMax: 256,
  nodeExecutionsPerClientMax: 64,
  /** Characters of such a request up to which it is merged with equal ones: most calls are shorter. */
  nodeQuestionMergedCharacters: 16 * 1024,
  /** Ids in the error response to a batch that is too large; beyond that the batch gets one error without an id. */
  batchIdsMax: 10_000,
  /** Bytes of one response, a batch's calls together; go-ethereum's default. */
  responseBytesMax: 25_000_000,
  /** Bytes of responses that are being built, all together; a response that no longer fits is refused. */
  answersBytesMax: 64 * 1024 * 1024,
  /** Responses from this length on are written one at a time per client, and so many at a time for all clients. */
  largeAnswerBytesMin: 1024 * 1024,
  largeAnswersMax: 4,
  /** Rate of a client's large responses while others send requests, bytes a millisecond: 33 MB a second. */
  largeAnswerBytesPerMs: 32 * 1024,
  /** Memory blocks from this size on are returned to the system when they are freed: large responses and bodies. */
  mappedBlockBytes: 4 * 1024 * 1024,
  /** Bytes of a response that is never refused for lack of response memory. */
  smallAnswerBytes: 16 * 1024,
  /**
   * Requests a second that are all timed: three thousandths of main's time. Above this rate one request in N is timed,
   * where N is at most the second number.
   */
  timedRequestsMax: 1000,
  timingStepMax: 128,
  /**
   * Length of a body above which it waits for a later tick once main's slice is used up: reading overrides takes up to
   * 40 ns a byte.
   */
  bodyAtOnceBytesMax: 16 * 1024,
  /**
   * Bodies from this length on are joined, decoded and answered in slices of their own. The longest step, of 5 MB beside
   * attackers on the same cores, takes some 8 ms.
   */
  bodyInStepsBytesMin: 512 * 1024,
  /** Memory retained for long bodies in one piece when there are none: two of the largest. */
  longBodiesKeptBytesMax: 16 * 1024 * 1024,
  /** Memory retained for long bytes of their parameters when there are none. */
  pooledBytesKeptMax: 16 * 1024 * 1024,
  /**
   * Bytes of a body that consists of plain reads only, and of its response: a full batch of storage words fits; it
   * takes 0.1 ms.
   */
  plainBodyBytesMax: 256 * 1024,
  plainAnswerBytesMax: 256 * 1024,
  /** Values in the params of one call: more than any list or override of ours needs; parsing them takes up to 3 ms. */
  paramsValuesMax: 8192,
  /** Accounts and slots in the state override of one call: reading and packing one takes some 3 us. */
  overridesMax: 1024,
  /** Nesting of JSON; no call of ours is deeper than 8. */
  jsonDepthMax: 64,
  /** Unanswered calls of one WebSocket: as many as a batch has. */
  socketCallsMax: 1000,
  /** Slots of one eth_getStorageValues; go-ethereum's limit. */
  storageValuesMax: 1024,
  /**
   * Blocks of one eth_feeHistory; a block is read once, 0.2 to 0.6 ms, and answered from a cached row from then on, 5
   * us.
   */
  feeHistoryBlocksMax: 128,
  /** Transactions and blocks in the rows that are cached for fee methods, at some 50 bytes each. */
  feeRowItemsMax: 200_000,
  /** Blocks that eth_getLogs searches, at some 20 us each if their bloom has no match; and logs that it returns. */
  logsBlocksMax: 10_000,
  logsMax: 10_000,
  /** Addresses, or topics of one position, in a log filter; and positions (yellow paper: LOG4). As go-ethereum. */
  filterItemsMax: 1000,
  topicsMax: 4,
  /**
   * Events buffered for filters and for subscriptions that resume, some minutes of increments, and bytes of their
   * changes.
   */
  eventsKeptMax: 4096,
  eventBytesMax: 32 * 1024 * 1024,
  /** Subscriptions of one WebSocket, and in total. */
  subscriptionsPerSocketMax: 100,
  subscriptionsMax: 100_000,
  /** Addresses and slots in one subscription. */
  subscriptionKeysMax: 1000,
  /** Calls that one WebSocket watches, and watched calls in total, equal ones once: some 2 KB each. */
  watchedCallsPerSocketMax: 64,
  watchedCallsMax: 16_384,
  /** Bytes of one watched call's parameters as JSON; a call with 24 KiB of code in an override fits. */
  watchedCallBytesMax: 64 * 1024,
  /** Bytes of one watched result as JSON: the longest code fits. */
  watchedAnswerBytesMax: 64 * 1024,
  /** Bytes of the parameters and results of all watched calls. */
  watchedBytesMax: 64 * 1024 * 1024,
  /** Accounts and slots that all watched calls read, at some 300 bytes each. */
  watchedKeysMax: 262_144,
  /** Watch lists that are updated at a time: a waiting one is updated to the newest version when its turn has come. */
  watchRoundsMax: 32,
  /**
   * Different traces of increments that are subscribed to, in total and by one client: each is an execution of every
   * increment. And blocks that wait for their traces: of an older one there is an error instead.
   */
  traceTopicsMax: 64,
  traceTopicsPerClientMax: 8,
  tracedBlocksMax: 4,
  /** Filters for clients that poll, and the time after which one that is not polled is dropped. */
  filtersMax: 4096,
  filterIdleMsMax: 300_000,
  /**
   * Time that eth_sendRawTransactionSync waits by default, and at most on request (EIP-7966); and how many may wait at
   * a time.
   */
  receiptWaitMs: 2000,
  receiptWaitMsMax: 30_000,
  receiptWaitersMax: 1000,
  /**
   * A submitted transaction counts until so many blocks follow the block that was newest then, and so many milliseconds
   * have passed: what a node has not included within three blocks is late, and three blocks of 200 ms are less than a
   * transaction takes to propagate through a mempool.
   */
  ownSendBlocksMax: 3,
  ownSendMsMin: 3000,
  /**
   * Bytes of submitted transactions that count, of all clients and of one; the bookkeeping of each counts, too: some
   * 6,000 of one client, 30 seconds of 200 a second.
   */
  ownSendsBytesMax: 16 * 1024 * 1024,
  ownSendsBytesPerClientMax: 4 * 1024 * 1024,
  ownSendOverheadBytes: 512,
  /** Senders of these transactions: as many as there may be transactions, with those of other instances. */
  ownSendSendersMax: 65_536,
  /**
   * Time for which the node's answer about a transaction in an unknown new block is held back until that block is here,
   * milliseconds: 31 to 309 were observed.
   */
  headWaitMs: 1000,
  /** Transactions and blocks that are cached decoded for look-ups of receipts and logs, at some 2 KB each. */
  decodedTransactionsMax: 16_384,
  /** Bytes of the blocks that are cached as JSON strings. */
  blockTextBytesMax: 16 * 1024 * 1024,
  /** Reward percentiles of one eth_feeHistory; go-ethereum's limit. */
  feeHistoryPercentilesMax: 100,
  /**
   * Time that one call may spend fetching state from the upstream node; for estimates and eth_call it is their
   * time-out.
   */
  fillMsMax: 5000,
  /** Time for a call that is forwarded to the upstream node: logs of many blocks take it seconds. */
  passedOnMsMax: 10_000,
  /** Runs of one execution, each of which found missing state: as deep as calls depend on what was read before. */
  missRoundsMax: 256,
  /** Fetches of the same missing state, repeated if the table was resynced meanwhile. */
  fillTriesMax: 4,
} as const;
