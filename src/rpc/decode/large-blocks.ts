// Tells the C library to give the memory of large answers back to the system as soon as they are gone. Runs on main.
import { LIMITS } from '../../limits/index.js';
import { nativePart } from '../../native/load.js';

/**
 * Holds for the whole process. Without it glibc keeps freed blocks of several MB on its heap: some 0.3 GB after large answers
 * whose clients left. Price: a block takes a mapping of its own, 15 % of the time of an answer of 10 MB. False where it
 * cannot be said: without the addon, or with another C library.
 */
export function mapLargeBlocks(): boolean {
  return nativePart('json').part?.mapLargeBlocks(LIMITS.mappedBlockBytes) ?? false;
}
