// A pool of threads, managed by piscina, that recover the senders of transactions. If the load is too high, or a thread
// dies or hangs, the remaining senders are recovered by the thread that reads them.

// Sender recovery threads share the memory of their batch. See DECISIONS.md.
//
// For fewer than 16 senders no other thread is woken. See DECISIONS.md.
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { LIMITS } from '../limits/index.js';
import { SenderRecoveryBatch, type SenderTask } from './sender-recovery-batch.js';

export interface SenderRecoveryPoolOptions {
  /** The module whose default export processes a batch (see sender-recovery-batch.ts). */
  readonly workerFile: URL;
  readonly threads?: number;
  /** Tasks that may be running at a time. Each is sent to one thread. */
  readonly tasksMax?: number;
  /** Milliseconds after which a thread whose task is unfinished is replaced. */
  readonly answerMsMax?: number;
}

const POLL_MS = 2;

export class SenderRecoveryPool {
  readonly #piscina: Piscina<SenderTask, void>;
  readonly #threads: number;
  readonly #tasksMax: number;
  readonly #answerMsMax: number;
  #tasks = 0;
  /** Number of threads that have not loaded their modules yet. */
  #loading: number;
  #isOpen = true;

  /** Starts the threads. */
  constructor(options: SenderRecoveryPoolOptions) {
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
    // Piscina replaces a thread that dies while idle. Without this listener the error event would be thrown.
    this.#piscina.on('error', () => undefined);
    this.#loading = this.#threads;
    void this.#warmUp();
  }

  /** Starts recovering the senders of these transactions on all threads. */
  recover(transactions: readonly Uint8Array[]): SenderRecoveryBatch {
    const threads = this.#isOpen ? Math.min(this.#threads, transactions.length, this.#tasksMax - this.#tasks) : 0;
    const batch = SenderRecoveryBatch.of(transactions);
    const signal = AbortSignal.timeout(this.#answerMsMax);
    for (let started = 0; started < threads; started++) void this.#runOn(batch, signal);
    return batch;
  }

  /**
   * Terminates the threads. Senders that they have not recovered by then stay unrecovered. Node.js ends the whole
   * process if a thread is terminated while it loads modules, so this waits first, for a bounded time, until the
   * threads have loaded.
   */
  async close(): Promise<void> {
    this.#isOpen = false;
    const untilMs = performance.now() + LIMITS.threadLoadMsMax;
    while (this.#loading > 0 && performance.now() < untilMs) await sleep(POLL_MS);
    await this.#piscina.destroy();
  }

  /**
   * Waits until the initial threads have loaded, by one empty task for each. Later replacements are counted by
   * piscina's events.
   */
  async #warmUp(): Promise<void> {
    const { task } = SenderRecoveryBatch.of([]);
    const warm = Array.from({ length: this.#threads }, () => this.#piscina.run(task));
    for (const loaded of warm) {
      await loaded.catch(() => undefined);
      this.#loading--;
    }
    this.#piscina.on('workerDestroy', () => this.#loading++);
    this.#piscina.on('workerCreate', () => this.#loading--);
  }

  /** Runs a batch on one thread. Resolves when the thread has finished its task or is dead. */
  async #runOn({ task }: SenderRecoveryBatch, signal: AbortSignal): Promise<void> {
    this.#tasks++;
    try {
      await this.#piscina.run(task, { signal });
    } catch {
      // An error is ignored: senders that the thread has not recovered are recovered when they are read.
    } finally {
      this.#tasks--;
    }
  }
}
