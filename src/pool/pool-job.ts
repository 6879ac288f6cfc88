// A job of the pool, with what the pool knows about it.
import type { JobOutcome } from '../transaction/evm-job.js';
import type { Client } from '../fairness/client.js';
import type { PackedJob } from './packed-job.js';
import type { JobCaller, TableRef } from './estimator-pool.js';

/** A job from its admission to its result. */
export interface PoolJob {
  /** The encoded job. If it is short, it is the key among the jobs in flight. */
  readonly packed: PackedJob;
  /** The table that the job reads; `null` if there was none. */
  readonly table: TableRef | null;
  readonly client: Client;
  /** Key of its expected cost (see cost-history.ts). */
  readonly costKey: number;
  /** Number of its admission: jobs are counted in the order in which they are admitted. */
  readonly order: number;
  /** Time of its admission on the pool's clock. */
  readonly admittedMs: number;
  /** Time on that clock by which it should be dispatched: the queue is sorted by this (see job-queue.ts). */
  readonly dueMs: number;
  /** Releases the pin on its version. */
  readonly release: () => void;
  /** Execution time limit, milliseconds. */
  readonly timeoutMs: number;
  readonly answer: Promise<JobOutcome>;
  readonly settle: (outcome: JobOutcome) => void;
  /** Callers that wait for it; `null` if one of them can never go away. */
  callers: JobCaller[] | null;
  /** How often a task failed of which this job may have been the cause. */
  failures: number;
  /** True if predicted to be long, or a trial run did not finish: never for the worker for short jobs. */
  isLong: boolean;
  /** Time limit of the next run in milliseconds. If the time-out is shorter, that applies. */
  limitMs: number;
  /** Expected worker time at admission in milliseconds. It counts as its client's until the job is answered. */
  readonly owedMs: number;
  /** Expected worker time when the job was last sent to a worker. */
  expectedMs: number;
  isAnswered: boolean;
}

/** True if no caller waits for the job any more. */
export function isAbandoned({ callers }: PoolJob): boolean {
  return callers !== null && callers.every((caller) => caller.aborted);
}

/** True if the job must be alone in its task: a suspect, to show the cause, or a large job, not copied then. */
export function mustRunAlone({ failures, packed }: PoolJob): boolean {
  return failures > 0 || typeof packed !== 'string';
}
