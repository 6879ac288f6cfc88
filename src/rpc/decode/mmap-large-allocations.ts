// Makes the C library return the memory of large responses to the system as soon as it is freed.

// Large blocks of memory are mapped separately. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { loadNativeModule } from '../../native/load-addon.js';

/** Sets this for the whole process. False if that cannot be: no addon, or another C library. */
export function mmapLargeAllocations(): boolean {
  return loadNativeModule('json').part?.mapLargeBlocks(LIMITS.mappedBlockBytes) ?? false;
}
