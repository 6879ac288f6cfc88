// Returns unused memory to the system.

// The C library (malloc) maps large allocations separately (mmap). See DECISIONS.md.
import { collectGarbage } from '../lib/memory/garbage-collection.js';
import { loadNativeModule } from './load-addon.js';
import { LIMITS } from '../limits/index.js';

/** Collects this thread's garbage, and makes the C library return freed memory of all threads to the system. */
export function releaseMemory(): void {
  collectGarbage();
  loadNativeModule('json').part?.trimHeap();
}

/**
 * Makes malloc map large allocations, for the whole process, so that it returns the memory of large responses to the
 * operating system as soon as it is freed. Returns false if that is impossible: no addon, or another
 * C library.
 */
export function mmapLargeAllocations(): boolean {
  return loadNativeModule('json').part?.mapLargeBlocks(LIMITS.mappedBlockBytes) ?? false;
}
