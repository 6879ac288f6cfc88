// The task of one worker as main sees it: which of its jobs are answered, which one is running and since when. It may wait
// in its worker for further jobs. Runs on main.
import type { Outcome } from '../../transaction/call-request.js';
import { LIMITS } from '../../limits/index.js';
import { LIMIT_BYTES, NO_LIMIT_MS, packLimit } from '../codec/handed.js';
import { MainMailbox } from './mailbox.js';
import { writePacked, type LongJob } from '../long-job.js';
import type { PoolJob } from '../pool-job.js';
import type { RunTime } from './run-time.js';
import type { Task } from './task.js';
import type { TableRef } from '../pool.js';

/** Takes the outcome of a run, when it was, and the time by the pool's clock. */
export type TakeOutcome = (job: PoolJob, outcome: Outcome, time: RunTime, nowMs: number) => void;

/** Serves one task after the other; a worker that died leaves a mailbox that may still be written to, and so needs a new one. */
export class RunningTask {
  readonly #mailbox = new MainMailbox();
  /** Jobs without an answer, in order: an answered job is forgotten at once, as tasks may be long. */
  #jobs: PoolJob[] = [];
  #answered = 0;
  /** Worker time that these jobs are expected to take, milliseconds. */
  #expectedMs = 0;
  /** Table of all jobs of the task; undefined when it has none. */
  #table: TableRef | null | undefined;
  /** The long job that came with the message; its memory is held until the task is over. */
  #long: LongJob | null = null;
  #isRunning = false;
  #progressSeen = 0;
  #sinceMs = 0;

  /** True if a task has not ended. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** True if the task has jobs without an answer. */
  get isWorking(): boolean {
    return this.#jobs.length > 0;
  }

  /** Jobs begun by now. */
  get begun(): number {
    return this.#mailbox.begun;
  }

  /** The job that has begun and has no answer; `null` between jobs. */
  get runningJob(): PoolJob | null {
    return this.#mailbox.begun > this.#answered ? this.#jobs[0]! : null;
  }

  /** Jobs without an answer, except those taken back. */
  get unanswered(): readonly PoolJob[] {
    return this.#jobs;
  }

