// Histograms of how long the stages of answered jobs took.
import { Histogram } from '../lib/histogram.js';
import type { RunTiming } from './threads/run-timing.js';

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
