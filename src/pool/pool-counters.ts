// Counters of the estimator pool since the start of the program.
import { Histogram } from '../lib/histogram.js';
import type { RefusalReason } from './pool-request-types.js';
import type { RunTiming } from './threads/run-timing.js';

export class PoolCounters {
  /** Jobs that were answered, including failures. */
  completed = 0;
  /** Jobs refused, by reason. */
  readonly refused: Record<RefusalReason, number> = { full: 0, share: 0, time: 0, late: 0, closed: 0 };
  /** Times of the answered jobs, by stage. */
  readonly times = new JobTimeHistograms();
  /** Jobs that got the result of an equal job in flight. */
  merged = 0;
  /** Jobs that were not run because no caller waited for them any more. */
  cancelled = 0;
  /**
   * Number of tasks that ended with an exception or with their worker thread's death, idle workers that died, and
   * failed starts.
   */
  crashes = 0;
  /** Worker threads that were killed because their task made no progress. */
  kills = 0;
  /** Groups of jobs that were sent to a worker thread, as a message or through its mailbox. */
  tasks = 0;
  /** Number of jobs in these groups. Divided by `tasks`, this is the mean size of a group. */
  taskJobs = 0;
}

/** The counters, and current numbers of jobs. */
export interface PoolStats extends Readonly<PoolCounters> {
  /** Jobs that wait for a worker thread. */
  readonly queued: number;
  /** Number of queued jobs that are expected to be short, and number of queued jobs that are expected to be longer. */
  readonly waiting: Readonly<Record<'short' | 'longer', number>>;
  /** Jobs that were sent to a worker thread and are not answered yet. */
  readonly running: number;
}

/** Histograms of the three stages of a job, which follow one another. */
export class JobTimeHistograms {
  /** Time from admission to the run that answers the job, including earlier trial runs and waking the worker thread. */
  readonly queue = new Histogram();
  /** Time from the start to the end of the run on the worker thread. */
  readonly execution = new Histogram();
  /** Time from the end of the run until the main thread receives the result. */
  readonly return = new Histogram();

  /** Records the times of a job whose result was received at `nowMs`, on the same clock as the other times. */
  record(admittedMs: number, { startedMs, tookMs }: RunTiming, nowMs: number): void {
    this.queue.record(startedMs - admittedMs);
    this.execution.record(tookMs);
    this.return.record(nowMs - startedMs - tookMs);
  }
}
