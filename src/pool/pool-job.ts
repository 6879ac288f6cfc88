// A job in the pool. Runs on main.
import type { Outcome } from '../transaction/call-request.js';
import type { Client } from '../clients/client.js';
import type { PackedJob } from './long-job.js';
import type { Asker, TableRef } from './pool.js';

/** A job from its admission to its answer. */
export interface PoolJob {
  /** Packed bytes; short ones are the key of the jobs in flight. */
  readonly packed: PackedJob;
  /** The table of its version; `null` when there was none. */
  readonly table: TableRef | null;
  readonly client: Client;
  /** Key of its costs (see cost-history.ts). */
  readonly costKey: number;
  /** Its place in the order of admission. */
  readonly order: number;
  /** Time of its admission by the pool's clock. */
  readonly admittedMs: number;
  /** When it is due by that clock (see job-queue.ts). */
  readonly dueMs: number;
  /** Releases its version. */
  readonly release: () => void;
  /** Execution time that it may have, milliseconds. */
  readonly timeoutMs: number;
  readonly answer: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => void;
  /** Askers that wait for it; `null` when one does that never stops waiting. */
  askers: Asker[] | null;
  /** Tasks that failed with this job as their suspect. */
  failures: number;
  /**
   * It is foreseen to be long, or a trial of it did not end: no job for the worker with the short ones, whatever such
   * jobs took before.
   */
  isLong: boolean;
  /** Limit of the next run, milliseconds; the time-out holds where that is less. */
  limitMs: number;
  /** Worker time that it was expected to take when it was admitted, milliseconds: until it is answered its client owes that. */
  readonly owedMs: number;
  /** Worker time that it was expected to take when it was handed over last. */
  expectedMs: number;
  isAnswered: boolean;
}

/** True if nobody waits for the job. */
export function isAbandoned({ askers }: PoolJob): boolean {
  return askers !== null && askers.every((asker) => asker.aborted);
}

/** True if the job is handed over alone: a suspect, whom no other job shall hide, or a long one, which is not copied then. */
export function isAlone({ failures, packed }: PoolJob): boolean {
  return failures > 0 || typeof packed !== 'string';
}
