// The main thread's handle of one worker thread: sends tasks, collects results, and handles the jobs that are left when
// a task ends.
import { LIMITS } from '../../limits/index.js';
import type { AdmittedJob } from '../admitted-job.js';
import type { RunCompletion } from '../queue/finish-or-rerun-jobs.js';
import { WorkerTaskState } from './running-task.js';
import type { WorkerTaskMessage } from './task-server.js';
import type { PolledMailbox } from '../queue/spin-for-result.js';
import { type TaskEnding, SingleThreadPool, type WorkerThreadDeps, type WorkerThreadOptions } from './worker-thread.js';
import type { TableRef } from '../pool-request-types.js';

export interface WorkerHandleDeps extends WorkerThreadDeps {
  /** Returns milliseconds on the pool's clock. */
  readonly nowMs: () => number;
  /** Gets the outcome of each job's run, jobs that were taken back from the worker, and failed tasks. */
  readonly results: RunCompletion;
}

/** The handle of one worker thread, which has at most one task at a time. */
export class WorkerHandle {
  readonly #deps: WorkerHandleDeps;
  readonly #thread: SingleThreadPool;
  #task = new WorkerTaskState();
  #kill = new AbortController();
  #isListening = false;
  /** True if the lingering task was ended so that the worker can free memory. */
  #isReleaseDue = false;

  constructor(options: WorkerThreadOptions, deps: WorkerHandleDeps) {
    this.#deps = deps;
    this.#thread = new SingleThreadPool(options, deps);
  }

  /** The current task, whose progress can be inspected. */
  get task(): WorkerTaskState {
    return this.#task;
  }

  /** True if the worker could start a job at once, in a new or in its current task. */
  get isIdle(): boolean {
    return this.#thread.isReady && !this.#task.isWorking;
  }

  /** True if the worker could start a new task at once. */
  get isFree(): boolean {
    return this.#thread.isReady && !this.#task.isRunning;
  }

  /** True if the worker is blocked for some time, because it runs a long job or is being started. */
  isBlocked(nowMs: number): boolean {
    const { isWorking, expectedMs } = this.#task;
    return (
      !this.#thread.isReady ||
      (isWorking && (expectedMs > LIMITS.slowJobMs || this.#task.stalledMs(nowMs) > LIMITS.slowJobMs))
    );
  }

  /** Number of jobs that may be sent to the worker now, if those of a task may take `taskMs` milliseconds in total. */
  capacity(taskMs: number): number {
    return this.#thread.isReady ? this.#task.capacity(taskMs) : 0;
  }

  /** The worker's mailbox, which the main thread may poll. */
  get mailbox(): PolledMailbox {
    return this.#task.mailbox;
  }

  /** Starts the worker. Rejects if it cannot be started. */
  warmUp(): Promise<void> {
    return this.#thread.warmUp();
  }

  /**
   * Sends jobs of one state table: in a new task, or to a task that waits for more. If the running task cannot accept
   * them, it is ended, the jobs are returned for the next task, and the result is false.
   */
  dispatch(jobs: readonly AdmittedJob[], nowMs: number): boolean {
    if (!this.#task.isRunning) {
      void this.#run(this.#task.start(jobs, nowMs));
      return true;
    }
    if (this.#task.goOn(jobs, nowMs)) return true;
    this.reclaim();
    this.#deps.results.returned(jobs);
    return false;
  }

  /** Makes a worker without jobs free the memory that earlier jobs have left in use. */
  releaseMemory(): void {
    this.#isReleaseDue = this.#task.isLingering;
    if (this.#isReleaseDue) return this.reclaim();
    if (this.isFree) void this.#run({ ...this.#task.startEmpty(null, this.#deps.nowMs()), isIdle: true });
  }

  /** Tells an idle worker the state table in use, so that it frees the memory of earlier tables. */
  useTable(table: TableRef): void {
    if (this.isFree) void this.#run(this.#task.startEmpty(table, this.#deps.nowMs()));
  }

  /**
   * Checks an answered job with the reference EVM. Never rejects: a failure is reported before the promise resolves.
   */
  async check(job: AdmittedJob): Promise<TaskEnding> {
    const ending = await this.#thread.run(this.#task.startCheck(job, this.#deps.nowMs()), this.#kill.signal);
    if (this.#thread.isClosed) return ending;
    if ('reference' in ending) this.#task.end();
    else this.#fail(ending.error);
    return ending;
  }

  /** Collects the results that have arrived. */
  collect(nowMs: number): void {
    this.#task.collect(this.#deps.results, nowMs);
  }

  /** Collects the results that have arrived. Returns the milliseconds since the task's last progress. */
  stalledMs(nowMs: number): number {
    this.collect(nowMs);
    return this.#task.stalledMs(nowMs);
  }

  /** Takes back the jobs that have not started. The task ends after the running job. */
  reclaim(): void {
    this.#deps.results.returned(this.#task.takeBack());
  }

  /** Terminates the worker thread and with it the task. Another thread replaces it. */
  kill(): void {
    this.#kill.abort();
  }

  /** Terminates the worker thread for good. A thread that sleeps cannot be terminated, so its task is ended first. */
  close(): Promise<void> {
    this.#task.takeBack();
    return this.#thread.close();
  }

  async #run(task: WorkerTaskMessage): Promise<void> {
    void this.#listen();
    const ending = await this.#thread.run(task, this.#kill.signal);
    // Ends the task, which stops the loop in `#listen`. Waiting for a signal that never comes would keep the process
    // alive.
    if (this.#thread.isClosed) return this.#task.end();
    if ('reference' in ending) this.#finish();
    else this.#fail(ending.error);
    if (this.#isReleaseDue) this.releaseMemory();
    this.#deps.onCapacity();
  }

  /** Collects results as they arrive, as long as there is a task. */
  async #listen(): Promise<void> {
    if (this.#isListening) return;
    this.#isListening = true;
    while (this.#task.isRunning) {
      await this.#task.mailbox.bell();
      if (this.#thread.isClosed) return;
      this.collect(this.#deps.nowMs());
      this.#deps.onCapacity();
    }
    this.#isListening = false;
  }

  #finish(): void {
    const nowMs = this.#deps.nowMs();
    this.collect(nowMs);
    this.#task.collectLong(this.#deps.results, nowMs);
    this.reclaim();
    this.#task.end();
  }

  /**
   * Handles a failed task: restarts the worker. The old thread may still write to its mailbox, so the next task gets a
   * new one.
   */
  #fail(error: unknown): void {
    const atMs = this.#deps.nowMs();
    const ranMs = this.stalledMs(atMs);
    const { runningJob: running, started } = this.#task;
    const rest = this.#task.takeBack();
    const isKilled = this.#kill.signal.aborted;
    this.#task.end();
    this.#task = new WorkerTaskState();
    this.#kill = new AbortController();
    void this.#thread.restart();
    if (!isKilled) this.#deps.onCrash(error instanceof Error ? error : new Error(String(error)));
    const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#deps.results.failed({ running, ranMs, atMs, rest, isKilled, isOutOfMemory, hasStarted: started > 0 });
  }
}
