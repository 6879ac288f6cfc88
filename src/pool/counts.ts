// The pool's counters since its start (see PoolStats).
import { JobTimes } from './job-times.js';
import type { PoolStats, RefusalReason } from './pool.js';

type Counted = 'completed' | 'merged' | 'cancelled' | 'crashes' | 'kills' | 'tasks' | 'taskJobs';

/** The counters of PoolStats in a form that the pool can increment. */
export type PoolCounts = { -readonly [Name in Counted]: PoolStats[Name] } & {
  readonly refused: Record<RefusalReason, number>;
  readonly times: JobTimes;
};

export function createCounts(): PoolCounts {
  return {
    completed: 0,
    merged: 0,
    cancelled: 0,
    crashes: 0,
    kills: 0,
    tasks: 0,
    taskJobs: 0,
    times: new JobTimes(),
    refused: { full: 0, share: 0, time: 0, late: 0, closed: 0 },
  };
}
