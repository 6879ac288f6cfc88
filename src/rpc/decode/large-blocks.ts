// Makes the C library return the memory of large answers to the system as soon as they are freed. Runs on main.

// Decision (2026-11, two cores): Large blocks are mapped. After 24 answers of 9.8 MB, as many that nobody read, and 30
// calls with 2.4 MB of data the process has 280 MB instead of 325, and 290 instead of 335 at its peak. Price: up to a
// quarter more processor time for such answers, and 60 lines.
import { LIMITS } from '../../limits/index.js';
import { nativePart } from '../../native/load.js';

/** Applies to the whole process. False if it cannot be set: without the addon, or with another C library. */
export function mapLargeBlocks(): boolean {
  return nativePart('json').part?.mapLargeBlocks(LIMITS.mappedBlockBytes) ?? false;
}
