// Every bound of the service, with its unit and its reason. Relations are asserted when the module loads.
// Runs on every thread.

/** Bounds by name, the unit last. A flag that sets one has its default or its upper bound here. */
export const LIMITS = {
  /** Largest HTTP body or WebSocket message. go-ethereum's default; a batch of 1000 estimates of 4 KiB fits. */
  bodyBytesMax: 5 * 1024 * 1024,
  /** Calls in one batch; go-ethereum's default. */
  batchCallsMax: 1000,
  /** Ids answered of a batch that is too large; one of so many calls gets one error without an id. */
  batchIdsMax: 10_000,
  /** Bytes of one answer, a batch's calls together; go-ethereum's default. */
  responseBytesMax: 25_000_000,
  /** Return data or revert data of one call: twice as many hex digits must fit the answer. Gas for memory ends at 4.9 MB. */
  returnBytesMax: 8 * 1024 * 1024,
  /** Bytes of answers that are being made, all together; what no longer fits is refused. */
  answersBytesMax: 64 * 1024 * 1024,
  /** Bytes a millisecond of answers with long return data that a client has while others ask: a fifth of a core, with its reader. */
  largeAnswerBytesPerMs: 32 * 1024,
  /** Memory kept for large answers and bodies when there are none: one of the largest answers, and some. */
  chunksKeptBytesMax: 32 * 1024 * 1024,
  /** Time without need for more of that memory, after which 4 MiB of it go back to the system. */
  chunksIdleMs: 200,
  /** Blocks of memory from this size on go back to the system when they are freed: large answers and bodies. */
  mappedBlockBytes: 4 * 1024 * 1024,
  /** An answer that is never refused for want of that memory. */
  smallAnswerBytes: 16 * 1024,
  /** Time that main works at a stretch for one body; what is left goes on in a later turn, after a rest when others come. */
  mainSliceMs: 2,
  /** Time that main works in a turn of the event loop for what arrives, on all connections together; what is left waits. */
  turnMsMax: 2,
  /** Requests a second that are all timed: three thousandths of main's time. Of more, one in so many is, up to the second number. */
  timedRequestsMax: 1000,
  timingStepMax: 128,
  /** Bodies longer than this wait for such a turn when others are at work: reading overrides takes up to 40 ns a byte. */
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
  /** Bytes in params from this length on have memory that is used again; what is kept of it when nobody needs it. */
  longParamBytesMin: 64 * 1024,
  longParamsKeptBytesMax: 16 * 1024 * 1024,
  /** Nesting of JSON; no call of ours is deeper than 8. */
  jsonDepthMax: 64,
  /** Memory of bodies being received in pieces, all connections together; beyond it 503. Fifty of the largest. */
  bodiesBytesMax: 256 * 1024 * 1024,
  /** The same of one client: a quarter, as one client is not to lock out the others. */
  bodiesBytesPerClientMax: 64 * 1024 * 1024,
  /** Bodies being received in pieces, and those of one client; each takes some 2 KiB beside its bytes. */
  bodiesMax: 16_384,
  bodiesPerClientMax: 4096,
  /** Silence after which an HTTP connection is closed that waits for no answer, in seconds; answers tell it to clients. */
  connectionIdleSMax: 10,
  /** Time to receive a whole request body. */
  bodyReceiveMsMax: 10_000,
  /** Time for which a connection whose answer is not ready is not read. Nearly all answers are ready within it. */
  answerPatienceMs: 1000,
  /** Answers kept for clients that read slowly, all connections together; beyond it the slowest is closed. */
  unsentBytesMax: 256 * 1024 * 1024,
  /** The same for one client: a quarter. */
  unsentBytesPerClientMax: 64 * 1024 * 1024,
  /** Time for which a client may take nothing of an answer; on slow lines a window of data takes a few seconds. */
  unsentStallMsMax: 30_000,
  /** WebSockets that may be open at once, so that file descriptors never run out, and those of one client. */
  socketsMax: 10_000,
  socketsPerClientMax: 2500,
  /** WebSockets whose messages may be as large as a body, and those of one client. */
  largeSocketsMax: 32,
  largeSocketsPerClientMax: 8,
  /** Largest message of all other WebSockets. A call with 16 KiB of data fits. */
  smallMessageBytesMax: 32 * 1024,
  /** Memory of WebSocket messages that have not come to their end: uWebSockets.js keeps them and tells nobody. */
  socketMessagesBytesMax: 512 * 1024 * 1024,
  /** Calls of one WebSocket that may wait for their answers: as many as a batch has. */
  socketCallsMax: 1000,
  /** Silence after which a WebSocket is closed, in seconds; pings go out before. */
  socketIdleSMax: 120,
  /** Gas of one call or estimate; go-ethereum's RPC gas cap. */
  gasCapDefault: 50_000_000,
  /** Slots of one eth_getStorageValues; go-ethereum's limit. */
  storageValuesMax: 1024,
  /** Blocks of one eth_feeHistory; a block is read once, 0.2 to 0.6 ms, and shown from a row from then on, 5 us. */
  feeHistoryBlocksMax: 128,
  /** Transactions and blocks in the rows that are kept for fee methods, at some 50 bytes each. */
  feeRowItemsMax: 200_000,
  /** Blocks that eth_getLogs looks through, at some 20 us each where their bloom has no match; and logs that it answers. */
  logsBlocksMax: 10_000,
  logsMax: 10_000,
  /** Bytes that searches for logs hold while they wait for main's time, all together and of one client. */
  logSearchBytesMax: 128 * 1024 * 1024,
  logSearchBytesPerClientMax: 32 * 1024 * 1024,
  /** Addresses, or topics of one position, in a log filter; and positions (yellow paper: LOG4). As go-ethereum. */
  filterItemsMax: 1000,
  topicsMax: 4,
  /** Events kept for filters and for subscriptions that resume: some minutes of increments. And bytes of their changes. */
  eventsKeptMax: 4096,
  eventBytesMax: 32 * 1024 * 1024,
  /** Subscriptions of one WebSocket, and of all. */
  subscriptionsPerSocketMax: 100,
  subscriptionsMax: 100_000,
  /** Addresses and slots that one subscription names. */
  subscriptionKeysMax: 1000,
  /** Bytes that may wait on a WebSocket before it is told nothing more. */
  pushBacklogBytesMax: 1024 * 1024,
  /** Calls that one WebSocket watches, and calls that are watched in all, equal ones once: some 2 KB each. */
  watchedCallsPerSocketMax: 64,
  watchedCallsMax: 16_384,
  /** Bytes of one watched call's parameters as JSON; a call with 24 KiB of code in an override fits. */
  watchedCallBytesMax: 64 * 1024,
  /** Bytes of one watched answer as JSON: the longest code fits. */
  watchedAnswerBytesMax: 64 * 1024,
  /** Bytes of the parameters and answers of all watched calls. */
  watchedBytesMax: 64 * 1024 * 1024,
  /** Accounts and slots that a watched call may read; one that reads more is run again at every version. */
  watchedReadsMax: 1024,
  /** The same of all watched calls, at some 300 bytes each. */
  watchedKeysMax: 262_144,
  /** Watch lists that are brought up to date at a time: what waits is brought to the newest version when its turn has come. */
  watchRoundsMax: 32,
  /** Pause before a watch list for which there was no room is tried again, milliseconds. */
  watchRetryMs: 200,
  /** Filters for clients that poll, and the time after which one that nobody asks is dropped. */
  filtersMax: 4096,
  filterIdleMsMax: 300_000,
  /** Time that eth_sendRawTransactionSync waits by itself, and may be told to (EIP-7966); and those that may wait at a time. */
  receiptWaitMs: 2000,
  receiptWaitMsMax: 30_000,
  receiptWaitersMax: 1000,
  /** Time that the node's word of a transaction in a block to come waits for that block, milliseconds: 31 to 309 were seen. */
  headWaitMs: 1000,
  /** Transactions and blocks that are kept decoded for look-ups of receipts and logs, at some 2 KB each. */
  decodedTransactionsMax: 16_384,
  /** Bytes of the blocks that are kept as JSON text. */
  blockTextBytesMax: 16 * 1024 * 1024,
  /** Reward percentiles of one eth_feeHistory; go-ethereum's limit. */
  feeHistoryPercentilesMax: 100,
  /** Blocks of one eth_simulateV1, those that fill gaps included; go-ethereum's limit. */
  simulatedBlocksMax: 256,
  /** Accounts and slots of a state whose root is computed for simulated blocks: making tries of them takes some 20 us each. */
  simulatedRootKeysMax: 8192,
  /** Execution time of one call or estimate. */
  estimateMsMax: 5000,
  /** Jumps between two looks at the clock; a look costs 40 ns, a jump with what lies between at least 1 us. */
  deadlineCheckJumps: 16,
  /** A job that is not answered so long after its time is told that its time is up, whatever its worker does. */
  timeoutGraceMs: 250,
  /** Backstop: a job running for twice its time, and for so much longer than that, is killed with its worker. */
  killGraceMs: 2000,
  /** Time in which a worker loads its module; one that has not by then hangs. */
  workerStartMsMax: 60_000,
  /** Time that a stop leaves to threads that are loading their modules: 0.1 s, more where the machine is busy. */
  threadLoadMsMax: 5000,
  /** Pause before a worker that could not be started is started again. */
  workerRestartMs: 500,
  /** Call data of an estimate that main looks at itself before a worker gets it; a walk over it costs 1 ns a byte. */
  preflightDataBytesMax: 1024,
  /** Entries of access list and blobs of such an estimate; each costs some 20 ns. */
  preflightItemsMax: 32,
  /** Jobs handed to a worker together: at 64 the pool costs 3.6 us a job, at 16 3.8, alone 15. */
  jobsPerTaskMax: 64,
  /** Jobs waiting or running: two full batches; with a transfer at 30 us on two workers this is some 30 ms of queue. */
  queuedJobsMax: 2048,
  /** Packed bytes of the jobs waiting or running, together; a thousand jobs of the largest body would be gigabytes. */
  queuedJobBytesMax: 64 * 1024 * 1024,
  /** Time that a job may wait for a worker; then it is refused, as what waits longer is seldom still wanted. */
  queuedJobMsMax: 5000,
  /** Time between two looks through waiting jobs for those that have waited too long, or that nobody waits for any more. */
  queueLookMs: 10,
  /** A job that is expected to take no longer is short: the last worker is kept for such jobs. One of a new kind is taken for one. */
  shortJobMs: 0.5,
  /** While no short ones come it takes those, too, that are expected to take no longer than this; and the time that jobs have there. */
  longerJobMs: 10,
  trialMs: 20,
  /** Worker time that one hand-over may be expected to take, and what waits in a worker: a job finds no more before it. */
  handedMsMax: 1,
  /** Contracts' functions whose costs are remembered, at 8 bytes each. A power of two. */
  costsKeptMax: 16_384,
  /** Window in which worker time used by a client fades: for so long it comes after those who have used less. */
  clientWorkerWindowMs: 1000,
  /** A client is alone when no other has asked for so long: then its long jobs are in nobody's way. Short jobs come as long after one. */
  clientAloneMs: 1000,
  /** Clients whose worker time is remembered, at some 200 bytes each. */
  clientsKeptMax: 10_000,
  /** Packed jobs from this length on lie in shared memory; memory kept for those when there are none. */
  longJobBytesMin: 64 * 1024,
  longJobsKeptBytesMax: 32 * 1024 * 1024,
  /** Packed jobs longer than this are not looked up for an equal one in flight: hashing them costs 1.5 ns a byte. */
  mergedJobBytesMax: 8 * 1024,
  /** Bytes of a task's answers that main can read while the task is running; a longer answer ends its task. */
  mailboxAnswerBytesMax: 64 * 1024,
  /** Room for such an answer, memory only where it was used: the longest text as UTF-8. */
  mailboxLongAnswerBytesMax: 25 * 1024 * 1024,
  /** Return data from this length on have memory that is used again; what is kept of it when nobody needs it. */
  lentBytesMin: 64 * 1024,
  lentKeptBytesMax: 32 * 1024 * 1024,
  /** Bytes of return data that wait to be written into answers; what no longer fits is refused. */
  lentBytesMax: 64 * 1024 * 1024,
  /** Bytes of the jobs that a task is given while it is running; when they are used up it ends, and a new one begins. */
  mailboxJobBytesMax: 512 * 1024,
  /** Jobs that wait in a running task: enough to keep it busy until main looks again, few enough to wait elsewhere. */
  mailboxBacklogMax: 32,
  /** Time that a task without jobs waits for further ones: those of a busy client come within a millisecond. */
  mailboxLingerMs: 5,
  /** Time after which estimators without jobs are told that a table took the place of another: tables may come one upon the other. */
  tableToldMs: 1000,
  /** How often main looks at running tasks for answers. */
  mailboxLookMs: 2,
  /** A job running longer than this loses the jobs grouped behind it to other workers. */
  slowJobMs: 10,
  /** Tasks of a job that may fail before the job does. */
  jobTriesMax: 2,
  /** Codes that the kernel was found wrong about; with one more it is wrong about too much, and runs no code at all. */
  denylistedCodesMax: 64,
  /** Mismatches of kernel and reference that are logged, each with all that is needed to repeat it; all are counted. */
  kernelMismatchReportsMax: 100,
  /** Runs of a block of code after which it is compiled, some 0.4 ms: few of what is asked for often, and more than what is asked for once has. */
  compiledRuns: 512,
  /** Runs that others of its code have had that are compiled with it. */
  compiledRunsMin: 64,
  /** Blocks that a trace goes through: with 8 a router swap takes 4 % more time, and a third less memory. */
  traceBlocksMax: 16,
  /** Bytes of WebAssembly at which a trace ends, however long a block is; each way out may write a whole stack. */
  traceBytesMax: 65_536,
  /** Instructions of a code among which further blocks to compile are looked for; nearly all contracts of 24 KB have fewer. */
  compiledLookMax: 32_768,
  /** Traces that are compiled in one go: in 3 to 5 ms, in some 15 while V8 has not compiled the compiler. */
  tracesAtOnce: 8,
  /** Share of a thread's time that it compiles at most. */
  compileTimeShare: 0.25,
  /** Traces of a kernel: an instruction has 16 bits for the place of one. */
  tracesMax: 65_536,
  /** Memory of what a kernel keeps compiled: some 400 modules of eight traces, at 100 KB each. */
  compiledBytesMax: 40 * 1024 * 1024,
  /** How long a kernel keeps that, full, until it begins anew with what runs often then. */
  compiledKeptMs: 600_000,
  /**
   * Memory that the kernels of a thread, one a fork, keep between two jobs: what they have written to, and what V8 makes of what
   * they compile. With more they are made anew.
   */
  engineBytesKeptMax: 80 * 1024 * 1024,
  /** Execution time of a check of the kernel's answer, for which a job may have to wait. */
  kernelCheckMsMax: 30,
  /** Estimates above this are not checked: the reference runs some 20 gas a microsecond, twice an estimate. */
  kernelCheckGasMax: 1_000_000,
  /** JavaScript heap of one estimator, MiB; memory of the EVM lies outside and is bounded by gas. */
  estimatorHeapMiBMax: 512,
  /** Threads that recover senders for a live chain: 500 take 50 ms on one. */
  senderThreads: 2,
  /** Transactions from which on their senders are recovered on those threads: to wake them costs as much as ten signatures. */
  sendersApartMin: 16,
  /**
   * Transactions that are decoded and then executed together while the senders of others are being recovered: more leave too
   * much to do when the last sender is there.
   */
  decodedTogetherMax: 16,
  /** Tasks of those threads that may be unanswered; what is more is recovered where it is needed. */
  senderTasksMax: 256,
  /** Time for a task of those threads: some thousand transactions, after which a thread hangs and is replaced. */
  senderAnswerMsMax: 5000,
  /** JavaScript heap of one of those threads, MiB. */
  senderHeapMiBMax: 128,
  /** Transactions whose senders are remembered until their block is confirmed, at 52 bytes each. A power of two. */
  sendersKeptMax: 32_768,
  /** Versions that can be read at any one time, the ring of version records. A power of two. */
  versionsKeptMax: 4096,
  /** Confirmed blocks answered from the table; older ones come from the archive. */
  blocksKeptMax: 128,
  /** Block hashes kept for BLOCKHASH: the yellow paper's 256. */
  blockHashesKept: 256,
  /** Memory for values that older versions still read, at 64 bytes a value; beyond it the kept window gets shorter. */
  olderBytesMax: 512 * 1024 * 1024,
  /** Places a key of the table may lie behind its own; at a load of 0.7 some 300 are reached among 10 M keys. */
  tableProbesMax: 1024,
  /** Places from which on keys crowd, so that the table is copied under another hash key before it has to be. */
  tableProbesHigh: 512,
  /** Share of the machine's memory that the table takes by itself, and what it may be told to take. */
  stateMemoryShare: 1 / 4,
  stateBytesMin: 64 * 1024 * 1024,
  /** 32-bit words of a table are indexed by what V8 holds in a small integer. */
  stateBytesMax: 2 ** 33,
  /** Places of the table that are copied or cleaned up after a publication: at some 100 ns each half a millisecond. */
  tableSlicePlaces: 4096,
  /** Shared memory of tables that a thread has left behind, from which on V8 is made to look for what nobody refers to. */
  sharedGarbageBytesMax: 64 * 1024 * 1024,
  /**
   * What the publisher has made since its last collection, from which on another one follows a publication: at some 20 kB a
   * transaction 200 of them. A quarter of what V8 collects at by itself, in the midst of an increment.
   */
  youngGarbageBytesMax: 4 * 1024 * 1024,
  /** Memory that V8 is told of for that: it begins to mark at some 64 MiB more outside of its heap than it left there. */
  garbageHintBytes: 128 * 1024 * 1024,
  /**
   * Answers and messages of others from the first size on leave garbage of five times as much, which a thread without much to do
   * keeps. When so much of them has come, and none for the time, it is collected.
   */
  largeForeignBytesMin: 1024 * 1024,
  foreignGarbageBytesMax: 16 * 1024 * 1024,
  foreignGarbageIdleMs: 1000,
  /** Estimator threads; each needs a pin of its own. */
  workersMax: 48,
  /** Readers (threads) that may hold a pin at once. */
  pinsMax: 64,
  /** Age of a pin that raises an alarm: longer than any job may run. */
  pinAgeMsMax: 15_000,
  /** Contract codes that an EVM thread keeps between jobs, and their bytes: those of overrides may be as long as a body. */
  codesKeptMax: 1024,
  /** Accounts that an EVM thread keeps from job to job on one version, 0.3 KB each: senders and receivers of calls. */
  accountsKeptMax: 4096,
  codeBytesKeptMax: 16 * 1024 * 1024,
  /** Publisher crashes within the window after which the process gives up: a fault that comes back is not helped by trying. */
  publisherRestartsMax: 5,
  publisherRestartWindowMs: 60_000,
  /** Readiness fails when a renewed `pending` is older than this: ten increments of 200 ms. */
  snapshotAgeMsMax: 2000,
  /** Time allowed to finish what is in flight on SIGTERM. */
  shutdownMsMax: 12_000,
  /** Time to stop everything, what hangs included; then the process ends. */
  stopMsMax: 15_000,
  /** Time for threads that are terminated to end; one that has not is stuck in the system. */
  threadEndMsMax: 1000,
  /** Least time between two signals that are two wishes: a terminal and npm both bring the same one. */
  secondSignalMsMin: 500,
  /** Time for the answer to `prestate ready`, milliseconds: less than a health check has. */
  readyAskMsMax: 4000,
  /** How often the program looks whether npm, which has started it, is still there. */
  parentLookMs: 500,
  /** How often the watchdog looks whether main lives. */
  watchdogLookMs: 1000,
  /** Looks without a sign of main after which it hangs: nothing that it does takes a second. */
  mainSilentLooksMax: 60,
  /** Transactions waiting in the dev chain's pool, and of one sender. */
  poolTransactionsMax: 10_000,
  poolTransactionsPerSenderMax: 1000,
  /** Execution time of one of the dev chain's increments, after which what waits is left to the next: three quarters of its 200 ms. */
  devIncrementMsMax: 150,
  /** Time of it for making traffic, at some 0.8 ms a transaction; what there is no time for is not sent. */
  devTrafficMsMax: 75,
  /** Time that a transaction may wait in the pool for its nonce or its fee; go-ethereum's three hours. */
  poolWaitMsMax: 3 * 3600 * 1000,
  /** Bytes of one raw transaction; go-ethereum's pool limit. */
  transactionBytesMax: 128 * 1024,
  /** The same of a blob transaction with its blobs, and of types that are not known here; go-ethereum's limit for blobs. */
  blobTransactionBytesMax: 1024 * 1024,
  /**
   * File descriptors without which the program cannot be loaded, and those of each estimator. Some 30 are for good; while the
   * publisher loads it may have all files of its program open at once, where a busy machine reads late: 162 in all were seen.
   */
  descriptorsBase: 256,
  descriptorsPerWorker: 16,
  /** Points whose subgroup is tested for the text of a precompile's failure: a test takes up to 16 ms. */
  failureSubgroupTestsMax: 2,
  /** Of those without which the program cannot be loaded: connections, which are left when everything has its descriptors. */
  descriptorsForConnections: 64,
  /**
   * Address space of all but the estimators, and of each of those: V8 reserves 10 GiB for every WebAssembly memory, and
   * there are five and three of them; the rest is for the kernels of further forks.
   */
  addressBytesBase: 72 * 2 ** 30,
  addressBytesPerWorker: 40 * 2 ** 30,
  /** Share of a bounded address space that the archive may reserve. */
  archiveAddressShare: 1 / 8,
  /** Memory that is resident once the dev chain serves: of all but the estimators, and of each of those. */
  memoryBytesBase: 128 * 1024 * 1024,
  memoryBytesPerWorker: 32 * 1024 * 1024,
  /** Address space reserved for the archive, the most it can grow to; the file itself grows as it is written. */
  archiveBytesMax: 2 ** 40,
  /** Confirmed blocks that a reorg may take away; far beyond any chain's finality. */
  archiveReorgBlocksMax: 1024,
  /** Time for the disk to take, sync and give back a file of one page, when the program starts. */
  folderProbeMsMax: 10_000,
  /** Free bytes of a disk below which it is full, and nothing more is written: a block of 10,000 changes. */
  diskFreeBytesMin: 4 * 1024 * 1024,
  /** Time for reading an archive before it is opened: 700,000 records. What comes behind is checked when it is read. */
  archiveCheckMsMax: 3000,
  /** Records of each table beside which others are then written, and given up: more than a block changes. */
  archiveTrialBytes: 4 * 1024 * 1024,
  /** Time for reading the tables once more with those. */
  archiveTrialMsMax: 1000,
  /** Time for the process that does so, its start and a slow disk included; one that hangs is ended, and the archive refused. */
  archiveTrialEndMsMax: 60_000,
  /** Damaged records of the archive that are reported to the log, each once; all are counted. */
  damagedRecordsReportedMax: 100,
  /** Time between two reports of an import: a bar moves by as much as the eye can follow. */
  importProgressMs: 250,
  /** Time between two log lines about the same long work. */
  progressLineMs: 2000,
  /** RLP bytes of one block of a chain file: six times EIP-7934's bound, which older chains did not have. */
  importBlockBytesMax: 64 * 1024 * 1024,
  /** JSON-RPC requests in one batch to the upstream node; go-ethereum's default. A node that takes fewer is found out. */
  upstreamBatchMax: 1000,
  /** Requests that are no reads of state, in one batch: a node may work at one after the other. */
  upstreamRequestBatchMax: 16,
  /** HTTP requests to the upstream node at once, and those that may wait for their turn. */
  upstreamConnectionsMax: 16,
  upstreamWaitingMax: 1024,
  /** Time for one HTTP request to the upstream node; the slowest, a full block, takes some 100 ms. */
  upstreamTimeoutMsMax: 10_000,
  /** Time without an answer after which the upstream node is taken not to answer: readiness fails, requests are refused. */
  upstreamSilenceMsMax: 5000,
  /** Time that one call may spend on reading state from the upstream node; for estimates and eth_call it is their timeout. */
  fillMsMax: 5000,
  /** Time for a call that is passed on to the upstream node: logs of many blocks take it seconds. */
  passedOnMsMax: 10_000,
  /** Times that a request is sent before it is given up; with the pauses between them some two seconds. */
  upstreamTriesMax: 4,
  /** First pause before a request is sent again; doubled each time. */
  upstreamRetryMs: 150,
  /** Longest `Retry-After` that is waited for; a node that asks for more is given up until then. */
  upstreamRetryAfterMsMax: 20_000,
  /** Characters of an error's text that is relayed from the upstream node, or from the network. */
  upstreamErrorCharsMax: 300,
  /** Bytes of an error's data that are relayed: what a revert says is seldom longer than a few words of 32 bytes. */
  upstreamErrorDataBytesMax: 64 * 1024,
  /** Bytes of one HTTP answer of the upstream node: the largest block is some 20 MB of JSON. */
  upstreamAnswerBytesMax: 128 * 1024 * 1024,
  /** Bytes of one message of the upstream's WebSocket; a head has some 3 kB. */
  upstreamMessageBytesMax: 1024 * 1024,
  /** Time between two pings of the upstream's WebSocket; one that is not answered until the next ends the connection. */
  upstreamPingMs: 1500,
  /** Time for the WebSocket's handshake, and for the answer to the subscription. */
  upstreamHandshakeMsMax: 5000,
  /**
   * Pause before the WebSocket is connected again: half to all of this, doubled each time up to the most, which comes next
   * where the node has asked to be left alone (close code 1013, status 429 or 503).
   */
  upstreamReconnectMs: 1000,
  upstreamReconnectMsMax: 20_000,
  /** A WebSocket connection that has lived this long was a good one: the next pause is the first again. */
  upstreamLivedMs: 10_000,
  /** Time between two looks at `latest`, `safe` and `finalized` while the WebSocket tells of new heads. */
  upstreamTagsMs: 1000,
  /** Bytes of one feed message, as it comes and unpacked; a full block of call data as hex is a fifth of it. */
  feedFrameBytesMax: 16 * 1024 * 1024,
  /** Bytes of the transactions of one pre-confirmed block that are kept for building it again. */
  feedBlockBytesMax: 32 * 1024 * 1024,
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
  /** Wait before the next connection: half to all of the first, doubled each time up to the second. */
  feedRetryMsMin: 1000,
  feedRetryMsMax: 20_000,
  /** A connection that stayed this long has lived: after it the wait begins at its least again. */
  feedLivedMs: 10_000,
  /** Longest wait that a feed may ask for (Retry-After). */
  feedRetryAfterMsMax: 5 * 60_000,
  /** Followers of the dev chain's own feed, and what one may leave unread before it is dropped. */
  devFeedClientsMax: 64,
  devFeedBacklogBytesMax: 4 * 1024 * 1024,
  /** Time that a record of a feed lies in memory before it is written; what a kill can lose. */
  recordFlushMs: 500,
  /** Bytes of a record waiting to be written; beyond it what arrives is not recorded. */
  recordWaitingBytesMax: 64 * 1024 * 1024,
  /** Bytes of a record that are compressed and written together at the latest; brotli frames of 5 kB come to 200. */
  recordChunkBytes: 1024 * 1024,
  /** File of a record of requests: some seven million nonces; a record that is forgotten shall not fill the disk. */
  requestRecordBytesMax: 1024 * 1024 * 1024,
  /** Bytes of such a record waiting to be written; beyond it requests are left out. Several of the largest bodies. */
  requestRecordWaitingBytesMax: 32 * 1024 * 1024,
  /** Keys that one pass of an execution may find missing in an upstream-backed state before it is broken off. */
  wantsMax: 8192,
  /** Mismatches of one kind after which a live chain is followed by diffs, and the blocks in which they come: no accident then. */
  mismatchesAlike: 3,
  mismatchBlocks: 100,
  /** Passes of one execution, each of which found state missing: as deep as calls depend on what was read before. */
  missRoundsMax: 256,
  /** Reads of the same missing state, tried again where the table was begun anew meanwhile. */
  fillTriesMax: 4,
  /** Gas of transactions of one block that are tried out again and find nothing missing: some 0.3 s of the publisher. */
  vainGasMax: 200_000_000,
  /** Codes of which it is remembered what they read, at up to 10 KiB each. */
  patternCodesMax: 4096,
  /** Slots guessed for one transaction, at up to 8 us each, and for the transactions of one look: some 33 ms. */
  guessesMax: 128,
  guessesPerLookMax: 4096,
  /** Slots, and called accounts, that are remembered of one code. */
  patternsPerCodeMax: 64,
  /** Slots and addresses that one code names and that are read ahead, and accounts whose code is looked at for one look. */
  constantSlotsMax: 64,
  constantAddressesMax: 16,
  namingAccountsMax: 64,
  /** Times that is learnt what one code reads; each takes up to 3 ms of the publisher, while the node is asked anyway. */
  patternLessonsMax: 6,
  /** Transactions of which the upstream node is asked at a time what they will read; it executes each of them. */
  listsPerLookMax: 64,
  /** Reasons for which the upstream node refused what might not have been needed that are told to the log, each once. */
  refusedHintsToldMax: 32,
  /** Execution time of a pass of a call or estimate that may find state missing: with zeros for values code may loop. */
  speculationMsMax: 250,
  /** Expected execution time of an increment, that of five of 200 ms; a longer one makes `/readyz` 503 and counts as slow. */
  incrementMs: 1000,
  /** Execution time after which an increment is given up: its block, of 2 s, is over. */
  incrementMsMax: 2000,
  /** The same of a confirmed block: those of many chains come every 2 s. */
  blockMs: 2000,
  /** A block that is given up after this time leaves enough of Ethereum's 12 s to begin the state anew. */
  blockMsMax: 10_000,
  /** Execution time of transactions after which what has arrived meanwhile is let in; a turn of the event loop costs 10 us. */
  executionSliceMs: 10,
  /** Blocks between a kept one and a new head that are caught up with, as many as are kept; with more the state begins anew. */
  catchUpBlocksMax: 128,
  /** Of those, blocks that are fetched at a time. */
  catchUpFetchedBlocks: 8,
  /** Blocks below the head with which a state begins, so that it holds what a reorganization of so many goes back to. */
  beginBelowBlocks: 3,
  /** Silence of the upstream's heads after which readiness fails: five blocks of Ethereum's 12 s. */
  headSilenceMsMax: 60_000,
  /** Silence of a pre-confirmation feed after which readiness fails: 25 increments of 200 ms. */
  feedSilenceMsMax: 5000,
  /** Age of `pending` beside a running feed after which readiness fails: after a gap the next block, of 2 s, renews it. */
  pendingAgeMsMax: 4000,
  /** Blocks by which the upstream's head may be ahead of ours before readiness fails. */
  headLagBlocksMax: 3,
  /** Silence of the publisher of a live chain, which reports twice a second, after which readiness fails. */
  liveStatusMsMax: 5000,
  /** Questions to the upstream node that may wait at a time. */
  upstreamQuestionsMax: 10_000,
  /** Keys of a live chain that are remembered over a restart, at 53 bytes each on the disk and some 150 in memory. */
  warmKeysMax: 200_000,
  /** Keys of one batch that is read again after a beginning: an increment waits some 2 ms for its answer to be taken. */
  warmBatchKeysMax: 256,
  /** Time between two times that those keys are written; a kill loses what came since. */
  warmSaveMs: 60_000,
  /**
   * Looks in a row, of 250 ms, that find the node below a block that it has announced, until it is told, and until the node is
   * followed back: those between two nodes behind a balancer, of which one is older, are fewer.
   */
  lowerLooksTold: 2,
  lowerLooksMax: 8,
  /** Time after which the upstream is asked for its rules again: a fork may have been named since. */
  rulesAskedMs: 600_000,
  /** Time between two looks at the upstream's head where no WebSocket tells of it. */
  headPollMs: 250,
  /** Time between two tries to follow a head after the upstream has failed. */
  followRetryMs: 1000,
  /** Bytes of one part of a message between executor and replicas; NATS takes 1 MiB by default, its headers included. */
  replicationPartBytes: 512 * 1024,
  /** What the stream holds: a replica that was away for less catches up without a snapshot. Bytes: 10 minutes of 1.7 MB/s. */
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
  /** Pause before something is tried again that the server did not do. */
  replicationRetryMs: 250,
  /** Messages of the stream that are fetched ahead: half a minute of increments of 200 ms, or one second of catching up. */
  replicationFetchMessages: 256,
  /** Versions, and changes and transactions in them, that wait for the server; with more a new epoch begins from a snapshot. */
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
  /** Confirmed blocks that a replica may be behind before it is not ready: one is on its way from time to time. */
  replicationLagBlocksMax: 1,
  /** Time for which a version may be missing at a replica before it is not ready. */
  replicationLagMsMax: 1000,
  /** What a question to the executor leaves of the time of the call that it is for: its refusal has to be told. */
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
  /** Failed tries in a row with a node that answers; then the block is gone, and the state begins anew at the head. */
  followTriesMax: 4,
} as const;

