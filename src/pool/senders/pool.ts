// Threads on piscina that recover the senders of transactions. Some transactions stay without an answer: when there are too
// many questions, or a thread dies or hangs. The caller recovers those itself. Runs on the publisher.
import { Piscina } from 'piscina';
import type { Sender } from '../../transaction/sender.js';
import { LIMITS } from '../../limits.js';
import { packTransactions, unpackSenders, type SenderTask } from './task.js';

/** Bounds default to LIMITS. */
export interface SenderPoolOptions {
  /** The module whose default export answers a SenderTask (see task.ts). */
  readonly workerFile: URL;
  readonly threads?: number;
  /** Questions that may be unanswered at a time; each goes to one thread. */
  readonly tasksMax?: number;
  /** Milliseconds after which a thread that has not answered is replaced. */
  readonly answerMsMax?: number;
}

/** A pool of such threads. */
export class SenderPool {
  readonly #piscina: Piscina<SenderTask, ArrayBuffer>;
  readonly #threads: number;
  readonly #tasksMax: number;
  readonly #answerMsMax: number;
  #tasks = 0;
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
  }

  /** The senders in order; `null`: not recovered. Each thread gets an equal share. Never rejects. */
  async recover(transactions: readonly Uint8Array[]): Promise<(Sender | null)[]> {
    const share = Math.ceil(transactions.length / this.#threads);
    const answers: Promise<(Sender | null)[]>[] = [];
    for (let at = 0; at < transactions.length; at += share) answers.push(this.#ask(transactions.slice(at, at + share)));
    return (await Promise.all(answers)).flat();
  }

  /** Ends the threads; open questions are answered with `null`. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#piscina.destroy();
  }

  async #ask(transactions: readonly Uint8Array[]): Promise<(Sender | null)[]> {
    if (!this.#isOpen || this.#tasks >= this.#tasksMax) return transactions.map(() => null);
    const task = packTransactions(transactions);
    this.#tasks++;
    try {
      const options = { transferList: [task.bytes], signal: AbortSignal.timeout(this.#answerMsMax) };
      return unpackSenders(await this.#piscina.run(task, options));
    } catch {
      return transactions.map(() => null);
    } finally {
      this.#tasks--;
    }
  }
}
