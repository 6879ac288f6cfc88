// Threads on piscina that recover the senders of transactions. Those that they have not got to, as there are too many questions, or
// since a thread died or hangs, a batch recovers itself when it is asked. Runs on the publisher.

// Decision (2026-11, two cores): Sender threads share the memory of their question. Each takes the next transaction and
// writes beside it what it finds. The publisher executes meanwhile, and where a sender is not there yet it takes the
// next one, too, at the end what another thread is at: nobody waits for anybody, or wakes anybody for an answer.
// piscina starts, bounds and replaces the threads. Gain: a thread that hangs or waits for a core holds up nothing.
// Price: a buffer for each increment, and now and then a sender twice.
//
// Decision (2026-11, two cores): Fewer than 16 senders wake nobody. Seen on a virtual machine: a thread that is woken
// is often given the publisher's own core, while another one idles, and runs first. Increments of 10 each 200 ms, two
// pairs of runs with 300 counted: median 3.1 and 3.0 -> 2.7 ms, p99 6.6 -> 5.6 and 6.2. Price: the senders of 8 to 15
// transactions are recovered by one thread, and not while an earlier increment is executed.
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { LIMITS } from '../../limits/index.js';
import { SenderBatch, type SenderTask } from './batch.js';

/** Bounds default to LIMITS. */
export interface SenderPoolOptions {
  /** The module whose default export takes part in a batch (see batch.ts). */
  readonly workerFile: URL;
  readonly threads?: number;
  /** Tasks that may be unanswered at a time; each goes to one thread. */
  readonly tasksMax?: number;
  /** Milliseconds after which a thread that has not answered is replaced. */
  readonly answerMsMax?: number;
}

const LOOK_MS = 2;

/** A pool of such threads. */
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

  /** Begins to recover the senders of these transactions; all threads take part. */
  recover(transactions: readonly Uint8Array[]): SenderBatch {
    const threads = this.#isOpen ? Math.min(this.#threads, transactions.length, this.#tasksMax - this.#tasks) : 0;
    const batch = SenderBatch.of(transactions);
    const signal = AbortSignal.timeout(this.#answerMsMax);
    for (let asked = 0; asked < threads; asked++) void this.#ask(batch, signal);
    return batch;
  }

  /**
   * Ends the threads; what they have not recovered by then will not be. Node.js ends the whole process when a thread is ended
   * while it loads modules, so that is waited for, bounded in time.
   */
  async close(): Promise<void> {
    this.#isOpen = false;
    const untilMs = performance.now() + LIMITS.threadLoadMsMax;
    while (this.#loading > 0 && performance.now() < untilMs) await sleep(LOOK_MS);
    await this.#piscina.destroy();
  }

  /** One empty task for each of the first threads; piscina tells when it has replaced one. */
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

  /** Resolves when a thread has done its part, or is dead. */
  async #ask({ task }: SenderBatch, signal: AbortSignal): Promise<void> {
    this.#tasks++;
    try {
      await this.#piscina.run(task, { signal });
    } catch {
      // A sender that the thread has left open is recovered where it is needed.
    } finally {
      this.#tasks--;
    }
  }
}
