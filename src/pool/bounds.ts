// The bounds of an estimator pool.
import { LIMITS } from '../limits/index.js';

/** The bounds that the service runs with; `src/limits/index.ts` explains each. */
export const DEFAULT_BOUNDS = {
  queuedJobsMax: LIMITS.queuedJobsMax,
  queuedJobBytesMax: LIMITS.queuedJobBytesMax,
  queuedJobMsMax: LIMITS.queuedJobMsMax,
  jobsPerTaskMax: LIMITS.jobsPerTaskMax,
  timeoutGraceMs: LIMITS.timeoutGraceMs,
  killGraceMs: LIMITS.killGraceMs,
  heapMiBMax: LIMITS.estimatorHeapMiBMax,
};

/** Bounds of a pool by name. */
export type PoolBounds = { readonly [Name in keyof typeof DEFAULT_BOUNDS]: number };
