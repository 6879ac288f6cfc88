// A worker handle: the worker, a mailbox and the task that runs in it, which may be waiting there for further jobs.
// Knows which of its jobs are answered, which one is running and since when. Runs on main.
import { Piscina } from 'piscina';
import type { Outcome } from '../../transaction/call-request.js';
import { LIMITS } from '../../limits.js';
import { MainMailbox } from './mailbox.js';
import { LIMIT_BYTES, NO_LIMIT_MS, packLimit } from './codec.js';
import type { PoolJob } from './pool-job.js';
import type { FromEstimator, TableRef, Task } from './task.js';

/** The worker of a handle. */
export interface WorkerHandleOptions {
  /** The module whose default export is a task server (see task.ts). */
  readonly workerFile: URL;
  /** Cloned. */
  readonly workerData: unknown;
  readonly heapMiB: number;
}

/** What a handle reports. */
export interface WorkerHandleParts {
  /** A worker has died, or could not be started. */
  readonly onCrash: (error: Error) => void;
  /** A worker has taken the place of one that died. */
  readonly onReady: () => void;
  readonly onMessage: (message: FromEstimator) => void;
}

/** How a task ended: with an answer, or with an exception or the end of its worker. */
export type Ending = { readonly last: ArrayBuffer | null } | { readonly error: unknown };

/** As many of these as there are workers; each has at most one task. */
export class WorkerHandle {
  readonly #parts: WorkerHandleParts;
  /** Of one thread: it starts the thread that takes the place of a dead one. */
  readonly #worker: Piscina<Task, ArrayBuffer | null>;
  #mailbox = new MainMailbox();
  #kill = new AbortController();
  /** Jobs of the task that have no answer, in order: an answered one is forgotten at once, as tasks may be long. */
  #jobs: PoolJob[] = [];
  #answered = 0;
  /** Of all jobs of the task; undefined when it has had none. */
  #table: TableRef | null | undefined;
  #busy = false;
  #ready = false;
  #closed = false;
  #progressSeen = 0;
  #sinceMs = 0;

