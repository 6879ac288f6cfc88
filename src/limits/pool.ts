// Bounds of estimators and their queue.

/** Part of `LIMITS`. */
export const POOL_LIMITS = {
  /**
   * Accounts and slots of a state whose root is computed for simulated blocks: building their tries takes some 20 us
   * each.
   */
  simulatedRootKeysMax: 8192,
  /** Execution time of one call or estimate. */
  estimateMsMax: 5000,
  /** Grace after a job's time-out, after which it is answered as timed out, whatever its worker does. */
  timeoutGraceMs: 250,
  /** Backstop: time beyond twice a job's own after which it is killed with its worker. */
  killGraceMs: 2000,
  /** Time in which a worker loads its module; one that takes longer hangs. */
  workerStartMsMax: 60_000,
  /** Time that a shutdown gives to threads that are loading their modules: 0.1 s, more on a busy machine. */
  threadLoadMsMax: 5000,
  /** Pause before a worker that could not be started is started again. */
  workerRestartMs: 500,
  /** Jobs sent to a worker together: at 64 the pool costs 3.6 us a job, at 16 3.8, alone 15. */
  jobsPerTaskMax: 64,
  /** Jobs waiting or running: two full batches; with a transfer at 30 us on two workers this is some 30 ms of queue. */
  queuedJobsMax: 2048,
  /** Total packed bytes of waiting and running jobs; a thousand jobs of the largest body would be gigabytes. */
  queuedJobBytesMax: 64 * 1024 * 1024,
  /** Time that a job may wait for a worker; then it is refused, as a job that waits longer is rarely still wanted. */
  queuedJobMsMax: 5000,
  /** Time between two scans of waiting jobs for those that have waited too long, or whose callers have gone. */
  queuePollMs: 10,
  /**
   * Expected time up to which a job is short: the last worker is reserved for such jobs. A job of a new kind counts as
   * short.
   */
  shortJobMs: 0.5,
  /**
   * Longest expected time of jobs that the last worker runs, too, while no short ones arrive, and the time limit of a
   * job there.
   */
  longerJobMs: 10,
  trialMs: 20,
  /**
   * Code supplied by a job that a worker hashes and decodes in a millisecond, and time to seal a simulated block: a job
   * predicted to take more than `longerJobMs` does not go to the last worker. Init code ends at 49 KB.
   */
  codeBytesPerMs: 8 * 1024,
  simulatedBlockMs: 2,
  /**
   * Expected worker time of one group of jobs, and of the jobs that are queued in a worker: a job finds no more before
   * it.
   */
  dispatchedMsMax: 1,
  /** Contract functions whose costs are recorded, at 8 bytes each. A power of two. */
  costsKeptMax: 16_384,
  /** Window in which worker time used by a client decays: for so long it comes after those who have used less. */
  clientWorkerWindowMs: 1000,
  /**
   * Time without requests of others after which a client is alone, so that its long jobs and large responses delay
   * nobody; and time after the last short job for which more of them are expected.
   */
  clientAloneMs: 1000,
  /** Clients retained, at some 300 bytes each; more only while they hold something. */
  clientsKeptMax: 10_000,
  /** Packed jobs from this length on are stored in shared memory; memory retained for those when there are none. */
  longJobBytesMin: 64 * 1024,
  longJobsKeptBytesMax: 32 * 1024 * 1024,
  /** Packed jobs longer than this are not merged with an equal one in flight: hashing them costs 1.5 ns a byte. */
  mergedJobBytesMax: 8 * 1024,
  /**
   * Bytes of results that main has not read, of a running task; one that does not fit ends its task, and the next job
   * waits for a task of its own. Traces with codes and calls of many contracts have 100 KB.
   */
  mailboxAnswerBytesMax: 512 * 1024,
  /** Space for such a result, which takes memory only once it is used: the longest string as UTF-8. */
  mailboxLongAnswerBytesMax: 25 * 1024 * 1024,
  /** Return data from this length on are long: equal ones are counted once, a string stays bytes, none is checked. */
  longDataBytesMin: 64 * 1024,
  /** Bytes of the jobs that are posted to a running task; when they are used up it ends, and a new one starts. */
  mailboxJobBytesMax: 512 * 1024,
  /**
   * Jobs that are queued in a running task: enough to keep it busy until main polls again, few enough to wait
   * elsewhere.
   */
  mailboxBacklogMax: 32,
  /** Time that a task without jobs waits for further ones: those of a busy client arrive within a millisecond. */
  mailboxLingerMs: 5,
  /**
   * Time after which a new table is announced to estimators without jobs: several tables may follow shortly after one
   * another.
   */
  tableNoticeMs: 1000,
  /** Time between two polls of running tasks for results by main. */
  mailboxPollMs: 2,
  /**
   * Polls for the result of the only job before main sleeps, some 15 ns each: most short estimates are done by then.
   */
  answerPollsMax: 4000,
  /** Execution time after which a job loses the jobs queued behind it to other workers. */
  slowJobMs: 10,
  /** Tasks of a job that may fail before the job does. */
  jobTriesMax: 2,
  /**
   * Mismatches between kernel and reference that are logged, each with all that is needed to repeat it; all are
   * counted.
   */
  kernelMismatchReportsMax: 100,
  /** Execution time of a check of the kernel's result, for which a job may have to wait. */
  kernelCheckMsMax: 30,
  /** Gas above which an estimate is not checked: the reference runs some 20 gas a microsecond, twice per estimate. */
  kernelCheckGasMax: 1_000_000,
  /** JavaScript heap of one estimator, MiB; memory of the EVM is outside of it and is bounded by gas. */
  estimatorHeapMiBMax: 512,
  /** Threads that recover senders for a live chain: 500 take 50 ms on one. */
  senderThreads: 2,
  /** Unfinished tasks of those threads; senders beyond them are recovered where they are needed. */
  senderTasksMax: 256,
  /** Time for a task of those threads: some thousand transactions, after which a thread hangs and is replaced. */
  senderAnswerMsMax: 5000,
  /** JavaScript heap of one of those threads, MiB. */
  senderHeapMiBMax: 128,
} as const;
