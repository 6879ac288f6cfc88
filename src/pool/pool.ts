// The door to the estimators. Runs on main.
import type { Job, Outcome } from '../evm/call.js';
import type { TableRef } from './task.js';

/** Whoever waits for an answer, an AbortSignal for instance: `aborted` once nobody wants it any more. */
export interface Asker {
  readonly aborted: boolean;
  /**
   * Who shares a budget with whom: the client's address as text, or what the operator's proxy says of it. Absent: work of
   * our own, or a client that cannot be told from others.
   */
  readonly client?: string;
}

/** Counts since the start, but `queued` and `running`: now. */
export interface PoolStats {
  /** Jobs that wait for a worker. */
  readonly queued: number;
  /** Jobs that were handed to a worker and are not answered. */
  readonly running: number;
  /** Jobs answered, failures included. */
  readonly completed: number;
  /** Jobs refused because too many were waiting, they had waited too long or the pool was shutting down. */
  readonly refused: number;
  /** Jobs that share the answer of an equal one in flight. */
  readonly merged: number;
  /** Jobs dropped because nobody waited for them any more. */
  readonly cancelled: number;
  /** Tasks that ended with an exception or the death of their worker, and workers that died idle. */
  readonly crashes: number;
  /** Workers killed because a job did not end. */
  readonly kills: number;
  /** Groups of jobs handed to a worker, by a message or by the lane of a task that was waiting for more. */
  readonly tasks: number;
  /** Jobs sent in them; by `tasks`: jobs per group. */
  readonly taskJobs: number;
}

/** Runs jobs on worker threads. */
export interface EstimatorPool {
  /** The table to which the versions of the jobs submitted from now on belong. */
  setTable(table: TableRef): void;
  /**
   * Takes a job, or refuses it at once (`null`) when too many are waiting. The promise never rejects: every failure,
   * a crashed worker included, is an Outcome. The job's version is pinned until then. A job whose asker is gone before
   * it is sent to a worker is not run; one that waits longer than LIMITS.queuedJobMsMax fails as `overload`.
   */
  submit(job: Job, asker?: Asker): Promise<Outcome> | null;
  readonly stats: PoolStats;
  /** Refuses new jobs and waits for those in flight; false when some are left after `timeoutMs`. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Ends the workers; what is unanswered fails. */
  close(): Promise<void>;
}
