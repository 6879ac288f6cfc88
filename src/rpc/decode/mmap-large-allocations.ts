// Makes the C library return the memory of large responses to the operating system as soon as it is freed.

// The C library (malloc) maps large allocations separately (mmap). See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { loadNativeModule } from '../../native/load-addon.js';

/**
 * Makes malloc map large allocations, for the whole process. Returns false if that is impossible: no addon, or another
 * C library.
 */
export function mmapLargeAllocations(): boolean {
  return loadNativeModule('json').part?.mapLargeBlocks(LIMITS.mappedBlockBytes) ?? false;
}
