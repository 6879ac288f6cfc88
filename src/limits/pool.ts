// Bounds of the estimators (the EVM worker threads) and their queue.

export const POOL_LIMITS = {
  /** Accounts and slots up to which a simulated block has a state root: its tries take 20 us for each. */
  simulatedRootKeysMax: 8192,
  /** Execution time of one call or estimate. */
  estimateMsMax: 5000,
  /** A job gets its time-out response this long after its deadline, even if its worker is still running it. */
  timeoutGraceMs: 250,
  /** A job that has run for this long beyond twice its time limit is killed together with its worker. */
  killGraceMs: 2000,
  /** Time within which a worker must load its module; after that it counts as hanging. */
  workerStartMsMax: 60_000,
  /** Time that a shutdown waits for threads that still load modules: 0.1 s, more on a busy machine. */
  threadLoadMsMax: 5000,
  /** Pause before a worker that failed to start is started again. */
  workerRestartMs: 500,
  /** Jobs in one message to a worker. The pool's cost per job: 3.6 us with 64, 3.8 us with 16, 15 us with one. */
  jobsPerTaskMax: 64,
  /** Jobs that wait or run: two full batches. With two workers and transfers of 30 us, some 30 ms of queue. */
  queuedJobsMax: 2048,
  /** Encoded bytes of all jobs that wait or run. Without it, a thousand of the largest would take gigabytes. */
  queuedJobBytesMax: 64 * 1024 * 1024,
  /** Time that a job may wait for a worker. Then it is refused, since its caller rarely still wants the result. */
  queuedJobMsMax: 5000,
  /** Time between two scans of the queue for jobs that have waited too long or whose callers have disconnected. */
  queuePollMs: 10,
  /** Jobs expected to take up to this are short, as are new kinds. The last worker is for short jobs. */
  shortJobMs: 0.5,
  /** While no short jobs arrive, the last worker runs jobs up to this. `trialMs` limits a job there. */
  longerJobMs: 10,
  trialMs: 20,
  /**
   * Bytes of code in a job that a worker hashes and decodes in a millisecond, and the time to seal one simulated block.
   * Both predict whether a job takes more than `longerJobMs` and must not run on the last worker. Init code has at most
   * 49 KB.
   */
  codeBytesPerMs: 8 * 1024,
  simulatedBlockMs: 2,
  /** Expected worker time of jobs sent to or queued in a worker: no new job waits longer behind them. */
  dispatchedMsMax: 1,
  /** Contract functions whose execution time is recorded for predictions, at 8 bytes each. A power of two. */
  costsKeptMax: 16_384,
  /** Time within which a client's use of workers is forgotten. Clients that have used less are served first. */
  clientWorkerWindowMs: 1000,
  /**
   * When no other client has sent a request for this long, a client is alone, and its long jobs and large responses
   * delay nobody. Also the time after the last short job for which another one is expected.
   */
  clientAloneMs: 1000,
  /** Clients whose usage is remembered, at some 300 bytes each. Clients with open requests are kept even above it. */
  clientsKeptMax: 10_000,
  /** Encoded jobs from this length on are in shared memory, of which so much is retained while unused. */
  longJobBytesMin: 64 * 1024,
  longJobsKeptBytesMax: 32 * 1024 * 1024,
  /** Encoded jobs longer than this are not merged with an equal job in flight, because hashing costs 1.5 ns a byte. */
  mergedJobBytesMax: 8 * 1024,
  /**
   * Bytes of results of a running task that main has not read yet. A result that does not fit ends the task, and the
   * next job starts in a new one. Traces with code, and batches of contract calls, have 100 KB.
   */
  mailboxAnswerBytesMax: 512 * 1024,
  /** Space for one such result: the longest string as UTF-8. It takes memory only once it is used. */
  mailboxLongAnswerBytesMax: 25 * 1024 * 1024,
  /** Longer return data: equal ones are stored once, strings stay bytes, the reference does not check them. */
  longDataBytesMin: 64 * 1024,
  /** Bytes of jobs that can be added to a running task. When they are used up, the task ends and a new one starts. */
  mailboxJobBytesMax: 512 * 1024,
  /** Jobs queued in a task: enough until main polls again, few enough that others can take most. */
  mailboxBacklogMax: 32,
  /** Time that a task without jobs waits for more. A busy client sends its next job within a millisecond. */
  mailboxLingerMs: 5,
  /** Pause before idle estimators are told of a new state table, since another table may follow shortly. */
  tableNoticeMs: 1000,
  /** Time between two polls by main for the results of running tasks. */
  mailboxPollMs: 2,
  /** Polls for a single job's result before main sleeps: 15 ns each; most short estimates are done by then. */
  answerPollsMax: 4000,
  /** When a job has run for this long, the jobs queued behind it in the same worker are given to other workers. */
  slowJobMs: 10,
  /** Failed tasks after which a job is not tried again. */
  jobTriesMax: 2,
  /** Mismatches of kernel and reference that are logged, each to be reproduced. All are counted. */
  kernelMismatchReportsMax: 100,
  /** Execution time for checking a result of the kernel with the reference. Another job may wait that long. */
  kernelCheckMsMax: 30,
  /** Gas of estimates that are still checked with the reference: 20 gas a microsecond, and two runs. */
  kernelCheckGasMax: 1_000_000,
  /** JavaScript heap of one estimator, in MiB. The EVM's memory is outside of it and is bounded by gas. */
  estimatorHeapMiBMax: 512,
  /** Threads that recover senders for a live chain. One thread recovers 500 senders in 50 ms. */
  senderThreads: 2,
  /** Unfinished tasks of these threads. With so many, the thread that needs senders recovers them itself. */
  senderTasksMax: 256,
  /** Time after which a task of these threads, some thousand transactions, counts as hanging. */
  senderAnswerMsMax: 5000,
  /** JavaScript heap of one of these threads, in MiB. */
  senderHeapMiBMax: 128,
} as const;
