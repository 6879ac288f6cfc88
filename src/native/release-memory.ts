// Returns this thread's unused memory to the system.
import { collectGarbage } from '../lib/memory/garbage-collection.js';
import { loadNativeModule } from './load-addon.js';

/** Collects this thread's garbage, and makes the C library return freed memory of all threads to the system. */
export function releaseMemory(): void {
  collectGarbage();
  loadNativeModule('json').part?.trimHeap();
}
