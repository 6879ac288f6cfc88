// Bounds of the program, its start and its shutdown, and of what belongs to no layer.

/** Part of `LIMITS`. */
export const PROGRAM_LIMITS = {
  /** Memory retained for large responses and bodies when there are none: one of the largest responses, and some. */
  chunksKeptBytesMax: 32 * 1024 * 1024,
  /** Time for which part of that memory must be unused before 4 MiB of it are returned to the system. */
  chunksIdleMs: 200,
  /**
   * Processor time that main works at a stretch for one body; the rest continues in a later tick, after a pause if
   * others arrive.
   */
  mainSliceMs: 2,
  /** Memory of incomplete WebSocket messages: uWebSockets.js buffers them and does not report it. */
  socketMessagesBytesMax: 512 * 1024 * 1024,
  /** Gas of one call or estimate; go-ethereum's RPC gas cap. */
  gasCapDefault: 50_000_000,
  /** Bytes that log searches hold while they wait for main's time, of all clients and of one. */
  logSearchBytesMax: 128 * 1024 * 1024,
  logSearchBytesPerClientMax: 32 * 1024 * 1024,
  /** Pause before a watch list that was refused for lack of capacity is retried, milliseconds. */
  watchRetryMs: 200,
  /**
   * Time between two checks of the program's dependencies, and before the first: a start has log lines of its own.
   * Milliseconds.
   */
  dependencyCheckMs: 500,
  dependencyStartMs: 5000,
  /** Share of the machine's memory that the table takes by default, and the least that may be configured. */
  stateMemoryShare: 1 / 4,
  stateBytesMin: 64 * 1024 * 1024,
  /** Shared memory of tables that a thread has dropped, from which on V8 is made to collect garbage. */
  sharedGarbageBytesMax: 64 * 1024 * 1024,
  /**
   * Memory that V8 is made to count for that: it starts to mark at some 64 MiB more outside of its heap than after the
   * last collection.
   */
  garbageHintBytes: 128 * 1024 * 1024,
  /**
   * Size from which on incoming responses and messages count as large: they leave garbage of five times as much, which
   * an idle thread keeps; total bytes of them, and the time without one, after which it is collected.
   */
  largeExternalBytesMin: 1024 * 1024,
  externalGarbageBytesMax: 16 * 1024 * 1024,
  externalGarbageIdleMs: 1000,
  /**
   * Time between two checks of the resident memory by main; how much more than the lowest value so far is freed while
   * no requests arrive, in some 20 ms; and the largest share of its time that main may be busy to count as idle.
   */
  idleMemoryCheckMs: 10_000,
  idleMemoryBytesMin: 32 * 1024 * 1024,
  idleMainShareMax: 0.2,
  /** Estimator threads; each needs a pin of its own. */
  workersMax: 48,
  /** Age of a renewed `pending` after which readiness fails: ten increments of 200 ms. */
  snapshotAgeMsMax: 2000,
  /** Time to finish requests in flight on SIGTERM. */
  shutdownMsMax: 12_000,
  /** Time to stop everything, hanging threads included; then the process ends. */
  stopMsMax: 15_000,
  /** Time for threads that are terminated to end; one that has not is stuck in the system. */
  threadEndMsMax: 1000,
  /** Least time between two signals that count as two: a terminal and npm both forward the same one. */
  secondSignalMsMin: 500,
  /** Time for the response to `prestate ready`, milliseconds: less than a health check has. */
  readyCheckMsMax: 4000,
  /** Time between two checks of the program whether npm, which has started it, is still alive. */
  parentCheckMs: 500,
  /** Time between two checks of main by the watchdog. */
  watchdogCheckMs: 1000,
  /** Checks without a sign of life from main after which it hangs: nothing that it does takes a second. */
  mainSilentChecksMax: 60,
  /**
   * File descriptors without which the program cannot be loaded, and those of each estimator. Some 30 stay open; while
   * the publisher loads it may have all files of its program open at once, if a busy machine reads slowly: 162 in all
   * were observed.
   */
  descriptorsBase: 256,
  descriptorsPerWorker: 16,
  /** Those of the descriptors of `descriptorsBase` that are left for connections when everything else has its own. */
  descriptorsForConnections: 64,
  /**
   * Address space of everything but the estimators, and of each of those: V8 reserves 10 GiB for every WebAssembly
   * memory, and there are five and three of them; the rest is for the kernels of further forks.
   */
  addressBytesBase: 72 * 2 ** 30,
  addressBytesPerWorker: 40 * 2 ** 30,
  /** Memory that is resident once the dev chain serves: of everything but the estimators, and of each of those. */
  memoryBytesBase: 128 * 1024 * 1024,
  memoryBytesPerWorker: 32 * 1024 * 1024,
  /** Time that a recorded message or request stays in memory before it is written: a kill can lose that much. */
  recordFlushMs: 500,
  /** Bytes of a recording that wait to be written; beyond it nothing is recorded. */
  recordWaitingBytesMax: 32 * 1024 * 1024,
  /** Time between two log lines about the same long operation. */
  progressLineMs: 2000,
  /** Confirmed blocks that a replica may be behind before it is not ready: one is in transit from time to time. */
  replicationLagBlocksMax: 1,
  /** Time for which a replica may lack a version before it is not ready. */
  replicationLagMsMax: 1000,
} as const;
