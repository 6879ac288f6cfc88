// Bounds of the EVM engines, the kernel and the precompiles.

export const EVM_LIMITS = {
  /** Jumps and dynamic-gas instructions between checks of the deadline: a check takes 40 ns, a step 1 us. */
  deadlineCheckSteps: 16,
  /** Codes that the kernel no longer runs because its result was wrong. With one more, it is not used at all. */
  denylistedCodesMax: 64,
  /** Runs of a basic block until it is compiled in 0.4 ms: soon for frequent calls, never for a single one. */
  compiledRuns: 512,
  /** When one block of a code is compiled, its other blocks that have run this often are compiled with it. */
  compiledRunsMin: 64,
  /** Most basic blocks in a trace. With 8, a router swap takes 4 % more time and a third less memory. */
  traceBlocksMax: 16,
  /** Bytes of WebAssembly at which a trace ends, even within a block: each exit may write the whole stack. */
  traceBytesMax: 65_536,
  /** Instructions of one code that are searched for blocks to compile. Nearly all of 24 KB have fewer. */
  compiledScanMax: 32_768,
  /** Traces compiled in one go. This takes 3 to 5 ms, or some 15 ms before V8 has optimized the compiler itself. */
  tracesAtOnce: 8,
  /** Largest share of a thread's time that is spent on compiling. */
  compileTimeShare: 0.25,
  /** Most traces of one kernel: an instruction has 16 bits for the index of its trace. */
  tracesMax: 65_536,
  /** Memory for the compiled code of one kernel: some 400 modules of eight traces, at 100 KB each. */
  compiledBytesMax: 40 * 1024 * 1024,
  /** Age of the oldest code at which the kernel, if full, drops all compiled code and starts again. */
  compiledKeptMs: 600_000,
  /** Codes that an EVM thread caches between jobs, by number and by bytes; overrides may have long ones. */
  codesKeptMax: 1024,
  codeBytesKeptMax: 16 * 1024 * 1024,
  /** Accounts that an EVM thread caches between jobs on one version, 0.3 KB each: senders and recipients. */
  accountsKeptMax: 4096,
} as const;
