// The task of one worker thread as the main thread sees it: which of its jobs are answered, which one is running, and
// since when. After its jobs, the task may wait for more.
import { LIMITS } from '../../limits/index.js';
import { TIMEOUT_BYTES, NO_TIMEOUT_MS, packTimeoutMs } from '../codec/job.js';
import { MainMailbox } from './mailbox.js';
import { writePackedJob, type SharedMemoryJob } from '../packed-job.js';
import type { AdmittedJob } from '../admitted-job.js';
import type { RunCompletion } from '../queue/finish-or-rerun-jobs.js';
import type { WorkerTaskMessage } from './task-server.js';
import type { TableRef } from '../pool-request-types.js';

/**
 * The state of one worker's tasks, one after the other. After the worker's death a new instance is needed, because it
 * needs another mailbox.
 */
export class WorkerTaskState {
  #mailbox = new MainMailbox();
  /**
   * Jobs of the task that have no result yet, in order. An answered job is removed at once, because tasks may be long.
   */
  #jobs: AdmittedJob[] = [];
  #answered = 0;
  #expectedMs = 0;
  /** The state table of all jobs of the task; undefined while there is no task. */
  #table: TableRef | null | undefined;
  /** The large job that was in the task's message. Its memory is retained until the task is over. */
  #long: SharedMemoryJob | null = null;
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

  /** The worker's mailbox. */
  get mailbox(): MainMailbox {
    return this.#mailbox;
  }

  /** True while the task has answered all its jobs and waits for more. */
  get isLingering(): boolean {
    return this.#isRunning && this.#table !== undefined && !this.isWorking && !this.#mailbox.isClosed;
  }

  get started(): number {
    return this.#mailbox.started;
  }

  /** The job that has started and has no result; `null` between jobs. */
  get runningJob(): AdmittedJob | null {
    return this.#mailbox.started > this.#answered ? this.#jobs[0]! : null;
  }

  /** Jobs of the task that have no result yet, except jobs that were taken back. */
  get unanswered(): readonly AdmittedJob[] {
    return this.#jobs;
  }

  /**
   * Number of jobs that may be sent now, if the jobs of a task may take `taskMs` milliseconds in total. A task that has
   * answered some of its jobs accepts more as soon as half of its queue is free, so that worker and main thread do not
   * wait for each other. It does not accept each job separately, because every post wakes a thread.
   */
  capacity(taskMs: number): number {
    if (!this.#isRunning) return LIMITS.jobsPerTaskMax;
    if (this.#mailbox.isClosed) return 0;
    const capacity = LIMITS.mailboxBacklogMax - (this.#answered + this.#jobs.length - this.#mailbox.started);
    const isHalfEmpty = capacity >= LIMITS.mailboxBacklogMax / 2 && this.#expectedMs <= taskMs / 2;
    return !this.isWorking || (this.#answered > 0 && isHalfEmpty) ? capacity : 0;
  }

  /** Worker time in milliseconds that the jobs without a result are expected to take. */
  get expectedMs(): number {
    return this.#expectedMs;
  }

  /** Starts a task with jobs of one state table. Returns the message for the worker. */
  start(jobs: readonly AdmittedJob[], nowMs: number): WorkerTaskMessage {
    return this.#begin(jobs, jobs[0]?.table ?? null, jobs, nowMs);
  }

  /**
   * Starts a task in which the reference EVM checks an answered job. The job is not in `#jobs`, because no caller waits
   * for it.
   */
  startCheck({ packed, table }: AdmittedJob, nowMs: number): WorkerTaskMessage {
    return { ...this.#begin([], table, [{ packed, limitMs: NO_TIMEOUT_MS }], nowMs), isCheck: true };
  }

  /** Starts a task without jobs, which tells the worker the state table in use. */
  startEmpty(table: TableRef | null, nowMs: number): WorkerTaskMessage {
    const task = this.#begin([], table, [], nowMs);
    this.#mailbox.close();
    return task;
  }

  /**
   * Adds jobs to the running task. Returns false if they use another state table, if one of them must run alone, or if
   * the mailbox is full or closed.
   */
  goOn(jobs: readonly AdmittedJob[], nowMs: number): boolean {
    const [first] = jobs;
    if (first === undefined || first.failures > 0 || first.table !== this.#table) return false;
    if (!this.#mailbox.post(jobs)) return false;
    if (!this.isWorking) this.#sinceMs = nowMs;
    for (const job of jobs) this.#jobs.push(job);
    this.#expectedMs += expectedOf(jobs);
    return true;
  }

  /** Passes on every new result. */
  collect(results: RunCompletion, nowMs: number): void {
    for (let outcome = this.#mailbox.next(); outcome !== null; outcome = this.#mailbox.next()) {
      this.#answered += 1;
      const job = this.#jobs.shift()!;
      this.#expectedMs = this.isWorking ? this.#expectedMs - job.expectedMs : 0;
      results.outcome(job, outcome, this.#mailbox.time, nowMs);
    }
  }

  /**
   * If a result was too long for the mailbox and has therefore ended the task, passes this result on. Must be called
   * after `collect`.
   */
  collectLong(results: RunCompletion, nowMs: number): void {
    const { runningJob } = this;
    const outcome = runningJob === null ? null : this.#mailbox.long();
    if (outcome !== null) results.outcome(runningJob!, outcome, this.#mailbox.time, nowMs);
  }

  /**
   * Returns the milliseconds since the last progress of the running job, or of the worker if it has not started one.
   * Exact after `collect`.
   */
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

  /** Takes back the jobs that have not started and returns them. A second call does not return them again. */
  takeBack(): readonly AdmittedJob[] {
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

  #begin(
    jobs: readonly AdmittedJob[],
    table: TableRef | null,
    sent: readonly Dispatched[],
    nowMs: number,
  ): WorkerTaskMessage {
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

  /**
   * Concatenates the encoded jobs for the message. A large job, which is alone in its task, is passed without a copy.
   */
  #message(jobs: readonly Dispatched[]): Uint8Array {
    const [first] = jobs;
    if (first === undefined || jobs.length > 1 || typeof first.packed === 'string') return joined(jobs);
    this.#long = first.packed;
    this.#long.retain();
    return this.#long.withTimeout(first.limitMs);
  }
}

function expectedOf(jobs: readonly AdmittedJob[]): number {
  return jobs.reduce((sum, { expectedMs }) => sum + expectedMs, 0);
}

type Dispatched = Pick<AdmittedJob, 'packed' | 'limitMs'>;

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
