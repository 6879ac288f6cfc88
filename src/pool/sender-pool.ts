// Piscina threads that recover the senders of transactions. Those that they do not get to, because the load is too high
// or a thread died or hangs, are recovered by the batch itself when they are read.

// Sender threads share the memory of their batch. See DECISIONS.md.
//
// Fewer than 16 senders wake no further thread. See DECISIONS.md.
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { LIMITS } from '../limits/index.js';
import { SenderBatch, type SenderTask } from './sender-batch.js';

/** Bounds default to LIMITS. */
export interface SenderPoolOptions {
  /** The module whose default export processes a batch (see batch.ts). */
  readonly workerFile: URL;
  readonly threads?: number;
  /** Tasks that may be running at a time; each goes to one thread. */
  readonly tasksMax?: number;
  /** Milliseconds after which a thread that has not finished is replaced. */
  readonly answerMsMax?: number;
}

const POLL_MS = 2;

/** The pool of sender threads. */
export class SenderPool {
  readonly #piscina: Piscina<SenderTask, void>;
  readonly #threads: number;
  readonly #tasksMax: number;
  readonly #answerMsMax: number;
  #tasks = 0;
  /** Threads that have not loaded their modules yet. */
  #loading: number;
  #isOpen = true;

  /** Starts the threads. */
  constructor(options: SenderPoolOptions) {
    this.#threads = options.threads ?? LIMITS.senderThreads;
    this.#tasksMax = options.tasksMax ?? LIMITS.senderTasksMax;
    this.#answerMsMax = options.answerMsMax ?? LIMITS.senderAnswerMsMax;
    this.#piscina = new Piscina({
      filename: options.workerFile.href,
      minThreads: this.#threads,
      maxThreads: this.#threads,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.senderHeapMiBMax },
    });
    // Piscina replaces a thread that dies idle; without a listener its event would be thrown.
    this.#piscina.on('error', () => undefined);
    this.#loading = this.#threads;
    void this.#warmUp();
  }

  /** Starts to recover the senders of these transactions; all threads take part. */
  recover(transactions: readonly Uint8Array[]): SenderBatch {
    const threads = this.#isOpen ? Math.min(this.#threads, transactions.length, this.#tasksMax - this.#tasks) : 0;
    const batch = SenderBatch.of(transactions);
    const signal = AbortSignal.timeout(this.#answerMsMax);
    for (let started = 0; started < threads; started++) void this.#runOn(batch, signal);
    return batch;
  }

  /**
   * Terminates the threads; what they have not recovered by then is left. Node.js ends the whole process if a thread is
   * terminated while it loads modules, so that is waited for, bounded in time.
   */
  async close(): Promise<void> {
    this.#isOpen = false;
    const untilMs = performance.now() + LIMITS.threadLoadMsMax;
    while (this.#loading > 0 && performance.now() < untilMs) await sleep(POLL_MS);
    await this.#piscina.destroy();
  }

  /** Runs one empty task for each of the first threads; piscina reports when it has replaced one. */
  async #warmUp(): Promise<void> {
    const { task } = SenderBatch.of([]);
    const warm = Array.from({ length: this.#threads }, () => this.#piscina.run(task));
    for (const loaded of warm) {
      await loaded.catch(() => undefined);
      this.#loading--;
    }
    this.#piscina.on('workerDestroy', () => this.#loading++);
    this.#piscina.on('workerCreate', () => this.#loading--);
  }

  /** Resolves when a thread has finished, or is dead. */
  async #runOn({ task }: SenderBatch, signal: AbortSignal): Promise<void> {
    this.#tasks++;
    try {
      await this.#piscina.run(task, { signal });
    } catch {
      // A sender that the thread has not recovered is recovered where it is needed.
    } finally {
      this.#tasks--;
    }
  }
}
