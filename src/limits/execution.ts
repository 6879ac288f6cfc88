// Bounds of transactions, calls, blocks and chain rules.

export const EXECUTION_LIMITS = {
  /**
   * Bytes of return data or revert data of one call. As hex they are twice as long and must still fit the response. The
   * gas for memory already limits them to 4.9 MB.
   */
  returnBytesMax: 8 * 1024 * 1024,
  /** Blocks in one eth_simulateV1, including the empty blocks that fill gaps. This is go-ethereum's limit. */
  simulatedBlocksMax: 256,
  /**
   * Transactions of one bundle, by number and by bytes, as in Flashbots' relay. Recovering the sender of one takes 0.04
   * ms.
   */
  bundleTransactionsMax: 100,
  bundleBytesMax: 300_000,
  /**
   * Bytes of call data up to which the main thread validates an estimate before it goes to a worker thread. This takes
   * 1 ns a byte.
   */
  preflightDataBytesMax: 1024,
  /**
   * Number of access list entries plus blobs up to which the main thread validates an estimate. Each takes some 20 ns.
   */
  preflightItemsMax: 32,
  /**
   * Memory that the kernels of a thread may retain between jobs: pages written to, and compiled code. Beyond it, a
   * kernel is created anew.
   */
  engineBytesKeptMax: 80 * 1024 * 1024,
  /** As `engineBytesKeptMax`, while no requests arrive. The kernels of a thread stay below it with ordinary calls. */
  engineBytesIdleMax: 16 * 1024 * 1024,
  /**
   * Time limit of a speculative run, which finds state keys. It reads zero for missing state, so it may loop for ever.
   */
  speculationMsMax: 250,
} as const;
