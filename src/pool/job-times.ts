// Times of answered jobs, by stage.
import { Histogram } from '../lib/histogram.js';
import type { RunTime } from './threads/run-time.js';

/** Three consecutive stages. */
export class JobTimes {
  /** From admission until a worker starts the run that answers: including earlier trial runs, and waking the worker. */
  readonly queue = new Histogram();
  /** The run on the worker. */
  readonly execution = new Histogram();
  /** From the end of the run until main receives the result. */
  readonly return = new Histogram();

  /** Records a result received at `nowMs`, by the clock of the other times. */
  record(admittedMs: number, { startedMs, tookMs }: RunTime, nowMs: number): void {
    this.queue.record(startedMs - admittedMs);
    this.execution.record(tookMs);
    this.return.record(nowMs - startedMs - tookMs);
  }
}
