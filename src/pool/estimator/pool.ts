// What the rest of main sees of the estimators. Runs on main.
import type { Job, Outcome } from '../../transaction/call-request.js';
import type { CostClass } from './cost-history.js';
import type { TableRef } from './task.js';

/**
 * Why a job is refused: the queue is full, or of dear jobs; its client has its share of the queue, or has used its worker
 * time; it has waited too long; the pool is shutting down.
 */
export type RefusalReason = 'full' | 'dear' | 'share' | 'time' | 'late' | 'closed';

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
  /** Of the queued ones, by class. */
  readonly waiting: Readonly<Record<CostClass, number>>;
  /** Jobs refused. */
  readonly refused: Readonly<Record<RefusalReason, number>>;
  /** Jobs that share the answer of an equal one in flight. */
  readonly merged: number;
  /** Jobs dropped because nobody waited for them any more. */
  readonly cancelled: number;
  /** Tasks that ended with an exception or the death of their worker, and workers that died idle. */
  readonly crashes: number;
  /** Workers killed because a job did not end. */
  readonly kills: number;
  /** Groups of jobs handed to a worker, by a message or by the mailbox of a task that was waiting for more. */
  readonly tasks: number;
  /** Jobs sent in them; by `tasks`: jobs per group. */
  readonly taskJobs: number;
}

/** Runs jobs on worker threads. */
export interface EstimatorPool {
  /** The table to which the versions of the jobs submitted from now on belong. */
  setTable(table: TableRef): void;
  /**
   * Takes a job, or refuses it at once (`null`) when too many are waiting, or too many of its client's. The promise never rejects: every failure,
   * a crashed worker included, is an Outcome. The job's version is pinned until then. A job whose asker is gone before
   * it is sent to a worker is not run; one that waits longer than LIMITS.queuedJobMsMax fails as `overload`, as does a dear
   * one whose client has used its time when its turn comes.
   */
  submit(job: Job, asker?: Asker): Promise<Outcome> | null;
  readonly stats: PoolStats;
  /** Refuses new jobs and waits for those in flight; false when some are left after `timeoutMs`. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Ends the workers; what is unanswered fails. */
  close(): Promise<void>;
}
