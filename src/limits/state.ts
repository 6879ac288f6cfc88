// Bounds of the state table, the archive and the retained versions.

export const STATE_LIMITS = {
  /** Accounts and slots that a watched call may read. A call that reads more is run again at every state version. */
  watchedReadsMax: 1024,
  /** State versions that can be read at any time. This is the size of the ring of version records, a power of two. */
  versionsKeptMax: 4096,
  /** Confirmed blocks whose state is read from the state table. The state of older blocks is read from the archive. */
  blocksKeptMax: 128,
  /** Time by block timestamps for which the blocks of a live chain are retained: 128 blocks of 200 ms are only 25 s. */
  keptWindowMs: 300_000,
  /**
   * Maximum number of blocks (of 200 ms) that are retained for `keptWindowMs`, and bytes of their transactions and
   * receipts on the main thread.
   */
  blocksInWindowMax: 1536,
  windowBytesMax: 128 * 1024 * 1024,
  /** Bytes of the publisher's lists of the keys that retained blocks have changed: 40 kB for 1,000 keys. */
  windowKeysBytesMax: 64 * 1024 * 1024,
  /** Block hashes that are retained for BLOCKHASH: 256, by the yellow paper. */
  blockHashesKept: 256,
  /**
   * Memory for overwritten values that older versions still read, 64 bytes each. When it is full, fewer old blocks are
   * retained.
   */
  olderBytesMax: 512 * 1024 * 1024,
  /**
   * Maximum distance of a key from its home bucket in the state table. With 10 M keys and a load of 0.7, 300 was
   * observed.
   */
  tableProbesMax: 1024,
  /**
   * At this distance from a home bucket, keys are clustered: the table is copied with another hash key before the
   * maximum is reached.
   */
  tableProbesHigh: 512,
  /**
   * Buckets of the state table that are copied, or visited for eviction, after each publication: half a millisecond at
   * 100 ns each.
   */
  tableSliceBuckets: 4096,
  /**
   * Threads that may read the state table at the same time. Each holds a pin, which protects the version that it reads.
   */
  pinsMax: 64,
  /** Age of a version pin above which an alarm is logged: longer than any job may run. */
  pinAgeMsMax: 15_000,
  /** If the address space of the process is limited, the archive may reserve this share of it. */
  archiveAddressShare: 1 / 8,
  /** Address space that is reserved for the archive, and so its maximum size. Its file grows only as it is written. */
  archiveBytesMax: 2 ** 40,
  /** Confirmed blocks that a reorganization may remove from the archive, far beyond any chain's finality. */
  archiveReorgBlocksMax: 1024,
  /** Time within which the disk must write, sync and remove a file of one page when the program starts. */
  folderProbeMsMax: 10_000,
  /**
   * If fewer bytes are free, a disk counts as full and nothing is written. A block of 10,000 changes takes that much.
   */
  diskFreeBytesMin: 4 * 1024 * 1024,
  /**
   * Time for checking an archive before it is opened, enough for 700,000 records. Other records are checked when they
   * are read.
   */
  archiveCheckMsMax: 3000,
  /**
   * Bytes of trial records that the archive check writes to each of the archive's tables and rolls back. The changes of
   * one block are fewer bytes.
   */
  archiveTrialBytes: 4 * 1024 * 1024,
  /**
   * When the archive is opened, its tables are read twice: once as they are (within `archiveCheckMsMax`), and once
   * while they contain the records of `archiveTrialBytes`. This is the time limit of the second reading.
   */
  archiveTrialMsMax: 1000,
  /**
   * Time limit of the process that checks the archive. If the process hangs, it is killed, and the archive is not
   * opened.
   */
  archiveTrialEndMsMax: 60_000,
  /** Damaged archive records that are logged, each once. All are counted. */
  damagedRecordsReportedMax: 100,
  /**
   * If one run of an execution misses more keys than this, it is aborted. Applies to state that is fetched on demand.
   */
  missingKeysMax: 8192,
} as const;
