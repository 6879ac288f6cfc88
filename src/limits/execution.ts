// Bounds of transactions, calls, blocks and the rules of chains. Runs on every thread.

/** Part of `LIMITS`. */
export const EXECUTION_LIMITS = {
  /** Return data or revert data of one call: twice as many hex digits must fit the answer. Gas for memory ends at 4.9 MB. */
  returnBytesMax: 8 * 1024 * 1024,
  /** Blocks of one eth_simulateV1, those that fill gaps included; go-ethereum's limit. */
  simulatedBlocksMax: 256,
  /** Transactions of one bundle, and their bytes together; as the relay of Flashbots. A sender takes 0.04 ms to recover. */
  bundleTransactionsMax: 100,
  bundleBytesMax: 300_000,
  /** Call data of an estimate that main looks at itself before a worker gets it; a walk over it costs 1 ns a byte. */
  preflightDataBytesMax: 1024,
  /** Entries of access list and blobs of such an estimate; each costs some 20 ns. */
  preflightItemsMax: 32,
  /**
   * Memory that the kernels of a thread, one a fork, keep between two jobs: pages that they have written to, and V8's code of
   * blocks that they have compiled. With more they are made anew.
   */
  engineBytesKeptMax: 80 * 1024 * 1024,
  /** The same once nobody asks anything: what ordinary calls compile and write to is less. */
  engineBytesIdleMax: 16 * 1024 * 1024,
  /** Execution time of a pass of a call or estimate that may find state missing: with zeros for values code may loop. */
  speculationMsMax: 250,
} as const;
