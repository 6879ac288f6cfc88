// Bounds of estimators, their queue and who waits in it. Runs on every thread.

/** Part of `LIMITS`. */
export const POOL_LIMITS = {
  /** Accounts and slots of a state whose root is computed for simulated blocks: making tries of them takes some 20 us each. */
  simulatedRootKeysMax: 8192,
  /** Execution time of one call or estimate. */
  estimateMsMax: 5000,
  /** Grace after a job's time, when it is told that its time is up, whatever its worker does. */
  timeoutGraceMs: 250,
  /** Backstop: time beyond twice a job's own after which it is killed with its worker. */
  killGraceMs: 2000,
  /** Time in which a worker loads its module; one that takes longer hangs. */
  workerStartMsMax: 60_000,
  /** Time that a stop leaves to threads that are loading their modules: 0.1 s, more where the machine is busy. */
  threadLoadMsMax: 5000,
  /** Pause before a worker that could not be started is started again. */
  workerRestartMs: 500,
  /** Jobs handed to a worker together: at 64 the pool costs 3.6 us a job, at 16 3.8, alone 15. */
  jobsPerTaskMax: 64,
  /** Jobs waiting or running: two full batches; with a transfer at 30 us on two workers this is some 30 ms of queue. */
  queuedJobsMax: 2048,
  /** Packed bytes of the jobs waiting or running, together; a thousand jobs of the largest body would be gigabytes. */
  queuedJobBytesMax: 64 * 1024 * 1024,
  /** Time that a job may wait for a worker; then it is refused, as a job that waits longer is seldom still wanted. */
  queuedJobMsMax: 5000,
  /** Time between two looks through waiting jobs for those that have waited too long, or that nobody waits for any more. */
  queueLookMs: 10,
  /** Expected time up to which a job is short: the last worker is kept for such jobs. A job of a new kind counts as short. */
  shortJobMs: 0.5,
  /** Expected time of jobs that the last worker takes, too, while no short ones come, and the time that a job has there. */
  longerJobMs: 10,
  trialMs: 20,
  /**
   * Code that a job brings along and a worker hashes and decodes in a millisecond, and time that it takes to seal a
   * simulated block: what is foreseen to take more than `longerJobMs` is not for the last worker. Init code ends at 49
   * KB.
   */
  codeBytesPerMs: 8 * 1024,
  simulatedBlockMs: 2,
  /** Worker time that one hand-over, and the jobs that wait in a worker, may be expected to take: a job finds no more before it. */
  handedMsMax: 1,
  /** Contracts' functions whose costs are remembered, at 8 bytes each. A power of two. */
  costsKeptMax: 16_384,
  /** Window in which worker time used by a client fades: for so long it comes after those who have used less. */
  clientWorkerWindowMs: 1000,
  /**
   * Time without a question of others after which a client is alone, so that its long jobs and large answers are in nobody's way;
   * and time for which short jobs are taken to come after the last one.
   */
  clientAloneMs: 1000,
  /** Clients remembered, at some 300 bytes each; more only while they hold something. */
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
  /** Return data from this length on are long: equal ones are counted once, a text stays bytes, none is checked. */
  longDataBytesMin: 64 * 1024,
  /** Bytes of the jobs that a task is given while it is running; when they are used up it ends, and a new one begins. */
  mailboxJobBytesMax: 512 * 1024,
  /** Jobs that wait in a running task: enough to keep it busy until main looks again, few enough to wait elsewhere. */
  mailboxBacklogMax: 32,
  /** Time that a task without jobs waits for further ones: those of a busy client come within a millisecond. */
  mailboxLingerMs: 5,
  /** Time after which estimators without jobs are told that a table took the place of another: tables may come one upon the other. */
  tableToldMs: 1000,
  /** Time between two looks of main at running tasks for answers. */
  mailboxLookMs: 2,
  /** Looks for the answer to the only job before main sleeps, some 15 ns each: most short estimates are there by then. */
  answerLooksMax: 4000,
  /** Execution time after which a job loses the jobs grouped behind it to other workers. */
  slowJobMs: 10,
  /** Tasks of a job that may fail before the job does. */
  jobTriesMax: 2,
  /** Mismatches of kernel and reference that are logged, each with all that is needed to repeat it; all are counted. */
  kernelMismatchReportsMax: 100,
  /** Execution time of a check of the kernel's answer, for which a job may have to wait. */
  kernelCheckMsMax: 30,
  /** Gas of an estimate above which it is not checked: the reference runs some 20 gas a microsecond, twice an estimate. */
  kernelCheckGasMax: 1_000_000,
  /** JavaScript heap of one estimator, MiB; memory of the EVM lies outside and is bounded by gas. */
  estimatorHeapMiBMax: 512,
  /** Threads that recover senders for a live chain: 500 take 50 ms on one. */
  senderThreads: 2,
  /** Tasks of those threads that may be unanswered; senders beyond them are recovered where they are needed. */
  senderTasksMax: 256,
  /** Time for a task of those threads: some thousand transactions, after which a thread hangs and is replaced. */
  senderAnswerMsMax: 5000,
  /** JavaScript heap of one of those threads, MiB. */
  senderHeapMiBMax: 128,
} as const;
