// Times of answered jobs, by part. Runs on main.
import { Histogram } from '../lib/time/histogram.js';
import type { RunTime } from './threads/run-time.js';

/** Three stages, one after the other. */
export class JobTimes {
  /** From the admission until a worker begins the run that answers: trials before it, and waking the worker, included. */
  readonly queue = new Histogram();
  /** The run on the worker. */
  readonly execution = new Histogram();
  /** From the end of the run until main takes the answer. */
  readonly return = new Histogram();

  /** An answer was taken at `nowMs`, by the clock of the other times. */
  record(admittedMs: number, { beganMs, tookMs }: RunTime, nowMs: number): void {
    this.queue.record(beganMs - admittedMs);
    this.execution.record(tookMs);
    this.return.record(nowMs - beganMs - tookMs);
  }
}