  constructor({ workerFile, workerData, heapMiB }: WorkerHandleOptions, parts: WorkerHandleParts) {
    this.#parts = parts;
    this.#worker = new Piscina({
      filename: workerFile.href,
      workerData,
      minThreads: 1,
      maxThreads: 1,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: heapMiB },
    });
    this.#worker.on('error', (error: Error) => this.#diedIdle(error));
    this.#worker.on('message', parts.onMessage);
  }

  /** The worker has loaded its module, and is alive as far as is known. */
  get ready(): boolean {
    return this.#ready;
  }

  /** A task has not ended. */
  get busy(): boolean {
    return this.#busy;
  }

  /** The task has jobs without an answer. */
  get working(): boolean {
    return this.#jobs.length > 0;
  }

  /** The worker could begin a job at once. */
  get idle(): boolean {
    return this.#ready && !this.working;
  }

  /**
   * Jobs that may be handed to it now. A task that has answered some takes further ones before it runs out of them, so that
   * worker and main need not wait for each other; not one by one, as every hand-over wakes somebody.
   */
  get room(): number {
    if (!this.#ready) return 0;
    if (!this.#busy) return LIMITS.jobsPerTaskMax;
    if (this.#mailbox.isClosed) return 0;
    const room = LIMITS.mailboxBacklogMax - (this.#answered + this.#jobs.length - this.#mailbox.begun);
    return !this.working || (this.#answered > 0 && room >= LIMITS.mailboxBacklogMax / 2) ? room : 0;
  }

  get killed(): boolean {
    return this.#kill.signal.aborted;
  }

  /** Jobs begun by now. */
  get begun(): number {
    return this.#mailbox.begun;
  }

  /** The job that has begun and has no answer; null between jobs. */
  get runningJob(): PoolJob | null {
    return this.#mailbox.begun > this.#answered ? this.#jobs[0]! : null;
  }

  /** Runs an empty task: loading the module is not left to the first job. Rejects when the worker cannot be started. */
  async warmUp(): Promise<void> {
    const empty = { table: null, mailbox: this.#mailbox.buffer, jobs: new ArrayBuffer(0), count: 0, isCheck: false };
    await this.#worker.run(empty, { signal: AbortSignal.timeout(LIMITS.workerStartMsMax) });
    this.#ready = true;
  }

  /** Takes up jobs of one table; answers the message for the worker. */
  start(jobs: readonly PoolJob[], nowMs: number): Task {
    return this.#begin(jobs, jobs[0]?.table ?? null, nowMs);
  }

  /** Lets the reference judge a job that has been answered: nobody waits for it, so it is none of the handle's jobs. */
  startCheck(job: PoolJob, nowMs: number): Task {
    const task = this.#begin([], job.table, nowMs);
    return { ...task, jobs: joined([{ packed: job.packed, limitMs: NO_LIMIT_MS }]), count: 1, isCheck: true };
  }

  /** Sends a task that was started. Never rejects. */
  send(task: Task): Promise<Ending> {
    return this.#worker.run(task, { transferList: [task.jobs], signal: this.#kill.signal }).then(
      (last) => ({ last }),
      (error: unknown) => ({ error }),
    );
  }

  /**
   * Gives a task further jobs; false when it cannot have them: they are of another table, one has to
   * be alone in its task, the mailbox is full or closed.
   */
  goOn(jobs: readonly PoolJob[], nowMs: number): boolean {
    const [first] = jobs;
    if (first === undefined || first.failures > 0 || first.table !== this.#table) return false;
    if (!this.#mailbox.post(jobs)) return false;
    if (!this.working) this.#sinceMs = nowMs;
    this.#jobs.push(...jobs);
    return true;
  }

  /** Resolves when there may be new answers, or the task has ended. */
  bell(): Promise<void> {
    return this.#mailbox.bell();
  }

  /** Hands every new answer to `settle`, with the milliseconds that the worker took. */
  collect(settle: (job: PoolJob, outcome: Outcome, tookMs: number) => void): void {
    for (let outcome = this.#mailbox.next(); outcome !== null; outcome = this.#mailbox.next()) {
      this.#answered += 1;
      settle(this.#jobs.shift()!, outcome, this.#mailbox.tookMs);
    }
  }

  /** How long nothing has moved, milliseconds: the time of the running job, or the wait for the worker. After `collect`. */
  stalledMs(nowMs: number): number {
    const progress = this.#mailbox.begun + this.#answered;
    if (progress !== this.#progressSeen) {
      this.#progressSeen = progress;
      this.#sinceMs = nowMs;
    }
    return nowMs - this.#sinceMs;
  }

  /** Whether a job that has not begun came before `sinceMs`. */
  hasOlder(sinceMs: number): boolean {
    const begun = this.#mailbox.begun - this.#answered;
    return this.#jobs.some(({ admittedMs }, at) => at >= begun && admittedMs < sinceMs);
  }

  /** Takes back the jobs that have not begun; each is handed out once. */
  takeBack(): readonly PoolJob[] {
    const begun = this.#mailbox.close();
    return this.#jobs.splice(begun - this.#answered);
  }

  /** Jobs of this task, but those taken back, that have no answer. */
  unanswered(): readonly PoolJob[] {
    return this.#jobs;
  }

  kill(): void {
    this.#kill.abort();
  }

  /** The task is over. */
  end(): void {
    this.#busy = false;
    this.#jobs = [];
    this.#answered = 0;
    this.#mailbox.ring();
  }

  /**
   * The task is over, its worker dead or suspect: the mailbox may still be written to, so a fresh one takes its place.
   */
  endFailed(): void {
    this.end();
    this.#mailbox = new MainMailbox();
    this.#kill = new AbortController();
    void this.#restart();
  }

  /** Ends the worker. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker.destroy();
  }

  #begin(jobs: readonly PoolJob[], table: TableRef | null, nowMs: number): Task {
    this.#busy = true;
    this.#jobs = [...jobs];
    this.#answered = 0;
    this.#table = jobs.length === 0 ? undefined : table;
    this.#progressSeen = 0;
    this.#sinceMs = nowMs;
    this.#mailbox.open(jobs.length);
    return { table, mailbox: this.#mailbox.buffer, jobs: joined(jobs), count: jobs.length, isCheck: false };
  }

  #diedIdle(error: Error): void {
    this.#parts.onCrash(error);
    if (this.#ready && !this.#busy) void this.#restart();
  }

  /** Until the worker answers it gets no jobs: they go to others, or wait where they can be refused in time. */
  async #restart(): Promise<void> {
    this.#ready = false;
    for (let tries = 0; !this.#ready && !this.#closed; tries++) {
      if (tries > 0) await pause(LIMITS.workerRestartMs);
      await this.warmUp().catch((error: unknown) => this.#failedToStart(error));
    }
    if (!this.#closed) this.#parts.onReady();
  }

  #failedToStart(error: unknown): void {
    if (!this.#closed) this.#parts.onCrash(error instanceof Error ? error : new Error(String(error)));
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

function joined(jobs: readonly Pick<PoolJob, 'packed' | 'limitMs'>[]): ArrayBuffer {
  let length = 0;
  for (const { packed } of jobs) length += LIMIT_BYTES + packed.length;
  const bytes = Buffer.from(new ArrayBuffer(length));
  let offset = 0;
  for (const { packed, limitMs } of jobs) {
    offset = packLimit(limitMs, bytes, offset);
    offset += bytes.write(packed, offset, 'latin1');
  }
  return bytes.buffer;
}
