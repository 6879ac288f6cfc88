// Counters of the estimator pool since its start (see PoolStats).
import { JobTimeHistograms } from './job-time-histograms.js';
import type { PoolStats, RefusalReason } from './estimator-pool-interface.js';

type Counted = 'completed' | 'merged' | 'cancelled' | 'crashes' | 'kills' | 'tasks' | 'taskJobs';

/** The counters of PoolStats in a form that the pool can increment. */
export type PoolCounters = { -readonly [Name in Counted]: PoolStats[Name] } & {
  readonly refused: Record<RefusalReason, number>;
  readonly times: JobTimeHistograms;
};

export function createPoolCounters(): PoolCounters {
  return {
    completed: 0,
    merged: 0,
    cancelled: 0,
    crashes: 0,
    kills: 0,
    tasks: 0,
    taskJobs: 0,
    times: new JobTimeHistograms(),
    refused: { full: 0, share: 0, time: 0, late: 0, closed: 0 },
  };
}
