// The door to the estimators. Runs on main.
import type { Job, Outcome } from '../evm/call.js';

/** Runs jobs on worker threads. */
export interface EstimatorPool {
  /**
   * Takes a job, or refuses it at once (`null`) when too many are waiting. The promise never rejects: every failure,
   * a crashed worker included, is an Outcome.
   */
  submit(job: Job): Promise<Outcome> | null;
}
