// Bounds of transactions, calls, blocks and chain rules.

export const EXECUTION_LIMITS = {
  /**
   * Bytes of return data or revert data of one call. As hex they are twice as long and must still fit the response. The
   * gas for memory limits them to 4.9 MB before that.
   */
  returnBytesMax: 8 * 1024 * 1024,
  /** Blocks of one eth_simulateV1, including the empty ones that fill gaps. This is go-ethereum's limit. */
  simulatedBlocksMax: 256,
  /** Transactions of one bundle, by number and by bytes, as in Flashbots' relay. Recovering a sender takes 0.04 ms. */
  bundleTransactionsMax: 100,
  bundleBytesMax: 300_000,
  /** Call data of an estimate up to which main validates it before it is sent to a worker. This takes 1 ns a byte. */
  preflightDataBytesMax: 1024,
  /** Access list entries plus blobs of an estimate up to which main validates it. Each takes some 20 ns. */
  preflightItemsMax: 32,
  /** Memory that a thread's kernels may retain between jobs: pages written to, and compiled code. Beyond: anew. */
  engineBytesKeptMax: 80 * 1024 * 1024,
  /** The same limit while no requests arrive. Kernels that only ran ordinary calls stay below it. */
  engineBytesIdleMax: 16 * 1024 * 1024,
  /** Execution time of a speculative run to find keys, with zero for missing state: it may loop for ever. */
  speculationMsMax: 250,
} as const;
