// One estimator thread, managed by piscina and restarted whenever it dies.
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { LIMITS } from '../../limits/index.js';
import type { EstimatorDamageReport, WorkerTaskMessage } from './task-server.js';

export interface WorkerThreadOptions {
  /** The module whose default export is a task server (see task-server.ts). */
  readonly workerFile: URL;
  /** Data that is passed to the thread as a clone. */
  readonly workerData: unknown;
  readonly estimatorHeapMiBMax: number;
}

export interface WorkerThreadDeps {
  /**
   * Called with the reason whenever the thread dies without having been killed by the main thread, or cannot be
   * started.
   */
  readonly onCrash: (error: Error) => void;
  /** Called when the worker may have capacity for more jobs. */
  readonly onCapacity: () => void;
  /** Called with the thread's messages that are not results of its tasks. */
  readonly onMessage: (message: EstimatorDamageReport) => void;
}

/**
 * How a task ended: normally, with the reference EVM's result if the task was a check; or by an exception or the death
 * of the thread.
 */
export type TaskEnding = { readonly reference: ArrayBuffer | null } | { readonly error: unknown };

/** A worker thread that runs one task at a time. */
export class SingleThreadPool {
  readonly #deps: WorkerThreadDeps;
  /** A piscina pool of one thread, which piscina replaces when it dies. */
  readonly #piscina: Piscina<WorkerTaskMessage, ArrayBuffer | null>;
  #warming: Promise<unknown> = Promise.resolve();
  #isRunning = false;
  #isReady = false;
  #isClosed = false;

  constructor({ workerFile, workerData, estimatorHeapMiBMax }: WorkerThreadOptions, deps: WorkerThreadDeps) {
    this.#deps = deps;
    this.#piscina = new Piscina({
      filename: workerFile.href,
      workerData,
      minThreads: 1,
      maxThreads: 1,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: estimatorHeapMiBMax },
    });
    this.#piscina.on('error', (error: Error) => this.#diedIdle(error));
    this.#piscina.on('message', deps.onMessage);
  }

  /** True if the thread has loaded its module, and no death of it was reported. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** True once `close` was called. The thread is not restarted after that. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Starts the thread and runs an empty task, so that the first job does not wait for the module to load. Rejects if
   * the thread cannot start.
   */
  async warmUp(): Promise<void> {
    const none = { table: null, mailbox: new SharedArrayBuffer(0), jobs: new Uint8Array(), count: 0, isCheck: false };
    const loaded = this.#piscina.run(none, { signal: AbortSignal.timeout(LIMITS.workerStartMsMax) });
    this.#warming = loaded.catch(() => undefined);
    await loaded;
    this.#isReady = true;
  }

  /** Runs a task. Aborting `kill` ends the task and the thread. Never rejects. */
  async run(task: WorkerTaskMessage, kill: AbortSignal): Promise<TaskEnding> {
    this.#isRunning = true;
    try {
      const { buffer } = task.jobs;
      const transferList = buffer instanceof ArrayBuffer ? [buffer] : [];
      return { reference: await this.#piscina.run(task, { transferList, signal: kill }) };
    } catch (error) {
      return { error };
    } finally {
      this.#isRunning = false;
    }
  }

  /** Waits until the thread or its replacement is ready. Meanwhile `isReady` is false. */
  async restart(): Promise<void> {
    this.#isReady = false;
    for (let tries = 0; !this.#isReady && !this.#isClosed; tries++) {
      if (tries > 0) await sleep(LIMITS.workerRestartMs, undefined, { ref: false });
      await this.warmUp().catch((error: unknown) => this.#failedToStart(error));
    }
    if (!this.#isClosed) this.#deps.onCapacity();
  }

  /** Terminates the thread once it has loaded its module. Terminating it earlier may end the whole process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.race([this.#warming, sleep(LIMITS.threadLoadMsMax, undefined, { ref: false })]);
    await this.#piscina.destroy();
  }

  #diedIdle(error: Error): void {
    this.#deps.onCrash(error);
    if (this.#isReady && !this.#isRunning) void this.restart();
  }

  #failedToStart(error: unknown): void {
    if (!this.#isClosed) this.#deps.onCrash(error instanceof Error ? error : new Error(String(error)));
  }
}
