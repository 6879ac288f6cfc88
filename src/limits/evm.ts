// Bounds of engines, kernel and precompiles. Runs on every thread.

/** Part of `LIMITS`. */
export const EVM_LIMITS = {
  /**
   * Jumps, and steps with gas that is not static, between two looks of the reference at the clock: 40 ns against 1 us a
   * step.
   */
  deadlineCheckSteps: 16,
  /** Codes that the kernel was found wrong about; with one more it is wrong about too much, and runs no code at all. */
  denylistedCodesMax: 64,
  /** Runs after which a block of code is compiled, in some 0.4 ms: soon reached by calls that come often, not by a single one. */
  compiledRuns: 512,
  /** Runs after which other blocks of its code are compiled along with it. */
  compiledRunsMin: 64,
  /** Blocks that a trace goes through: with 8 a router swap takes 4 % more time, and a third less memory. */
  traceBlocksMax: 16,
  /** Bytes of WebAssembly at which a trace ends, however long a block is; each way out may write a whole stack. */
  traceBytesMax: 65_536,
  /** Instructions of a code among which further blocks to compile are looked for; nearly all contracts of 24 KB have fewer. */
  compiledLookMax: 32_768,
  /** Traces that are compiled in one go: in 3 to 5 ms, in some 15 while V8 has not compiled the compiler. */
  tracesAtOnce: 8,
  /** Share of a thread's time that it compiles at most. */
  compileTimeShare: 0.25,
  /** Traces of a kernel: an instruction has 16 bits for the place of one. */
  tracesMax: 65_536,
  /** Memory of what a kernel keeps compiled: some 400 modules of eight traces, at 100 KB each. */
  compiledBytesMax: 40 * 1024 * 1024,
  /** Time that a kernel keeps that memory full until it begins anew with the code that runs often then. */
  compiledKeptMs: 600_000,
  /** Contract codes that an EVM thread keeps between jobs, and their bytes: those of overrides may be as long as a body. */
  codesKeptMax: 1024,
  codeBytesKeptMax: 16 * 1024 * 1024,
  /** Accounts that an EVM thread keeps from job to job on one version, 0.3 KB each: senders and receivers of calls. */
  accountsKeptMax: 4096,
} as const;
