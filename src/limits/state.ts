// Bounds of the state table, the archive and the retained versions.

export const STATE_LIMITS = {
  /** Accounts and slots that one watched call may read. A call that reads more is run again at every version. */
  watchedReadsMax: 1024,
  /** Versions that can be read at any time. This is the size of the ring of version records, a power of two. */
  versionsKeptMax: 4096,
  /** Confirmed blocks that are answered from the state table. Older blocks are read from the archive. */
  blocksKeptMax: 128,
  /** Blocks of a live chain are kept this long by its timestamps: 128 blocks of 200 ms are only 25 s. */
  keptWindowMs: 300_000,
  /** Most blocks kept within that time (of 200 ms), and bytes of their transactions and receipts on main. */
  blocksInWindowMax: 1536,
  windowBytesMax: 128 * 1024 * 1024,
  /** Bytes of the publisher's lists of keys that these blocks changed: 40 kB for 1,000 keys. */
  windowKeysBytesMax: 64 * 1024 * 1024,
  /** Block hashes kept for BLOCKHASH: 256, by the yellow paper. */
  blockHashesKept: 256,
  /** Memory for overwritten values of older versions, 64 bytes each. When full, fewer old blocks are kept. */
  olderBytesMax: 512 * 1024 * 1024,
  /** Farthest that a key may be from its home bucket. With 10 M keys and a load of 0.7, 300 were observed. */
  tableProbesMax: 1024,
  /** Distance from home above which keys are clustered: the table is copied with another hash key in time. */
  tableProbesHigh: 512,
  /** Buckets copied, or visited for eviction, after each publication: half a millisecond at 100 ns each. */
  tableSliceBuckets: 4096,
  /** Threads that may read at the same time. Each holds a pin, which protects the version that it reads. */
  pinsMax: 64,
  /** Age of a pin above which an alarm is logged: longer than any job may run. */
  pinAgeMsMax: 15_000,
  /** If the process's address space is limited, the archive may reserve this share of it. */
  archiveAddressShare: 1 / 8,
  /** Address space reserved for the archive, and so its largest size. The file only grows as it is written. */
  archiveBytesMax: 2 ** 40,
  /** Confirmed blocks that a reorganization may remove, far beyond any chain's finality. */
  archiveReorgBlocksMax: 1024,
  /** Time within which the disk must write, sync and remove a file of one page when the program starts. */
  folderProbeMsMax: 10_000,
  /** Free bytes below which a disk counts as full and nothing is written: the size of a block of 10,000 changes. */
  diskFreeBytesMin: 4 * 1024 * 1024,
  /** Time for checking an archive before it opens, enough for 700,000 records; others are checked when read. */
  archiveCheckMsMax: 3000,
  /** Bytes of records that the check writes to each table and rolls back: more than one block changes. */
  archiveTrialBytes: 4 * 1024 * 1024,
  /** Time for reading the tables again with these records. */
  archiveTrialMsMax: 1000,
  /** Time for the process that runs the check. If it hangs, it is killed, and the archive is not opened. */
  archiveTrialEndMsMax: 60_000,
  /** Damaged archive records that are logged, each once. All are counted. */
  damagedRecordsReportedMax: 100,
  /** If one run of an execution misses more keys than this in a state that is fetched on demand, it is aborted. */
  missingKeysMax: 8192,
} as const;
