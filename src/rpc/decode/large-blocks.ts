// Makes the C library return the memory of large answers to the system as soon as they are freed.

// Large blocks are mapped. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { nativePart } from '../../native/load.js';

/** Applies to the whole process. False if it cannot be set: without the addon, or with another C library. */
export function mapLargeBlocks(): boolean {
  return nativePart('json').part?.mapLargeBlocks(LIMITS.mappedBlockBytes) ?? false;
}
