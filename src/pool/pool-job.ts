// A job of the pool.
import type { JobOutcome } from '../transaction/call-request.js';
import type { Client } from '../fairness/client.js';
import type { PackedJob } from './long-job.js';
import type { JobClient, TableRef } from './pool.js';

/** A job from its admission to its result. */
export interface PoolJob {
  /** Packed bytes; short ones are the key of the jobs in flight. */
  readonly packed: PackedJob;
  /** The table of its version; `null` if there was none. */
  readonly table: TableRef | null;
  readonly client: Client;
  /** Key of its costs (see cost-history.ts). */
  readonly costKey: number;
  /** Its position in the order of admission. */
  readonly order: number;
  /** Time of its admission by the pool's clock. */
  readonly admittedMs: number;
  /** Its deadline for being dispatched, by that clock (see job-queue.ts). */
  readonly dueMs: number;
  /** Releases its version. */
  readonly release: () => void;
  /** Execution time limit, milliseconds. */
  readonly timeoutMs: number;
  readonly answer: Promise<JobOutcome>;
  readonly settle: (outcome: JobOutcome) => void;
  /** Callers that wait for it; `null` if one of them cannot be aborted. */
  callers: JobClient[] | null;
  /** Failed tasks in which this job was a suspect. */
  failures: number;
  /**
   * It is predicted to be long, or a trial run of it did not finish: it is never sent to the worker for short jobs,
   * whatever such jobs took before.
   */
  isLong: boolean;
  /** Limit of the next run, milliseconds; the time-out applies if that is shorter. */
  limitMs: number;
  /** Expected worker time at admission, milliseconds: it counts against its client until the job is answered. */
  readonly owedMs: number;
  /** Expected worker time when it was last sent to a worker. */
  expectedMs: number;
  isAnswered: boolean;
}

/** True if nobody waits for the job any more. */
export function isAbandoned({ callers }: PoolJob): boolean {
  return callers !== null && callers.every((caller) => caller.aborted);
}

/**
 * True if the job is sent in a task of its own: a suspect, so that the blame is clear, or a long one, which then need
 * not be copied.
 */
export function isUnshared({ failures, packed }: PoolJob): boolean {
  return failures > 0 || typeof packed !== 'string';
}
