// Clocks of a thread that never waits for a processor: all time that passes is CPU time.
import type { SliceClocks } from '../../src/fairness/time-slicer.js';

/** Both clocks of slices from one. */
export function workingAlways(nowMs: () => number): SliceClocks {
  return { nowMs, cpuMs: nowMs };
}
