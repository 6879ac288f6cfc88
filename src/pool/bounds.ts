// The bounds of an estimator pool. Runs on main.
import type { JobBounds } from '../clients/ledger.js';
import { LIMITS } from '../limits/index.js';

/** Bounds of a pool; `src/limits/index.ts` has the reason of each. */
export interface PoolBounds extends JobBounds {
  /** Milliseconds that a job may wait for a worker. */
  readonly queuedJobMsMax: number;
  /** Jobs handed to a worker together. */
  readonly jobsPerTaskMax: number;
  /** Milliseconds past its time-out at which a running job is answered as timed out. */
  readonly timeoutGraceMs: number;
  /** Least milliseconds past its time-out at which a running job's worker is killed. */
  readonly killGraceMs: number;
  /** JavaScript heap of one worker, MiB. */
  readonly heapMiBMax: number;
}

/** The bounds that the service runs with. */
export const DEFAULT_BOUNDS: PoolBounds = {
  queuedJobsMax: LIMITS.queuedJobsMax,
  queuedJobBytesMax: LIMITS.queuedJobBytesMax,
  queuedJobMsMax: LIMITS.queuedJobMsMax,
  jobsPerTaskMax: LIMITS.jobsPerTaskMax,
  timeoutGraceMs: LIMITS.timeoutGraceMs,
  killGraceMs: LIMITS.killGraceMs,
  heapMiBMax: LIMITS.estimatorHeapMiBMax,
};
