// Bounds of the process, its start and its shutdown, and everything that belongs to no single layer.

export const PROGRAM_LIMITS = {
  /** Memory retained for large responses and bodies: slightly more than one response of the largest size. */
  chunksKeptBytesMax: 32 * 1024 * 1024,
  /** When part of that memory has not been used for this long, 4 MiB of it are returned to the system. */
  chunksIdleMs: 200,
  /** Processor time for one body at a stretch. It continues in a later tick, after a pause if others arrive. */
  mainSliceMs: 2,
  /** Memory reserved for incomplete WebSocket messages, which uWebSockets.js buffers without telling how much. */
  socketMessagesBytesMax: 512 * 1024 * 1024,
  /** Gas of one call or estimate: go-ethereum's RPC gas cap. */
  gasCapDefault: 50_000_000,
  /** Bytes of data of log searches that wait for main's time, of all clients and of one. */
  logSearchBytesMax: 128 * 1024 * 1024,
  logSearchBytesPerClientMax: 32 * 1024 * 1024,
  /** Milliseconds before a watch list that was refused for lack of capacity is tried again. */
  watchRetryMs: 200,
  /** Milliseconds between checks of dependencies, and before the first: the start itself logs them. */
  dependencyCheckMs: 500,
  dependencyStartMs: 5000,
  /** Share of the machine's memory that the state table takes by default, and the smallest configurable size. */
  stateMemoryShare: 1 / 4,
  stateBytesMin: 64 * 1024 * 1024,
  /** Shared memory of state tables that a thread no longer uses. From this size on, V8 is made to collect garbage. */
  sharedGarbageBytesMax: 64 * 1024 * 1024,
  /** External memory reported to V8 for that, which collects after some 64 MiB more of it. */
  garbageHintBytes: 128 * 1024 * 1024,
  /**
   * Incoming messages from the first size on are large, and leave garbage of five times their size, which an idle
   * thread does not collect. Above the second size in total, and after the given time without another one, it is made
   * to.
   */
  largeExternalBytesMin: 1024 * 1024,
  externalGarbageBytesMax: 16 * 1024 * 1024,
  externalGarbageIdleMs: 1000,
  /**
   * Time between two checks of resident memory by main. If it is this much above the lowest value so far, memory is
   * freed in some 20 ms, provided that no requests arrive. Main counts as idle while it is busy for at most this share
   * of its time.
   */
  idleMemoryCheckMs: 10_000,
  idleMemoryBytesMin: 32 * 1024 * 1024,
  idleMainShareMax: 0.2,
  /** Estimator threads. Each needs a pin of its own, which protects the version that it reads. */
  workersMax: 48,
  /** Age of `pending` after which readiness fails on the dev chain: ten of its increments of 200 ms. */
  snapshotAgeMsMax: 2000,
  /** Time to finish the requests in flight after SIGTERM. */
  shutdownMsMax: 12_000,
  /** Time for the whole shutdown, including threads that hang. Then the process ends. */
  stopMsMax: 15_000,
  /** Time within which a terminated thread must end. A thread that has not is stuck in a system call. */
  threadEndMsMax: 1000,
  /** Two signals closer together than this count as one: a terminal and npm both forward the same Ctrl-C. */
  secondSignalMsMin: 500,
  /** Milliseconds within which `prestate ready` must get its response: shorter than the time-outs of health checks. */
  readyCheckMsMax: 4000,
  /** Time between two checks whether the npm process that started the program is still alive. */
  parentCheckMs: 500,
  /** Time between two checks of main by the watchdog. */
  watchdogCheckMs: 1000,
  /** Checks without a sign of life from main after which it hangs. Nothing that main does takes a second. */
  mainSilentChecksMax: 60,
  /**
   * File descriptors needed by the program, plus those for each estimator. Some 30 stay open, but while the publisher
   * starts on a busy machine it may have all of its module files open at once; 162 were observed.
   */
  descriptorsBase: 256,
  descriptorsPerWorker: 16,
  /** Descriptors of `descriptorsBase` that are left for connections after everything else has its own. */
  descriptorsForConnections: 64,
  /**
   * Address space for everything but the estimators, and for each estimator. V8 reserves 10 GiB for every WebAssembly
   * memory; there are five and three of them, and the rest is for the kernels of further forks.
   */
  addressBytesBase: 72 * 2 ** 30,
  addressBytesPerWorker: 40 * 2 ** 30,
  /** Resident memory when the dev chain is running: of everything but the estimators, and of each estimator. */
  memoryBytesBase: 128 * 1024 * 1024,
  memoryBytesPerWorker: 32 * 1024 * 1024,
  /** Time that a recorded message or request stays in memory before it is written: a kill can lose that much. */
  recordFlushMs: 500,
  /** Bytes of a recording that wait to be written; beyond it nothing is recorded. */
  recordWaitingBytesMax: 32 * 1024 * 1024,
  /** Time between two log lines about the same long operation. */
  progressLineMs: 2000,
  /** Confirmed blocks that a replica may be behind and still be ready. One block is often on its way. */
  replicationLagBlocksMax: 1,
  /** Time for which a replica may be behind the executor's newest version and still be ready. */
  replicationLagMsMax: 1000,
} as const;