function relation(holds: boolean, proof: string): void {
  if (!holds) throw new Error(`limits contradict each other: ${proof}`);
}

relation(LIMITS.killGraceMs > LIMITS.timeoutGraceMs, 'a job is answered before it is killed');
relation(LIMITS.pinAgeMsMax > 2 * LIMITS.estimateMsMax, 'no live job can hold a pin that is called old');
relation(LIMITS.mailboxLingerMs < LIMITS.slowJobMs, 'a task that waits for jobs ends before it looks slow');
relation(LIMITS.shutdownMsMax > 2 * LIMITS.estimateMsMax, 'what is in flight ends before the shutdown gives up');
relation(LIMITS.shutdownMsMax > LIMITS.queuedJobMsMax + LIMITS.estimateMsMax, 'what waits has its turn before the end');
relation(LIMITS.stopMsMax > LIMITS.shutdownMsMax, 'what is in flight may end while everything stops');
relation(LIMITS.secondSignalMsMin < LIMITS.stopMsMax, 'a second signal comes before the end of its own accord');
relation(LIMITS.descriptorsBase >= 3 * LIMITS.descriptorsForConnections, 'a publisher can load beside the connections');
relation(LIMITS.queuedJobsMax >= 2 * LIMITS.batchCallsMax, "a full batch of estimates fits a client's half");
relation(LIMITS.queuedJobBytesMax > 2 * LIMITS.bodyBytesMax, "the jobs of the largest body fit a client's half");
relation(
  LIMITS.mailboxLongAnswerBytesMax > 3 * LIMITS.returnBytesMax + 1024,
  'every answer of a worker fits its mailbox',
);
relation(LIMITS.lentBytesMin >= LIMITS.mailboxAnswerBytesMax, 'data that lie beside other answers are copied');
relation(LIMITS.longJobBytesMin > LIMITS.mergedJobBytesMax, 'a job that others may join is text');
relation(LIMITS.clientsKeptMax > LIMITS.queuedJobsMax, 'a client without jobs can be forgotten');
relation((LIMITS.costsKeptMax & (LIMITS.costsKeptMax - 1)) === 0, 'costs are found by a mask');
relation(2 * LIMITS.devTrafficMsMax <= LIMITS.devIncrementMsMax, 'what traffic is made can be executed');
relation(LIMITS.handedMsMax <= LIMITS.longerJobMs, 'a hand-over takes no longer than one of its jobs may');
relation(
  LIMITS.shortJobMs < LIMITS.longerJobMs && LIMITS.longerJobMs < LIMITS.trialMs,
  'a job that fails its trial is long',
);
relation(2 * LIMITS.compiledBytesMax <= LIMITS.engineBytesKeptMax, 'what is compiled leaves room for codes');
relation(LIMITS.blockHashesKept >= LIMITS.blocksKeptMax, 'every kept block can be found by hash');
relation(
  LIMITS.batchIdsMax >= LIMITS.batchCallsMax,
  'every call of a batch that is run has an id that can be answered',
);
relation(LIMITS.bodyInStepsBytesMin > LIMITS.plainBodyBytesMax, 'plain reads are answered in one step');
relation(
  LIMITS.plainBodyBytesMax >= 256 * LIMITS.batchCallsMax,
  'a full batch of storage words, 190 bytes each, is plain',
);
relation(LIMITS.responseBytesMax > 2 * LIMITS.returnBytesMax + 1024, 'the longest return data fits an answer as hex');
relation(
  LIMITS.responseBytesMax / LIMITS.largeAnswerBytesPerMs < LIMITS.clientAloneMs,
  'the rest after a large answer ends while it is known who else asks',
);
relation(LIMITS.logSearchBytesPerClientMax > LIMITS.responseBytesMax, 'a search that fits its answer fits its memory');
relation(
  LIMITS.logSearchBytesMax >= 4 * LIMITS.logSearchBytesPerClientMax,
  'four clients share the memory of searches',
);
relation(LIMITS.answersBytesMax >= 2 * LIMITS.responseBytesMax, 'a large answer does not lock out the others');
relation((LIMITS.versionsKeptMax & (LIMITS.versionsKeptMax - 1)) === 0, 'the version ring is indexed by a mask');
relation(LIMITS.blobTransactionBytesMax * 2 < LIMITS.bodyBytesMax, 'the largest transaction fits a body as hex');
relation(LIMITS.bodiesBytesMax >= 4 * LIMITS.bodiesBytesPerClientMax, 'four clients share the memory of bodies');
relation(LIMITS.bodiesMax >= 4 * LIMITS.bodiesPerClientMax, 'four clients share the number of bodies');
relation(LIMITS.bodiesBytesPerClientMax >= 8 * LIMITS.bodyBytesMax, 'a client can send a few of the largest bodies');
relation(LIMITS.unsentBytesMax >= 4 * LIMITS.unsentBytesPerClientMax, 'four clients share the memory of answers');
relation(LIMITS.unsentBytesPerClientMax >= 2 * LIMITS.responseBytesMax, 'a client can read two of the largest answers');
relation(LIMITS.socketsMax >= 4 * LIMITS.socketsPerClientMax, 'four clients share the WebSockets');
relation(LIMITS.largeSocketsMax >= 4 * LIMITS.largeSocketsPerClientMax, 'four clients share those for large messages');
relation(
  LIMITS.largeSocketsMax * LIMITS.bodyBytesMax + LIMITS.socketsMax * LIMITS.smallMessageBytesMax <=
    LIMITS.socketMessagesBytesMax,
  'a message without end on every WebSocket is within its budget',
);
relation(LIMITS.incrementMsMax > LIMITS.incrementMs, 'an increment is told of before it is given up');
relation(LIMITS.blockMsMax > LIMITS.blockMs, 'a block is told of before it is given up');
relation(LIMITS.stopMsMax > LIMITS.blockMsMax, 'the block at hand has an end before the program does');
relation(LIMITS.lowerLooksMax > LIMITS.lowerLooksTold, 'a node that goes back is told of before it is followed');
relation(LIMITS.catchUpBlocksMax <= LIMITS.blocksKeptMax, 'what is caught up with can be kept');
relation(LIMITS.headLagBlocksMax >= LIMITS.beginBelowBlocks, 'a state that begins is not behind');
relation(LIMITS.feedAheadBlocksMax > LIMITS.feedDepthBlocksMax, 'what is dropped for its depth can be built again');
relation(LIMITS.feedBlockBytesMax >= LIMITS.feedFrameBytesMax / 2, 'the largest frame fits a block: hex halves');
relation(LIMITS.upstreamTimeoutMsMax >= LIMITS.upstreamSilenceMsMax, 'a timeout alone shows that the node is silent');
relation(LIMITS.replicationLeaseMs > 4 * LIMITS.replicationRenewMs, 'a lease outlives three renewals that fail');
relation(
  LIMITS.replicationLeaseMs > 2 * LIMITS.replicationAnswerMsMax,
  'a leader knows in time that it may have lost it',
);
relation(LIMITS.replicationStreamMs >= 4 * LIMITS.replicationSnapshotMs, 'the stream goes on where a snapshot ends');
relation(LIMITS.replicationStallMsMax >= 2 * LIMITS.replicationAliveMs, 'a word may come before what it tells of');
relation(LIMITS.replicationSilenceMsMax > 4 * LIMITS.replicationAliveMs, 'one lost word is no silence');
relation(LIMITS.feedRetryMsMax > LIMITS.feedRetryMsMin, 'the wait can grow');
relation(
  LIMITS.requestRecordWaitingBytesMax >= 2 * LIMITS.bodyBytesMax,
  'a request of the largest body can be recorded, its quotes escaped',
);
relation(LIMITS.recordWaitingBytesMax >= 2 * LIMITS.feedFrameBytesMax, 'the largest frame can be recorded');
