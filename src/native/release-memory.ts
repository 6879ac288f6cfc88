// Gives this thread's unused memory back to the system. Runs on main and on the estimators.
import { collectGarbage } from '../lib/memory/garbage.js';
import { nativePart } from './load.js';

/** Frees what this thread does not refer to any more, and has the C library give back what all threads have freed. */
export function releaseMemory(): void {
  collectGarbage();
  nativePart('json').part?.trimHeap();
}
