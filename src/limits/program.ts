// Bounds of the program, its start and its end, and what no floor owns. Runs on every thread.

/** Part of `LIMITS`. */
export const PROGRAM_LIMITS = {
  /** Memory kept for large answers and bodies when there are none: one of the largest answers, and some. */
  chunksKeptBytesMax: 32 * 1024 * 1024,
  /** Time without need for more of that memory, after which 4 MiB of it go back to the system. */
  chunksIdleMs: 200,
  /**
   * Processor time that main works at a stretch for one body; the rest goes on in a later turn, after a pause when
   * others come.
   */
  mainSliceMs: 2,
  /** Memory of WebSocket messages that have not come to their end: uWebSockets.js keeps them and tells nobody. */
  socketMessagesBytesMax: 512 * 1024 * 1024,
  /** Gas of one call or estimate; go-ethereum's RPC gas cap. */
  gasCapDefault: 50_000_000,
  /** Bytes that searches for logs hold while they wait for main's time, all together and of one client. */
  logSearchBytesMax: 128 * 1024 * 1024,
  logSearchBytesPerClientMax: 32 * 1024 * 1024,
  /** Pause before a watch list for which there was no room is tried again, milliseconds. */
  watchRetryMs: 200,
  /** Time between two looks at what the program depends on, and before the first: a start has lines of its own. Milliseconds. */
  presenceLookMs: 500,
  presenceStartMs: 5000,
  /** Share of the machine's memory that the table takes by itself, and what it may be told to take. */
  stateMemoryShare: 1 / 4,
  stateBytesMin: 64 * 1024 * 1024,
  /** Shared memory of tables that a thread has left behind, from which on V8 is made to look for what nobody refers to. */
  sharedGarbageBytesMax: 64 * 1024 * 1024,
  /** Memory that V8 is told of for that: it begins to mark at some 64 MiB more outside of its heap than it left there. */
  garbageHintBytes: 128 * 1024 * 1024,
  /**
   * Size from which on answers and messages of others leave garbage of five times as much, which a thread without much to do
   * keeps; bytes of them, and the time without one, after which it is collected.
   */
  largeForeignBytesMin: 1024 * 1024,
  foreignGarbageBytesMax: 16 * 1024 * 1024,
  foreignGarbageIdleMs: 1000,
  /**
   * Time between two looks of main at its resident memory; how much more than the least that was seen is given back
   * when nobody asks anything, in some 20 ms; and the share of its time that main is at work at most when it counts as
   * idle.
   */
  idleMemoryLookMs: 10_000,
  idleMemoryBytesMin: 32 * 1024 * 1024,
  idleMainShareMax: 0.2,
  /** Estimator threads; each needs a pin of its own. */
  workersMax: 48,
  /** Age of a renewed `pending` after which readiness fails: ten increments of 200 ms. */
  snapshotAgeMsMax: 2000,
  /** Time to finish requests in flight on SIGTERM. */
  shutdownMsMax: 12_000,
  /** Time to stop everything, what hangs included; then the process ends. */
  stopMsMax: 15_000,
  /** Time for threads that are terminated to end; one that has not is stuck in the system. */
  threadEndMsMax: 1000,
  /** Least time between two signals that are two wishes: a terminal and npm both bring the same one. */
  secondSignalMsMin: 500,
  /** Time for the answer to `prestate ready`, milliseconds: less than a health check has. */
  readyAskMsMax: 4000,
  /** Time between two looks of the program for npm, which has started it. */
  parentLookMs: 500,
  /** Time between two looks of the watchdog at main. */
  watchdogLookMs: 1000,
  /** Looks without a sign of main after which it hangs: nothing that it does takes a second. */
  mainSilentLooksMax: 60,
  /**
   * File descriptors without which the program cannot be loaded, and those of each estimator. Some 30 are for good; while the
   * publisher loads it may have all files of its program open at once, where a busy machine reads late: 162 in all were seen.
   */
  descriptorsBase: 256,
  descriptorsPerWorker: 16,
  /** Connections among the descriptors without which the program cannot be loaded: left when everything has its own. */
  descriptorsForConnections: 64,
  /**
   * Address space of all but the estimators, and of each of those: V8 reserves 10 GiB for every WebAssembly memory, and
   * there are five and three of them; the rest is for the kernels of further forks.
   */
  addressBytesBase: 72 * 2 ** 30,
  addressBytesPerWorker: 40 * 2 ** 30,
  /** Memory that is resident once the dev chain serves: of all but the estimators, and of each of those. */
  memoryBytesBase: 128 * 1024 * 1024,
  memoryBytesPerWorker: 32 * 1024 * 1024,
  /** Time between two log lines about the same long work. */
  progressLineMs: 2000,
  /** Confirmed blocks that a replica may be behind before it is not ready: one is on its way from time to time. */
  replicationLagBlocksMax: 1,
  /** Time for which a version may be missing at a replica before it is not ready. */
  replicationLagMsMax: 1000,
} as const;
