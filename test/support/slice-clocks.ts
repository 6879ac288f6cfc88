// Clocks of a thread that never waits for a processor: all elapsed time is CPU time.
import type { SliceClocks } from '../../src/fairness/time-slicer.js';

/** Uses one clock as both clocks of the time slicer. */
export function cpuBoundClocks(nowMs: () => number): SliceClocks {
  return { nowMs, cpuMs: nowMs };
}
