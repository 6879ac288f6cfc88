// Bounds of the two EVM implementations (kernel and reference) and of the precompiles.

export const EVM_IMPLEMENTATION_LIMITS = {
  /**
   * Number of jumps and dynamic-gas instructions between two checks of the deadline. A check takes 40 ns, an
   * instruction up to 1 us.
   */
  deadlineCheckSteps: 16,
  /**
   * Codes that the kernel no longer runs because its result for them was wrong. If there is one more, the kernel is not
   * used at all.
   */
  denylistedCodesMax: 64,
  /**
   * Number of runs after which a basic block is compiled, which takes 0.4 ms. The code of frequent calls is compiled
   * soon, that of a single call never.
   */
  compiledRuns: 512,
  /**
   * When one basic block of a code is compiled, the code's other basic blocks that have run at least this often are
   * compiled with it.
   */
  compiledRunsMin: 64,
  /**
   * Maximum number of basic blocks in a compiled trace. With 8, a router swap takes 4 % more time and a third less
   * memory.
   */
  traceBlocksMax: 16,
  /**
   * A compiled trace ends at this many bytes of WebAssembly, even inside a basic block, because each of its exits may
   * write the whole stack.
   */
  traceBytesMax: 65_536,
  /**
   * Number of instructions of one code that are searched for basic blocks to compile. Nearly all codes of 24 KB have
   * fewer.
   */
  compiledScanMax: 32_768,
  /**
   * Number of traces compiled at a time. This takes 3 to 5 ms, or some 15 ms before V8 has optimized the compiler
   * itself.
   */
  tracesAtOnce: 8,
  /** Maximum share of a thread's time that is spent on compiling. */
  compileTimeShare: 0.25,
  /** Maximum number of traces of one kernel: an instruction has 16 bits for the index of its trace. */
  tracesMax: 65_536,
  /** Bytes of compiled code of one kernel: some 400 modules of eight traces, at 100 KB each. */
  compiledBytesMax: 40 * 1024 * 1024,
  /**
   * A kernel that is full (`tracesMax` or `compiledBytesMax`) drops all compiled code when the oldest of it has this
   * age. Then it compiles anew.
   */
  compiledKeptMs: 600_000,
  /**
   * Contract codes that an EVM thread caches between jobs, by number and by bytes. State overrides may contain long
   * ones.
   */
  codesKeptMax: 1024,
  codeBytesKeptMax: 16 * 1024 * 1024,
  /**
   * Accounts that an EVM thread caches between jobs on the same state version, at 0.3 KB each: senders and recipients.
   */
  accountsKeptMax: 4096,
} as const;
