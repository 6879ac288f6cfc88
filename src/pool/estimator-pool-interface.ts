// The interface of the estimator pool for other components on the main thread.
import type { Job, JobOutcome } from '../transaction/evm-job.js';
import type { JobTimeHistograms } from './job-time-histograms.js';
import type { ChainDescription } from '../chain/chain-description.js';

/** A state table in shared memory. A job reads the state table that was set when the job was submitted. */
export interface TableRef {
  /**
   * Number of the table. The pool counts tables itself, because a restarted publisher may number its tables from 1
   * again.
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
export interface WaitingCaller {
  /** True if the caller no longer wants the result. */
  readonly aborted: boolean;
  /**
   * The client to which the job is charged: an address as text, or the name that the operator's proxy sets. Absent for
   * the program's own work and for clients that cannot be identified.
   */
  readonly client?: string;
}

/** Counters since the start of the program, except `queued`, `waiting` and `running`, which are current numbers. */
export interface PoolStats {
  /** Jobs that wait for a worker thread. */
  readonly queued: number;
  /** Jobs that were sent to a worker thread and are not answered yet. */
  readonly running: number;
  /** Jobs that were answered, including failures. */
  readonly completed: number;
  /** Number of queued jobs that are expected to be short, and of longer ones. */
  readonly waiting: Readonly<Record<'short' | 'longer', number>>;
  /** Jobs refused, by reason. */
  readonly refused: Readonly<Record<RefusalReason, number>>;
  /** Times of the answered jobs, by stage. */
  readonly times: JobTimeHistograms;
  /** Jobs that got the result of an equal job in flight. */
  readonly merged: number;
  /** Jobs that were not run because no caller waited for them any more. */
  readonly cancelled: number;
  /**
   * Number of tasks that ended with an exception or with their worker thread's death, idle workers that died, and
   * failed starts.
   */
  readonly crashes: number;
  /** Worker threads that were killed because their task made no progress. */
  readonly kills: number;
  /** Groups of jobs that were sent to a worker thread, as a message or through its mailbox. */
  readonly tasks: number;
  /** Number of jobs in these groups. Divided by `tasks`, this is the mean size of a group. */
  readonly taskJobs: number;
}

export interface EstimatorPool {
  /** Sets the state table for the jobs that are submitted from now on. */
  setTable(table: TableRef): void;
  /**
   * Submits a job; returns `null` if it is refused at once (see RefusalReason). The promise never rejects: every
   * failure is an outcome. The job's state version is pinned until the promise resolves. A job fails with
   * - `overload` if it waits longer than LIMITS.queuedJobMsMax;
   * - `execution` if its caller goes away before it runs, so that it is not run;
   * - `internal` if it crashes its worker thread twice, or the pool is closed.
   */
  submit(job: Job, caller?: WaitingCaller): Promise<JobOutcome> | null;
  readonly stats: PoolStats;
  /** Refuses new jobs and waits for the jobs in flight. Resolves to false if some are left after `timeoutMs`. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Terminates the worker threads. Jobs without a result fail. */
  close(): Promise<void>;
}
