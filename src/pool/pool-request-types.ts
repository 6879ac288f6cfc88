// Types of what other components on the main thread pass to the estimator pool, and of why it refuses a job.
import type { JobQueueLimits } from '../fairness/usage-ledger.js';
import type { ChainDescription } from '../chain/chain-description.js';

/** Bounds of a pool, which tests may change. They are those of `LIMITS` with the same names. */
export interface PoolBounds extends JobQueueLimits {
  readonly queuedJobMsMax: number;
  readonly jobsPerTaskMax: number;
  readonly timeoutGraceMs: number;
  readonly killGraceMs: number;
  readonly estimatorHeapMiBMax: number;
}

/** A state table in shared memory. A job reads the state table that was set when the job was submitted. */
export interface TableRef {
  /**
   * Number of the table, which the pool assigns. The publisher's numbers are not used, because a restarted publisher
   * may start from 1 again.
   */
  readonly generation: number;
  readonly buffer: SharedArrayBuffer;
  /** Chain rules for the table's versions, if they differ from those that the estimator threads were started with. */
  readonly chain?: ChainDescription;
}

/**
 * Why a job is refused. `full`: the queue is full. `share`: the client has used up its share of the queue. `time`: the
 * client's jobs would occupy all worker threads for longer than a job may wait. `late`: the job has waited too long.
 * `closed`: the pool is shutting down.
 */
export type RefusalReason = 'full' | 'share' | 'time' | 'late' | 'closed';

/** A caller that waits for the result of a job, for example an AbortSignal. */
export interface AbortableCaller {
  /** True if the caller no longer wants the result. */
  readonly aborted: boolean;
  /**
   * The client to which the job is charged: an address as text, or the name that the operator's proxy sets. Absent for
   * the program's own work and for clients that cannot be identified.
   */
  readonly client?: string;
}
