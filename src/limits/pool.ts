// Bounds of the estimator threads (the EVM worker threads) and of the queue in front of them.

export const POOL_LIMITS = {
  /**
   * Changed accounts and slots up to which a simulated block gets a state root: computing the tries takes 20 us for
   * each.
   */
  simulatedRootKeysMax: 8192,
  /** Maximum execution time of one call or estimate. */
  estimateMsMax: 5000,
  /** A job gets its time-out response this long after its deadline, even if its worker thread is still running it. */
  timeoutGraceMs: 250,
  /** A job that has run for this long beyond twice its time limit is killed together with its worker thread. */
  killGraceMs: 2000,
  /** Time within which a worker thread must load its module. After that it counts as hanging. */
  workerStartMsMax: 60_000,
  /**
   * Time that a shutdown waits for threads that are still loading modules, which takes 0.1 s, or more on a busy
   * machine.
   */
  threadLoadMsMax: 5000,
  /** Pause before a worker thread that failed to start is started again. */
  workerRestartMs: 500,
  /**
   * Jobs in one message to a worker thread. The cost per job is 3.6 us with 64 jobs, 3.8 us with 16, 15 us with one.
   */
  jobsPerTaskMax: 64,
  /**
   * Jobs that wait or run: two full batches. With two workers and token transfers of 30 us, that is a queue of some 30
   * ms.
   */
  queuedJobsMax: 2048,
  /**
   * Encoded bytes of all jobs that wait or run. Without this bound, a thousand of the largest jobs would take
   * gigabytes.
   */
  queuedJobBytesMax: 64 * 1024 * 1024,
  /**
   * Time that a job may wait for a worker thread. Then it is refused, since its caller rarely still wants the result.
   */
  queuedJobMsMax: 5000,
  /** Time between two scans of the queue for jobs that have waited too long or whose callers have disconnected. */
  queuePollMs: 10,
  /**
   * A job that is expected to take up to this time is short, and so is one of unknown cost. The last worker thread is
   * reserved for short jobs.
   */
  shortJobMs: 0.5,
  /**
   * While no short jobs arrive, the last worker thread runs jobs expected to take up to `longerJobMs`. `trialMs`: time
   * limit of a job on that thread.
   */
  longerJobMs: 10,
  trialMs: 20,
  /**
   * Bytes of code in a job that a worker hashes and decodes in a millisecond, and milliseconds to seal one simulated
   * block. A job that needs more than `longerJobMs` for both must not run on the worker that is reserved for short
   * jobs. Init code has at most 49 KB.
   */
  codeBytesPerMs: 8 * 1024,
  simulatedBlockMs: 2,
  /**
   * Bounds of the expected execution time of all jobs that wait in a worker thread. Between them, it is eight times
   * that of the shortest recent job, one of the last half second to second. So while there are short jobs, a job waits
   * for at most a millisecond of other jobs in its thread; while all jobs take half a millisecond or more, a thread is
   * woken once for several jobs.
   */
  dispatchedMsMin: 1,
  dispatchedMsMax: 4,
  /**
   * Contract functions whose execution time is recorded, to predict the time of their next call, at 8 bytes each. A
   * power of two.
   */
  costsKeptMax: 16_384,
  /**
   * Time in which a client's use of worker threads decays by the factor e. Clients that have used less are served
   * first.
   */
  clientWorkerWindowMs: 1000,
  /**
   * When no other client has sent a request for this time, a client is alone, and its long jobs and large responses
   * delay nobody. This is also the longest time after the last short job in which another one is expected.
   */
  clientAloneMs: 1000,
  /**
   * Clients whose usage is remembered, at some 300 bytes each. Clients with open requests are remembered even beyond
   * this number.
   */
  clientsKeptMax: 10_000,
  /**
   * Encoded jobs from this length on are put into shared memory. `longJobsKeptBytesMax`: bytes of it that are retained
   * for reuse.
   */
  longJobBytesMin: 64 * 1024,
  longJobsKeptBytesMax: 32 * 1024 * 1024,
  /**
   * Encoded jobs that are longer than this are not merged with an equal job in flight, because hashing costs 1.5 ns a
   * byte.
   */
  mergedJobBytesMax: 8 * 1024,
  /**
   * Bytes of results of a running task that the main thread has not read yet: 100 KB for each job of a full queue, as
   * in traces with code and batches of contract calls. A result that does not fit ends the task, and the next job
   * starts in a new task.
   */
  mailboxAnswersBytesMax: 4 * 1024 * 1024,
  /** A result longer than this ends its task, too, because the main thread copies it in one step. */
  mailboxAnswerBytesMax: 512 * 1024,
  /**
   * Once the worker has used this many bytes for results, it continues at the start if the main thread has read all of
   * them, so that short results stay in the processor's cache.
   */
  mailboxRewindBytesMin: 256 * 1024,
  /**
   * Bytes reserved for one result that ends its task: the longest response text as UTF-8. They take memory only once
   * they are used.
   */
  mailboxLongAnswerBytesMax: 25 * 1024 * 1024,
  /**
   * Return data and results from this length on are handled differently: equal ones are stored once, JSON texts are not
   * decoded from UTF-8 into strings, and the reference EVM does not check them.
   */
  longDataBytesMin: 64 * 1024,
  /** Memory for long results that is retained while there are none. */
  longResultsKeptBytesMax: 16 * 1024 * 1024,
  /** Bytes of jobs that can be added to a running task. When they are used up, the task ends and a new one starts. */
  mailboxJobBytesMax: 512 * 1024,
  /**
   * Jobs queued in a running task: enough until the main thread polls again, and so few that most waiting jobs are left
   * for other workers.
   */
  mailboxBacklogMax: 32,
  /**
   * Time that a task without jobs waits for another job. A client that sends one job for each increment sends the next
   * one after some 200 ms.
   */
  mailboxLingerMs: 250,
  /** Pause before idle estimator threads are notified of a new state table, since another table may follow shortly. */
  tableNoticeMs: 1000,
  /** Time between two polls of the main thread for the results of running tasks. */
  mailboxPollMs: 2,
  /**
   * Number of times that the main thread polls for the result of a single job, 15 ns each, before it sleeps. Most short
   * estimates are done by then.
   */
  answerPollsMax: 4000,
  /**
   * When a job has run for this long, the jobs queued after it in the same worker thread are moved to other workers.
   */
  slowJobMs: 10,
  /** Number of failed tasks with a job after which the job is not tried again. */
  jobTriesMax: 2,
  /**
   * Differences between the results of kernel and reference that are logged, each so that it can be reproduced. All are
   * counted.
   */
  kernelMismatchReportsMax: 100,
  /** Time limit for checking a result of the kernel with the reference. Another job may have to wait that long. */
  kernelCheckMsMax: 30,
  /**
   * Gas up to which estimates are checked with the reference: it executes 20 gas a microsecond, and an estimate takes
   * two runs.
   */
  kernelCheckGasMax: 1_000_000,
  /** JavaScript heap of one estimator thread, in MiB. The EVM's memory is outside of the heap and is bounded by gas. */
  estimatorHeapMiBMax: 512,
  /** Threads that recover the senders of a live chain's transactions. One thread recovers 500 senders in 50 ms. */
  senderThreads: 2,
  /**
   * Maximum number of unfinished tasks of the sender recovery threads. Beyond it, the thread that needs the senders
   * recovers them itself.
   */
  senderTasksMax: 256,
  /** Time after which a task of a sender recovery thread, some thousand transactions, counts as hanging. */
  senderAnswerMsMax: 5000,
  /** JavaScript heap of one sender recovery thread, in MiB. */
  senderHeapMiBMax: 128,
} as const;
