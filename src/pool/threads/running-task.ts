// The task of one worker as main sees it: which of its jobs are answered, which one is running, and since when. Between
// jobs the task may wait for more.
import type { JobOutcome } from '../../transaction/evm-job.js';
import { LIMITS } from '../../limits/index.js';
import { TIMEOUT_BYTES, NO_TIMEOUT_MS, packTimeoutMs } from '../codec/job-envelope.js';
import { MainMailbox } from './mailbox.js';
import { writePackedJob, type LargeJob } from '../packed-job.js';
import type { PoolJob } from '../pool-job.js';
import type { RunTiming } from './run-timing.js';
import type { WorkerTask } from './task-server.js';
import type { TableRef } from '../estimator-pool.js';

/** Receives the outcome of a run, when it ran, and the time on the pool's clock. */
export type OutcomeHandler = (job: PoolJob, outcome: JobOutcome, time: RunTiming, nowMs: number) => void;

/** Serves one task after the other. After a worker's death a new instance is needed, for its mailbox. */
export class RunningTask {
  #mailbox = new MainMailbox();
  /** Jobs without a result, in order. An answered job is removed at once, because tasks may be long. */
  #jobs: PoolJob[] = [];
  #answered = 0;
  /** Worker time in milliseconds that these jobs are expected to take. */
  #expectedMs = 0;
  /** The table of all jobs of the task; undefined while there is no task. */
  #table: TableRef | null | undefined;
  /** The long job that came with the message. Its memory is retained until the task is over. */
  #long: LargeJob | null = null;
  #isRunning = false;
  #progressSeen = 0;
  #sinceMs = 0;

  /** True while there is a task that has not ended. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** True while the task has jobs without a result. */
  get isWorking(): boolean {
    return this.#jobs.length > 0;
  }

  get started(): number {
    return this.#mailbox.started;
  }

  /** The job that has started and has no result; `null` between jobs. */
  get runningJob(): PoolJob | null {
    return this.#mailbox.started > this.#answered ? this.#jobs[0]! : null;
  }

  /** Jobs without a result, except those that were taken back. */
  get unanswered(): readonly PoolJob[] {
    return this.#jobs;
  }

