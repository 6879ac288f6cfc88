// Bounds of the process, its start and its shutdown, and everything that belongs to no single layer.

export const PROCESS_LIMITS = {
  /**
   * Freed memory of large responses and bodies that is retained for reuse: slightly more than one response of the
   * largest size.
   */
  chunksKeptBytesMax: 32 * 1024 * 1024,
  /**
   * When part of the memory retained for reuse was not used for this time, 4 MiB of it are returned to the operating
   * system.
   */
  chunksIdleMs: 200,
  /**
   * Processor time that the main thread spends on one body without interruption. The work continues in a later tick,
   * after a pause if other requests arrive.
   */
  mainSliceMs: 2,
  /** Calls with which the program warms up after its start. */
  warmUpCalls: 6000,
  /** Memory reserved for incomplete WebSocket messages, which uWebSockets.js buffers without reporting how much. */
  socketMessagesBytesMax: 512 * 1024 * 1024,
  /** Maximum gas of one call or estimate: go-ethereum's RPC gas cap. */
  gasCapDefault: 50_000_000,
  /** Memory of log searches that wait for the main thread's time, of all clients and of one. */
  logSearchBytesMax: 128 * 1024 * 1024,
  logSearchBytesPerClientMax: 32 * 1024 * 1024,
  /** Milliseconds before a list of watched calls that could not be run for lack of capacity is tried again. */
  watchRetryMs: 200,
  /**
   * Milliseconds between two checks whether the program's dependencies can be reached. `dependencyStartMs`:
   * milliseconds before the first check; until then, the program's start itself logs which dependencies cannot be
   * reached.
   */
  dependencyCheckMs: 500,
  dependencyStartMs: 5000,
  /**
   * Share of the machine's memory that the state table takes by default, and the smallest size that can be configured.
   */
  stateMemoryShare: 1 / 4,
  stateBytesMin: 64 * 1024 * 1024,
  /** When a thread has dropped this many bytes of shared memory of old state tables, V8 is made to collect garbage. */
  sharedGarbageBytesMax: 64 * 1024 * 1024,
  /**
   * Bytes of memory that are allocated to make V8 collect dropped shared memory. V8 collects garbage after some 64 MiB
   * more of memory outside its heap.
   */
  garbageHintBytes: 128 * 1024 * 1024,
  /**
   * Incoming messages from the first size on are large. They leave garbage of five times their size, which an idle
   * thread does not collect. When such garbage exceeds the second size and no large message has arrived for the given
   * time, the thread is made to collect it.
   */
  largeExternalBytesMin: 1024 * 1024,
  externalGarbageBytesMax: 16 * 1024 * 1024,
  externalGarbageIdleMs: 1000,
  /**
   * Time between two checks of resident memory by the main thread. If it is `idleMemoryBytesMin` above its lowest value
   * since memory was last freed, and the program is idle, memory is freed again, which takes some 20 ms. The program is
   * idle if no job waits or runs, and the main thread is busy for at most `idleMainShareMax` of its time.
   */
  idleMemoryCheckMs: 10_000,
  idleMemoryBytesMin: 32 * 1024 * 1024,
  idleMainShareMax: 0.2,
  /** Maximum number of estimator threads. Each needs its own pin, which protects the state version that it reads. */
  workersMax: 48,
  /** Age of the `pending` state above which readiness fails on the dev chain: ten of its increments of 200 ms. */
  snapshotAgeMsMax: 2000,
  /** Time to finish the requests in flight after SIGTERM. */
  shutdownMsMax: 12_000,
  /** Time for the whole shutdown, including threads that hang. Then the process ends. */
  stopMsMax: 15_000,
  /** Time within which a terminated thread must end. A thread that does not is stuck in a system call. */
  threadEndMsMax: 1000,
  /** Two signals closer together than this count as one: a terminal and npm both forward the same Ctrl-C. */
  secondSignalMsMin: 500,
  /**
   * Milliseconds within which `prestate ready` must get its response. This is shorter than the time-outs of health
   * checks.
   */
  readyCheckMsMax: 4000,
  /** Time between two checks whether the npm process that started the program is still alive. */
  parentCheckMs: 500,
  /** Time between two checks of the main thread by the watchdog thread. */
  watchdogCheckMs: 1000,
  /**
   * Number of checks in a row in which the main thread has made no progress, after which it counts as hanging. Nothing
   * that it does takes a second.
   */
  mainSilentChecksMax: 60,
  /**
   * File descriptors needed by the program, and in addition by each estimator thread. Some 30 stay open, but while the
   * publisher starts on a busy machine it may have all of its module files open at once; 162 were observed.
   */
  descriptorsBase: 256,
  descriptorsPerWorker: 16,
  /** The part of `descriptorsBase` that is for connections; the program's own files need the rest. */
  descriptorsForConnections: 64,
  /**
   * Address space for everything but the estimator threads, and for each estimator thread. V8 reserves 10 GiB for every
   * WebAssembly memory. Each estimator thread has three of them, and all other threads together have five. The rest is
   * for the kernels of further forks.
   */
  addressBytesBase: 72 * 2 ** 30,
  addressBytesPerWorker: 40 * 2 ** 30,
  /**
   * Resident memory while the dev chain is running: of everything but the estimator threads, and of each estimator
   * thread.
   */
  memoryBytesBase: 128 * 1024 * 1024,
  memoryBytesPerWorker: 32 * 1024 * 1024,
  /**
   * Time that a recorded message or request stays in memory before it is written to the file. If the process is killed,
   * the last records are lost.
   */
  recordFlushMs: 500,
  /** Bytes of a recording that wait to be written to the file. Beyond it nothing is recorded. */
  recordWaitingBytesMax: 32 * 1024 * 1024,
  /** Time between two log lines about the same long operation. */
  progressLineMs: 2000,
  /**
   * Number of confirmed blocks by which a replica may be behind its executor and still be ready. One block is often
   * still being sent.
   */
  replicationLagBlocksMax: 1,
  /** Time by which a replica may be behind its executor's newest version and still be ready. */
  replicationLagMsMax: 1000,
} as const;
