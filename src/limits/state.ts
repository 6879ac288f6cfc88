// Bounds of the table, the archive and the retained state.

/** Part of `LIMITS`. */
export const STATE_LIMITS = {
  /** Accounts and slots that a watched call may read; one that reads more is run again at every version. */
  watchedReadsMax: 1024,
  /** Versions that can be read at any one time, the size of the ring of version records. A power of two. */
  versionsKeptMax: 4096,
  /** Confirmed blocks answered from the table; older ones are read from the archive. */
  blocksKeptMax: 128,
  /**
   * Time, by the chain's own clock, for which confirmed blocks of a live chain are kept beyond that: 128 blocks of
   * 200 ms are only 25 s.
   */
  keptWindowMs: 300_000,
  /**
   * Blocks kept within that time, as many as there are of 200 ms, and bytes of their transactions and receipts on main.
   */
  blocksInWindowMax: 1536,
  windowBytesMax: 128 * 1024 * 1024,
  /** Bytes for the keys that these blocks have changed, on the publisher: 40 kB each, some 1,000 keys. */
  windowKeysBytesMax: 64 * 1024 * 1024,
  /** Block hashes kept for BLOCKHASH: the yellow paper's 256. */
  blockHashesKept: 256,
  /** Memory for values that older versions still read, at 64 bytes a value; beyond it the kept window gets shorter. */
  olderBytesMax: 512 * 1024 * 1024,
  /**
   * Buckets by which a key of the table may be displaced from its home bucket; at a load of 0.7 some 300 are reached
   * among 10 M keys.
   */
  tableProbesMax: 1024,
  /** Displacement from which on keys cluster, so that the table is copied with another hash key before it has to be. */
  tableProbesHigh: 512,
  /**
   * Buckets of the table that are copied or visited for eviction after a publication: at some 100 ns each half a
   * millisecond.
   */
  tableSliceBuckets: 4096,
  /** Readers (threads) that may hold a pin at once. */
  pinsMax: 64,
  /** Age of a pin that raises an alarm: longer than any job may run. */
  pinAgeMsMax: 15_000,
  /** Share of a bounded address space that the archive may reserve. */
  archiveAddressShare: 1 / 8,
  /** Address space reserved for the archive, its maximum size; the file itself grows as it is written. */
  archiveBytesMax: 2 ** 40,
  /** Confirmed blocks that a reorg may remove; far beyond any chain's finality. */
  archiveReorgBlocksMax: 1024,
  /** Time for the disk to write, sync and remove a file of one page, when the program starts. */
  folderProbeMsMax: 10_000,
  /** Free bytes of a disk below which it is full, and nothing more is written: a block of 10,000 changes. */
  diskFreeBytesMin: 4 * 1024 * 1024,
  /** Time for checking an archive before it is opened: 700,000 records. Later ones are checked when they are read. */
  archiveCheckMsMax: 3000,
  /** Bytes of records that the check of an archive adds to each table, and rolls back: more than a block changes. */
  archiveTrialBytes: 4 * 1024 * 1024,
  /** Time for reading the tables once more with those records. */
  archiveTrialMsMax: 1000,
  /**
   * Time for the process of the check, including its start and a slow disk; one that hangs is killed, and the archive
   * refused.
   */
  archiveTrialEndMsMax: 60_000,
  /** Damaged records of the archive that are reported to the log, each once; all are counted. */
  damagedRecordsReportedMax: 100,
  /** Keys that one run of an execution may find missing in an upstream-backed state before it is aborted. */
  missingKeysMax: 8192,
} as const;