  /**
   * Jobs that may be handed over now. A task that has answered some takes more before it runs out of them, so that worker
   * and main need not wait for each other; not one by one, as every hand-over wakes a thread.
   */
  get room(): number {
    if (!this.#isRunning) return LIMITS.jobsPerTaskMax;
    if (this.#mailbox.isClosed) return 0;
    const room = LIMITS.mailboxBacklogMax - (this.#answered + this.#jobs.length - this.#mailbox.begun);
    const isHalfEmpty = room >= LIMITS.mailboxBacklogMax / 2 && this.roomMs >= LIMITS.handedMsMax / 2;
    return !this.isWorking || (this.#answered > 0 && isHalfEmpty) ? room : 0;
  }

  /** Milliseconds that these may be expected to take. */
  get roomMs(): number {
    return LIMITS.handedMsMax - this.#expectedMs;
  }

  /** Begins a task with jobs of one table; answers the message for the worker. */
  start(jobs: readonly PoolJob[], nowMs: number): Task {
    return this.#begin(jobs, jobs[0]?.table ?? null, jobs, nowMs);
  }

  /** Begins the check of an answered job. Nobody waits for it, so it is none of the task's jobs. */
  startCheck({ packed, table }: PoolJob, nowMs: number): Task {
    return { ...this.#begin([], table, [{ packed, limitMs: NO_LIMIT_MS }], nowMs), isCheck: true };
  }

  /** Begins a task without jobs, which names the table in use. */
  startEmpty(table: TableRef | null, nowMs: number): Task {
    const task = this.#begin([], table, [], nowMs);
    this.#mailbox.close();
    return task;
  }

  /**
   * Gives the task further jobs; false when it cannot have them: they are of another table, one has to be alone in its task,
   * the mailbox is full or closed.
   */
  goOn(jobs: readonly PoolJob[], nowMs: number): boolean {
    const [first] = jobs;
    if (first === undefined || first.failures > 0 || first.table !== this.#table) return false;
    if (!this.#mailbox.post(jobs)) return false;
    if (!this.isWorking) this.#sinceMs = nowMs;
    for (const job of jobs) this.#jobs.push(job);
    this.#expectedMs += expectedOf(jobs);
    return true;
  }

  /** Resolves when there may be new answers, or the task has ended. */
  bell(): Promise<void> {
    return this.#mailbox.bell();
  }

  /** See MainMailbox. */
  attend(): void {
    this.#mailbox.attend();
  }

  /** See MainMailbox. */
  leave(): void {
    this.#mailbox.leave();
  }

  /** True if `collect` has something to hand over. */
  get hasAnswer(): boolean {
    return this.#mailbox.hasAnswer;
  }

  /** Hands every new answer to `take`. */
  collect(take: TakeOutcome, nowMs: number): void {
    for (let outcome = this.#mailbox.next(); outcome !== null; outcome = this.#mailbox.next()) {
      this.#answered += 1;
      const job = this.#jobs.shift()!;
      this.#expectedMs = this.isWorking ? this.#expectedMs - job.expectedMs : 0;
      take(job, outcome, this.#mailbox.time, nowMs);
    }
  }

  /** Hands the long answer with which the task has ended to `take`, if there is one. Called after `collect`. */
  collectLong(take: TakeOutcome, nowMs: number): void {
    const { runningJob } = this;
    const outcome = runningJob === null ? null : this.#mailbox.long();
    if (outcome !== null) take(runningJob!, outcome, this.#mailbox.time, nowMs);
  }

  /** Milliseconds without progress: the time of the running job, or the wait for the worker. Exact after `collect`. */
  stalledMs(nowMs: number): number {
    const progress = this.#mailbox.begun + this.#answered;
    if (progress !== this.#progressSeen) {
      this.#progressSeen = progress;
      this.#sinceMs = nowMs;
    }
    return nowMs - this.#sinceMs;
  }

  /** True if a job that has not begun was admitted before `sinceMs`. */
  hasOlder(sinceMs: number): boolean {
    const begun = this.#mailbox.begun - this.#answered;
    return this.#jobs.some(({ admittedMs }, at) => at >= begun && admittedMs < sinceMs);
  }

  /** Takes back the jobs that have not begun; each is handed out once. */
  takeBack(): readonly PoolJob[] {
    const begun = this.#mailbox.close();
    return this.#jobs.splice(begun - this.#answered);
  }

  /** Notes that the task is over. */
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

  #begin(jobs: readonly PoolJob[], table: TableRef | null, sent: readonly Handed[], nowMs: number): Task {
    this.#isRunning = true;
    this.#jobs = [...jobs];
    this.#expectedMs = expectedOf(jobs);
    this.#answered = 0;
    this.#table = jobs.length === 0 ? undefined : table;
    this.#progressSeen = 0;
    this.#sinceMs = nowMs;
    this.#mailbox.open(jobs.length);
    return { table, mailbox: this.#mailbox.buffer, jobs: this.#message(sent), count: sent.length, isCheck: false };
  }

  /** The packed jobs one after the other; a long one that is alone as it lies there. */
  #message(jobs: readonly Handed[]): Uint8Array {
    const [first] = jobs;
    if (first === undefined || jobs.length > 1 || typeof first.packed === 'string') return joined(jobs);
    this.#long = first.packed;
    this.#long.hold();
    return this.#long.handed(first.limitMs);
  }
}

function expectedOf(jobs: readonly PoolJob[]): number {
  return jobs.reduce((sum, { expectedMs }) => sum + expectedMs, 0);
}

type Handed = Pick<PoolJob, 'packed' | 'limitMs'>;

function joined(jobs: readonly Handed[]): Uint8Array {
  let length = 0;
  for (const { packed } of jobs) length += LIMIT_BYTES + packed.length;
  const bytes = Buffer.from(new ArrayBuffer(length));
  let offset = 0;
  for (const { packed, limitMs } of jobs) {
    offset = packLimit(limitMs, bytes, offset);
    offset += writePacked(packed, bytes, offset);
  }
  return bytes;
}
