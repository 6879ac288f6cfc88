// A job in the estimator pool, with what the pool knows about it.
import type { JobOutcome } from '../transaction/evm-job.js';
import type { Client } from '../fairness/client-usage.js';
import type { PackedJob } from './packed-job.js';
import type { AbortableCaller, TableRef } from './pool-request-types.js';

/** A job from its admission to its result. */
export interface AdmittedJob {
  /** The encoded job. If it is short, it is also the key by which equal jobs in flight are found. */
  readonly packed: PackedJob;
  /** The state table that the job reads; `null` if there was none. */
  readonly table: TableRef | null;
  readonly client: Client;
  /** Key of the job's expected cost (see cost-history.ts). */
  readonly costKey: number;
  /** Number of the job: jobs are counted in the order in which they are admitted. */
  readonly order: number;
  /** Time at which the job was admitted, on the pool's clock. */
  readonly admittedMs: number;
  /**
   * Time on the pool's clock by which the job should be sent to a worker. The queue is sorted by this (see
   * job-queue.ts).
   */
  readonly dueMs: number;
  /** Releases the pin on the job's state version. */
  readonly release: () => void;
  /** Execution time limit in milliseconds. */
  readonly timeoutMs: number;
  readonly answer: Promise<JobOutcome>;
  readonly settle: (outcome: JobOutcome) => void;
  /** Callers that wait for the job's result; `null` if one of them can never abort its request. */
  callers: AbortableCaller[] | null;
  /** True if more than one caller gets the job's result. */
  isShared: boolean;
  /** Number of failed tasks of which this job may have been the cause. */
  failures: number;
  /**
   * True if the job is predicted to be long, or a trial run did not finish. It then never runs on the worker for short
   * jobs.
   */
  isLong: boolean;
  /** Time limit of the job's next run, in milliseconds. If its time-out is shorter, that applies. */
  limitMs: number;
  /** Expected worker time at admission, in milliseconds. It is charged to the client until the job is answered. */
  readonly owedMs: number;
  /** Expected worker time, in milliseconds, when the job was last sent to a worker. */
  expectedMs: number;
  isAnswered: boolean;
}

/** True if no caller waits for the job any more. */
export function isAbandoned({ callers }: AdmittedJob): boolean {
  return callers !== null && callers.every((caller) => caller.aborted);
}

/**
 * True if no other job may be in the same task: because the job is suspected to crash workers, or is large and so is
 * not copied.
 */
export function mustRunAlone({ failures, packed }: AdmittedJob): boolean {
  return failures > 0 || typeof packed !== 'string';
}