  /**
   * Number of jobs that may be sent now. A task that has answered some jobs accepts more before it runs out of them, so
   * that worker and main do not wait for each other. But it does not accept one at a time, because every post wakes a
   * thread.
   */
  get capacity(): number {
    if (!this.#isRunning) return LIMITS.jobsPerTaskMax;
    if (this.#mailbox.isClosed) return 0;
    const capacity = LIMITS.mailboxBacklogMax - (this.#answered + this.#jobs.length - this.#mailbox.started);
    const isHalfEmpty = capacity >= LIMITS.mailboxBacklogMax / 2 && this.capacityMs >= LIMITS.dispatchedMsMax / 2;
    return !this.isWorking || (this.#answered > 0 && isHalfEmpty) ? capacity : 0;
  }

  /** Expected milliseconds that these jobs may take in total. */
  get capacityMs(): number {
    return LIMITS.dispatchedMsMax - this.#expectedMs;
  }

  /** Starts a task with jobs of one table, and returns the message for the worker. */
  start(jobs: readonly PoolJob[], nowMs: number): WorkerTask {
    return this.#begin(jobs, jobs[0]?.table ?? null, jobs, nowMs);
  }

  /** Starts the check of an answered job. It is not one of the task's jobs, because no caller waits for it. */
  startCheck({ packed, table }: PoolJob, nowMs: number): WorkerTask {
    return { ...this.#begin([], table, [{ packed, limitMs: NO_TIMEOUT_MS }], nowMs), isCheck: true };
  }

  /** Starts a task without jobs, which tells the worker the table in use. */
  startEmpty(table: TableRef | null, nowMs: number): WorkerTask {
    const task = this.#begin([], table, [], nowMs);
    this.#mailbox.close();
    return task;
  }

  /** Adds jobs to the task; false if they use another table, one must be alone, or the mailbox is full or closed. */
  goOn(jobs: readonly PoolJob[], nowMs: number): boolean {
    const [first] = jobs;
    if (first === undefined || first.failures > 0 || first.table !== this.#table) return false;
    if (!this.#mailbox.post(jobs)) return false;
    if (!this.isWorking) this.#sinceMs = nowMs;
    for (const job of jobs) this.#jobs.push(job);
    this.#expectedMs += expectedOf(jobs);
    return true;
  }

  /** Resolves when there may be new results, or the task has ended. */
  bell(): Promise<void> {
    return this.#mailbox.bell();
  }

  attend(): void {
    this.#mailbox.attend();
  }

  leave(): void {
    this.#mailbox.leave();
  }

  /** True if `collect` has a result to pass on. */
  get hasAnswer(): boolean {
    return this.#mailbox.hasAnswer;
  }

  /** Passes every new result to `take`. */
  collect(take: OutcomeHandler, nowMs: number): void {
    for (let outcome = this.#mailbox.next(); outcome !== null; outcome = this.#mailbox.next()) {
      this.#answered += 1;
      const job = this.#jobs.shift()!;
      this.#expectedMs = this.isWorking ? this.#expectedMs - job.expectedMs : 0;
      take(job, outcome, this.#mailbox.time, nowMs);
    }
  }

  /** Passes the long result that has ended the task to `take`, if there is one. Must be called after `collect`. */
  collectLong(take: OutcomeHandler, nowMs: number): void {
    const { runningJob } = this;
    const outcome = runningJob === null ? null : this.#mailbox.long();
    if (outcome !== null) take(runningJob!, outcome, this.#mailbox.time, nowMs);
  }

  /** Milliseconds without progress: of the running job, or of waiting for the worker. Exact after `collect`. */
  stalledMs(nowMs: number): number {
    const progress = this.#mailbox.started + this.#answered;
    if (progress !== this.#progressSeen) {
      this.#progressSeen = progress;
      this.#sinceMs = nowMs;
    }
    return nowMs - this.#sinceMs;
  }

  /** True if a job was admitted before `sinceMs` and has not started. */
  hasOlder(sinceMs: number): boolean {
    const started = this.#mailbox.started - this.#answered;
    return this.#jobs.some(({ admittedMs }, at) => at >= started && admittedMs < sinceMs);
  }

  /** Takes back the jobs that have not started, and returns each of them once. */
  takeBack(): readonly PoolJob[] {
    const started = this.#mailbox.close();
    return this.#jobs.splice(started - this.#answered);
  }

  /** Marks the task as over. */
  end(): void {
    this.#isRunning = false;
    this.#jobs = [];
    this.#expectedMs = 0;
    this.#table = undefined;
    this.#answered = 0;
    this.#long?.release();
    this.#long = null;
    this.#mailbox.ring();
  }

  #begin(jobs: readonly PoolJob[], table: TableRef | null, sent: readonly Dispatched[], nowMs: number): WorkerTask {
    this.#isRunning = true;
    this.#jobs = [...jobs];
    this.#expectedMs = expectedOf(jobs);
    this.#answered = 0;
    this.#table = jobs.length === 0 ? undefined : table;
    this.#progressSeen = 0;
    this.#sinceMs = nowMs;
    if (this.#mailbox.isGivenAway) this.#mailbox = new MainMailbox();
    this.#mailbox.open(jobs.length);
    return { table, mailbox: this.#mailbox.buffer, jobs: this.#message(sent), count: sent.length, isCheck: false };
  }

  /** Concatenates the encoded jobs. A long job, which is alone, is passed without a copy. */
  #message(jobs: readonly Dispatched[]): Uint8Array {
    const [first] = jobs;
    if (first === undefined || jobs.length > 1 || typeof first.packed === 'string') return joined(jobs);
    this.#long = first.packed;
    this.#long.retain();
    return this.#long.withTimeout(first.limitMs);
  }
}

function expectedOf(jobs: readonly PoolJob[]): number {
  return jobs.reduce((sum, { expectedMs }) => sum + expectedMs, 0);
}

type Dispatched = Pick<PoolJob, 'packed' | 'limitMs'>;

function joined(jobs: readonly Dispatched[]): Uint8Array {
  let length = 0;
  for (const { packed } of jobs) length += TIMEOUT_BYTES + packed.length;
  const bytes = Buffer.from(new ArrayBuffer(length));
  let offset = 0;
  for (const { packed, limitMs } of jobs) {
    offset = packTimeoutMs(limitMs, bytes, offset);
    offset += writePackedJob(packed, bytes, offset);
  }
  return bytes;
}
