// Bounds of engines, kernel and precompiles.

/** Part of `LIMITS`. */
export const EVM_LIMITS = {
  /**
   * Jumps, and steps with dynamic gas, between two checks of the deadline by the reference: 40 ns against 1 us a step.
   */
  deadlineCheckSteps: 16,
  /** Codes for which the kernel was found wrong; with one more it is wrong too often, and runs no code at all. */
  denylistedCodesMax: 64,
  /**
   * Runs after which a basic block of code is compiled, in some 0.4 ms: soon reached by frequent calls, not by a single
   * one.
   */
  compiledRuns: 512,
  /** Runs after which other blocks of a code are compiled along with one of it. */
  compiledRunsMin: 64,
  /** Basic blocks of a trace: with 8 a router swap takes 4 % more time, and a third less memory. */
  traceBlocksMax: 16,
  /** Bytes of WebAssembly at which a trace ends, however long a block is; each exit of it may write a whole stack. */
  traceBytesMax: 65_536,
  /**
   * Instructions of a code that are searched for further blocks to compile; nearly all contracts of 24 KB have fewer.
   */
  compiledScanMax: 32_768,
  /** Traces that are compiled in one go: in 3 to 5 ms, in some 15 while V8 has not compiled the compiler. */
  tracesAtOnce: 8,
  /** Largest share of a thread's time for compiling. */
  compileTimeShare: 0.25,
  /** Traces of a kernel: an instruction has 16 bits for the index of one. */
  tracesMax: 65_536,
  /** Memory of a kernel's compiled code: some 400 modules of eight traces, at 100 KB each. */
  compiledBytesMax: 40 * 1024 * 1024,
  /** Time after which a kernel whose compiled code fills that memory drops it, and compiles what runs often then. */
  compiledKeptMs: 600_000,
  /**
   * Contract codes that an EVM thread caches between jobs, and their bytes: those of overrides may be as long as a
   * body.
   */
  codesKeptMax: 1024,
  codeBytesKeptMax: 16 * 1024 * 1024,
  /**
   * Accounts that an EVM thread caches from job to job on one version, 0.3 KB each: senders and recipients of calls.
   */
  accountsKeptMax: 4096,
} as const;
