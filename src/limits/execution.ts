// Bounds of transactions, calls, blocks and the rules of chains.

/** Part of `LIMITS`. */
export const EXECUTION_LIMITS = {
  /**
   * Return data or revert data of one call: twice as many hex digits must fit the response. Memory gas limits it to 4.9
   * MB.
   */
  returnBytesMax: 8 * 1024 * 1024,
  /** Blocks of one eth_simulateV1, including those that fill gaps; go-ethereum's limit. */
  simulatedBlocksMax: 256,
  /** Transactions of one bundle, and their total bytes; as in Flashbots' relay. Recovering a sender takes 0.04 ms. */
  bundleTransactionsMax: 100,
  bundleBytesMax: 300_000,
  /** Call data of an estimate that main checks itself before a worker gets it; a pass over it costs 1 ns a byte. */
  preflightDataBytesMax: 1024,
  /** Entries of access list and blobs of such an estimate; each costs some 20 ns. */
  preflightItemsMax: 32,
  /**
   * Memory that the kernels of a thread, one per fork, retain between two jobs: pages that they have written to, and
   * V8's code of blocks that they have compiled. Beyond it they are recreated.
   */
  engineBytesKeptMax: 80 * 1024 * 1024,
  /** The same while no requests arrive: what ordinary calls compile and write to is less. */
  engineBytesIdleMax: 16 * 1024 * 1024,
  /**
   * Execution time of a speculative run of a call or estimate that may miss state: with zeros as values code may loop.
   */
  speculationMsMax: 250,
} as const;
