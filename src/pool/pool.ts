// The estimators as the rest of main sees them. Runs on main.
import type { Job, Outcome } from '../transaction/call-request.js';
import type { JobTimes } from './job-times.js';
import type { ChainDescription } from '../chain/spec.js';

/** A shared table; a job's version is one of the table that was set when the job was submitted. */
export interface TableRef {
  /** In a task: counted by the pool, as a restarted publisher may count its tables from 1 again. */
  readonly generation: number;
  readonly buffer: SharedArrayBuffer;
  /** The rules of its versions, where they are not those that the estimators have begun with. */
  readonly chain?: ChainDescription;
}

/**
 * Reasons for which a job is refused. `full`: the queue is. `share`: the client has its share of the queue. `time`: its jobs
 * would take all workers for longer than a job may wait. `late`: the job has waited too long. `closed`: the pool is shutting
 * down.
 */
export type RefusalReason = 'full' | 'share' | 'time' | 'late' | 'closed';

/** One that waits for an answer, an AbortSignal for instance. */
export interface Asker {
  /** True if the answer is no longer wanted. */
  readonly aborted: boolean;
  /**
   * Whose budget is used: the client's address as text, or the name that the operator's proxy gives. Absent: our own work, or
   * a client that cannot be told from others.
   */
  readonly client?: string;
}

/** Counts since the start; `queued`, `waiting` and `running` are of now. */
export interface PoolStats {
  /** Jobs that wait for a worker. */
  readonly queued: number;
  /** Jobs handed to a worker and not answered. */
  readonly running: number;
  /** Jobs answered, failures included. */
  readonly completed: number;
  /** The queued jobs: short ones, and those that are expected to take longer. */
  readonly waiting: Readonly<Record<'short' | 'longer', number>>;
  /** Jobs refused, by reason. */
  readonly refused: Readonly<Record<RefusalReason, number>>;
  /** Times of the answered jobs, by part. */
  readonly times: JobTimes;
  /** Jobs that shared the answer of an equal job in flight. */
  readonly merged: number;
  /** Jobs not run because nobody waited for them. */
  readonly cancelled: number;
  /** Tasks that ended with an exception or the death of their worker, workers that died idle, and starts that failed. */
  readonly crashes: number;
  /** Workers killed because a task made no progress. */
  readonly kills: number;
  /** Groups of jobs handed to a worker, by message or by mailbox. */
  readonly tasks: number;
  /** Jobs in these groups; divided by `tasks`: jobs in a group. */
  readonly taskJobs: number;
}

/** Runs jobs on worker threads. */
export interface EstimatorPool {
  /** Sets the table that the versions of jobs submitted from now on refer to. */
  setTable(table: TableRef): void;
  /**
   * Takes a job; `null` when it is refused at once (see RefusalReason). The promise never rejects: every failure is an Outcome.
   * The job's version is pinned until then. A job fails with
   * - `overload` when it waits longer than LIMITS.queuedJobMsMax;
   * - `execution` when its asker is gone before it runs: it does not run;
   * - `internal` when it breaks its worker twice, or when the pool is closed.
   */
  submit(job: Job, asker?: Asker): Promise<Outcome> | null;
  /** Counts of now. */
  readonly stats: PoolStats;
  /** Refuses new jobs and waits for those in flight; false when jobs are left after `timeoutMs`. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Ends the workers; unanswered jobs fail. */
  close(): Promise<void>;
}
