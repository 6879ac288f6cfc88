// The interface of the estimator pool for the other parts of main.
import type { Job, JobOutcome } from '../transaction/evm-job.js';
import type { JobTimeHistograms } from './job-time-histograms.js';
import type { ChainDescription } from '../chain/chain-description.js';

/** A state table in shared memory. A job reads the table that was set when it was submitted. */
export interface TableRef {
  /** Counted by the pool, because a restarted publisher may number its tables from 1 again. */
  readonly generation: number;
  readonly buffer: SharedArrayBuffer;
  /** The chain rules for its versions, if they differ from those that the estimators were started with. */
  readonly chain?: ChainDescription;
}

/**
 * Why a job is refused. `full`: the queue is full. `share`: the client has used up its share of the queue. `time`: the
 * client's jobs would occupy all workers for longer than a job may wait. `late`: the job has waited too long. `closed`:
 * the pool is shutting down.
 */
export type RefusalReason = 'full' | 'share' | 'time' | 'late' | 'closed';

/** A caller that waits for a result, for example an AbortSignal. */
export interface JobCaller {
  /** True if the caller no longer wants the result. */
  readonly aborted: boolean;
  /**
   * The client whose budget is used: an address as a string, or the name that the operator's proxy sets. Absent for our
   * own work and for clients that cannot be identified.
   */
  readonly client?: string;
}

/** Counters since the start, except `queued`, `waiting` and `running`, which are current values. */
export interface PoolStats {
  /** Jobs that wait for a worker. */
  readonly queued: number;
  /** Jobs that were sent to a worker and are not answered yet. */
  readonly running: number;
  /** Jobs that were answered, including failures. */
  readonly completed: number;
  /** The queued jobs by expected time: short ones and longer ones. */
  readonly waiting: Readonly<Record<'short' | 'longer', number>>;
  /** Jobs refused, by reason. */
  readonly refused: Readonly<Record<RefusalReason, number>>;
  /** Times of the answered jobs, by stage. */
  readonly times: JobTimeHistograms;
  /** Jobs that got the result of an equal job in flight. */
  readonly merged: number;
  /** Jobs that were not run because no caller waited for them any more. */
  readonly cancelled: number;
  /** Tasks that ended with an exception or their worker's death, idle workers that died, and failed starts. */
  readonly crashes: number;
  /** Workers that were killed because their task made no progress. */
  readonly kills: number;
  /** Groups of jobs that were sent to a worker, as a message or through the mailbox. */
  readonly tasks: number;
  /** Jobs in these groups. Divided by `tasks`, this is the mean size of a group. */
  readonly taskJobs: number;
}

export interface EstimatorPool {
  /** Sets the table for the jobs that are submitted from now on. */
  setTable(table: TableRef): void;
  /**
   * Submits a job; `null` if it is refused at once (see RefusalReason). The promise never rejects: every failure is an
   * outcome. The job's version is pinned until then. A job fails with
   * - `overload` if it waits longer than LIMITS.queuedJobMsMax;
   * - `execution` if its caller goes away before it runs, so that it is not run;
   * - `internal` if it crashes its worker twice, or the pool is closed.
   */
  submit(job: Job, caller?: JobCaller): Promise<JobOutcome> | null;
  readonly stats: PoolStats;
  /** Refuses new jobs and waits for those in flight. Returns false if some are left after `timeoutMs`. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Terminates the workers. Jobs without a result fail. */
  close(): Promise<void>;
}
