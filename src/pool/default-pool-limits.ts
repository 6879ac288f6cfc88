// The bounds of an estimator pool, which tests may change.
import { LIMITS } from '../limits/index.js';

/** The bounds that the service uses; `src/limits/index.ts` explains each of them. */
export const DEFAULT_POOL_BOUNDS = {
  queuedJobsMax: LIMITS.queuedJobsMax,
  queuedJobBytesMax: LIMITS.queuedJobBytesMax,
  queuedJobMsMax: LIMITS.queuedJobMsMax,
  jobsPerTaskMax: LIMITS.jobsPerTaskMax,
  timeoutGraceMs: LIMITS.timeoutGraceMs,
  killGraceMs: LIMITS.killGraceMs,
  heapMiBMax: LIMITS.estimatorHeapMiBMax,
};

export type PoolBounds = { readonly [Name in keyof typeof DEFAULT_POOL_BOUNDS]: number };
