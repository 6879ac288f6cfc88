// Bounds of methods, answers and subscriptions. Runs on every thread.

/** Part of `LIMITS`. */
export const RPC_LIMITS = {
  /** Calls in one batch; go-ethereum's default. */
  batchCallsMax: 1000,
  /** Estimates and calls that the upstream node is asked for at a time; a client has a quarter of them. */
  nodeExecutionsMax: 256,
  nodeExecutionsPerClientMax: 64,
  /** Characters of such a question up to which it is kept to be compared with others: most calls are shorter. */
  nodeQuestionMergedCharacters: 16 * 1024,
  /** Ids answered of a batch that is too large; one of so many calls gets one error without an id. */
  batchIdsMax: 10_000,
  /** Bytes of one answer, a batch's calls together; go-ethereum's default. */
  responseBytesMax: 25_000_000,
  /** Bytes of answers that are being made, all together; an answer that no longer fits is refused. */
  answersBytesMax: 64 * 1024 * 1024,
  /** Answers from this length on are written one at a time a client, and so many at a time of all clients. */
  largeAnswerBytesMin: 1024 * 1024,
  largeAnswersMax: 4,
  /** Pace of a client's large answers while others ask, bytes a millisecond: 33 MB a second. */
  largeAnswerBytesPerMs: 32 * 1024,
  /** Blocks of memory from this size on go back to the system when they are freed: large answers and bodies. */
  mappedBlockBytes: 4 * 1024 * 1024,
  /** Bytes of an answer that is never refused for want of memory for answers. */
  smallAnswerBytes: 16 * 1024,
  /**
   * Requests a second that are all timed: three thousandths of main's time. Above this rate one request in N is timed, N at
   * most the second number.
   */
  timedRequestsMax: 1000,
  timingStepMax: 128,
  /** Length of a body above which it waits for a turn once main's slice is over: reading overrides takes up to 40 ns a byte. */
  bodyAtOnceBytesMax: 16 * 1024,
  /** Bodies from this length on are made one piece, decoded and answered in slices of their own: each takes up to 3 ms. */
  bodyInStepsBytesMin: 512 * 1024,
  /** Memory kept for long bodies in one piece when there are none: two of the largest. */
  longBodiesKeptBytesMax: 16 * 1024 * 1024,
  /** Bytes of a body that may be of plain reads alone, and of its answer: a full batch of storage words fits; it takes 0.1 ms. */
  plainBodyBytesMax: 256 * 1024,
  plainAnswerBytesMax: 256 * 1024,
  /** Values in the params of one call: more than any list or override of ours needs; parsing them takes up to 3 ms. */
  paramsValuesMax: 8192,
  /** Accounts and slots in the state override of one call: reading and packing one takes some 3 us. */
  overridesMax: 1024,
  /** Nesting of JSON; no call of ours is deeper than 8. */
  jsonDepthMax: 64,
  /** Calls of one WebSocket that may wait for their answers: as many as a batch has. */
  socketCallsMax: 1000,
  /** Slots of one eth_getStorageValues; go-ethereum's limit. */
  storageValuesMax: 1024,
  /** Blocks of one eth_feeHistory; a block is read once, 0.2 to 0.6 ms, and shown from a row from then on, 5 us. */
  feeHistoryBlocksMax: 128,
  /** Transactions and blocks in the rows that are kept for fee methods, at some 50 bytes each. */
  feeRowItemsMax: 200_000,
  /** Blocks that eth_getLogs looks through, at some 20 us each where their bloom has no match; and logs that it answers. */
  logsBlocksMax: 10_000,
  logsMax: 10_000,
  /** Addresses, or topics of one position, in a log filter; and positions (yellow paper: LOG4). As go-ethereum. */
  filterItemsMax: 1000,
  topicsMax: 4,
  /** Events kept for filters and for subscriptions that resume, some minutes of increments, and bytes of their changes. */
  eventsKeptMax: 4096,
  eventBytesMax: 32 * 1024 * 1024,
  /** Subscriptions of one WebSocket, and of all. */
  subscriptionsPerSocketMax: 100,
  subscriptionsMax: 100_000,
  /** Addresses and slots that one subscription names. */
  subscriptionKeysMax: 1000,
  /** Calls that one WebSocket watches, and calls that are watched in all, equal ones once: some 2 KB each. */
  watchedCallsPerSocketMax: 64,
  watchedCallsMax: 16_384,
  /** Bytes of one watched call's parameters as JSON; a call with 24 KiB of code in an override fits. */
  watchedCallBytesMax: 64 * 1024,
  /** Bytes of one watched answer as JSON: the longest code fits. */
  watchedAnswerBytesMax: 64 * 1024,
  /** Bytes of the parameters and answers of all watched calls. */
  watchedBytesMax: 64 * 1024 * 1024,
  /** Accounts and slots that all watched calls read, at some 300 bytes each. */
  watchedKeysMax: 262_144,
  /** Watch lists that are brought up to date at a time: what waits is brought to the newest version when its turn has come. */
  watchRoundsMax: 32,
  /** Filters for clients that poll, and the time after which one that nobody asks is dropped. */
  filtersMax: 4096,
  filterIdleMsMax: 300_000,
  /** Time that eth_sendRawTransactionSync waits by itself, and may be told to (EIP-7966); and those that may wait at a time. */
  receiptWaitMs: 2000,
  receiptWaitMsMax: 30_000,
  receiptWaitersMax: 1000,
  /**
   * A transaction that was sent counts until so many blocks lie above the newest one of then, and so many milliseconds have passed:
   * what a node has not brought into three blocks is late, and three blocks of 200 ms are less than a mempool takes to be heard.
   */
  ownSendBlocksMax: 3,
  ownSendMsMin: 3000,
  /**
   * Bytes of transactions on their way, of all clients and of one, and of those that are settled and may come back with a reorg; the
   * bookkeeping of each counts, too: some 6,000 of one client, 30 seconds of 200 a second.
   */
  ownSendsBytesMax: 16 * 1024 * 1024,
  ownSendsBytesPerClientMax: 4 * 1024 * 1024,
  ownSendsSettledBytesMax: 8 * 1024 * 1024,
  ownSendOverheadBytes: 512,
  /** Fates that one answer tells, the newest: 2 us each; and filters by which one client is told of fates as they change. */
  ownSendsToldMax: 1000,
  ownSendFiltersPerClientMax: 100,
  /** Senders of these transactions: as many as there may be of them, where all that are settled come back. */
  ownSendSendersMax: 65_536,
  /** Time that the node's word of a transaction in a block to come waits for that block, milliseconds: 31 to 309 were seen. */
  headWaitMs: 1000,
  /** Transactions and blocks that are kept decoded for look-ups of receipts and logs, at some 2 KB each. */
  decodedTransactionsMax: 16_384,
  /** Bytes of the blocks that are kept as JSON text. */
  blockTextBytesMax: 16 * 1024 * 1024,
  /** Reward percentiles of one eth_feeHistory; go-ethereum's limit. */
  feeHistoryPercentilesMax: 100,
  /** Time that one call may spend on reading state from the upstream node; for estimates and eth_call it is their timeout. */
  fillMsMax: 5000,
  /** Time for a call that is passed on to the upstream node: logs of many blocks take it seconds. */
  passedOnMsMax: 10_000,
  /** Passes of one execution, each of which found state missing: as deep as calls depend on what was read before. */
  missRoundsMax: 256,
  /** Reads of the same missing state, tried again where the table was begun anew meanwhile. */
  fillTriesMax: 4,
} as const;
