// A job in the pool's hands. Runs on main.
import type { Outcome } from '../../transaction/call-request.js';
import type { Client } from './client-shares.js';
import type { Asker } from './pool.js';
import type { TableRef } from './task.js';

/** A job from its admission to its answer. */
export interface PoolJob {
  /** Packed bytes as a string of Latin-1: the key of the jobs in flight, copied to a task in 0.1 us. */
  readonly packed: string;
  readonly table: TableRef | null;
  readonly client: Client;
  /** Of its costs (see cost-history.ts). */
  readonly costKey: number;
  /** Its place in the order of admission. */
  readonly order: number;
  /** Time of its admission by the pool's clock. */
  readonly admittedMs: number;
  /** Ends the pin on its version. */
  readonly release: () => void;
  readonly timeoutMs: number;
  readonly answer: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => void;
  /** Those who wait for it; `null` when one of them cannot go. */
  askers: Asker[] | null;
  /** Tasks that failed with this job as their suspect. */
  failures: number;
  /** Runs that were broken off at a limit below its own time. */
  trials: number;
  /** Execution time of the run that it is handed out for, milliseconds; may be more than its own. */
  limitMs: number;
  /** Worker time that its client was charged when it was handed out, milliseconds. */
  chargedMs: number;
  isAnswered: boolean;
}

/** Whether nobody waits for the job any more. */
export function isAbandoned({ askers }: PoolJob): boolean {
  return askers !== null && askers.every((asker) => asker.aborted);
}
