// The interface of the estimator pool for the rest of main.
import type { Job, JobOutcome } from '../transaction/call-request.js';
import type { JobTimes } from './job-times.js';
import type { ChainDescription } from '../chain/spec.js';

/** A shared table; a job's version belongs to the table that was set when the job was submitted. */
export interface TableRef {
  /** In a task: counted by the pool, as a restarted publisher may count its tables from 1 again. */
  readonly generation: number;
  readonly buffer: SharedArrayBuffer;
  /** The chain rules of its versions, if they differ from those that the estimators were started with. */
  readonly chain?: ChainDescription;
}

/**
 * Reasons to refuse a job. `full`: the queue is full. `share`: the client has used up its share of the queue. `time`:
 * its jobs would occupy all workers for longer than a job may wait. `late`: the job has waited too long. `closed`: the
 * pool is shutting down.
 */
export type RefusalReason = 'full' | 'share' | 'time' | 'late' | 'closed';

/** A caller that waits for a result, for example an AbortSignal. */
export interface JobClient {
  /** True if the result is no longer wanted. */
  readonly aborted: boolean;
  /**
   * Whose budget is used: the client's address as a string, or the name that the operator's proxy sets. Absent: our own
   * work, or a client that cannot be identified.
   */
  readonly client?: string;
}

/** Counts since the start; `queued`, `waiting` and `running` are current values. */
export interface PoolStats {
  /** Jobs that wait for a worker. */
  readonly queued: number;
  /** Jobs sent to a worker and not answered yet. */
  readonly running: number;
  /** Jobs answered, failures included. */
  readonly completed: number;
  /** The queued jobs: short ones, and those that are expected to take longer. */
  readonly waiting: Readonly<Record<'short' | 'longer', number>>;
  /** Jobs refused, by reason. */
  readonly refused: Readonly<Record<RefusalReason, number>>;
  /** Times of the answered jobs, by stage. */
  readonly times: JobTimes;
  /** Jobs that shared the result of an equal job in flight. */
  readonly merged: number;
  /** Jobs not run because no caller waited for them any more. */
  readonly cancelled: number;
  /** Tasks that ended with an exception or the death of their worker, workers that died idle, and failed starts. */
  readonly crashes: number;
  /** Workers killed because a task made no progress. */
  readonly kills: number;
  /** Groups of jobs sent to a worker, by message or by mailbox. */
  readonly tasks: number;
  /** Jobs in these groups; divided by `tasks`: the mean group size. */
  readonly taskJobs: number;
}

/** Runs jobs on worker threads. */
export interface EstimatorPool {
  /** Sets the table for the versions of jobs submitted from now on. */
  setTable(table: TableRef): void;
  /**
   * Submits a job; `null` if it is refused at once (see RefusalReason). The promise never rejects: every failure is an
   * Outcome. The job's version is pinned until then. A job fails with
   * - `overload` when it waits longer than LIMITS.queuedJobMsMax;
   * - `execution` when its caller is gone before it runs: it is not run;
   * - `internal` when it crashes its worker twice, or when the pool is closed.
   */
  submit(job: Job, caller?: JobClient): Promise<JobOutcome> | null;
  /** The current counts. */
  readonly stats: PoolStats;
  /** Refuses new jobs and waits for those in flight; false if jobs are left after `timeoutMs`. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Terminates the workers; unanswered jobs fail. */
  close(): Promise<void>;
}
