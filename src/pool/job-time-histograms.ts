// Histograms of how long the stages of answered jobs took.
import { Histogram } from '../lib/histogram.js';
import type { RunTiming } from './threads/run-timing.js';

/** The three stages of a job, which follow one another. */
export class JobTimeHistograms {
  /** From admission to the run that answers the job, with earlier trial runs and waking the worker. */
  readonly queue = new Histogram();
  /** From the start to the end of the run on the worker. */
  readonly execution = new Histogram();
  /** From the end of the run until main receives the result. */
  readonly return = new Histogram();

  /** Records a result that was received at `nowMs`, on the same clock as the other times. */
  record(admittedMs: number, { startedMs, tookMs }: RunTiming, nowMs: number): void {
    this.queue.record(startedMs - admittedMs);
    this.execution.record(tookMs);
    this.return.record(nowMs - startedMs - tookMs);
  }
}
