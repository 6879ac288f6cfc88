// A semaphore: runs a bounded number of tasks at a time and keeps the others waiting.

/** Runs tasks in the order of the calls. The caller must check `isOpen` first, because `pass` never refuses a task. */
export class Semaphore {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(runningMax: number, waitingMax: number) {
    this.#runningMax = runningMax;
    this.#waitingMax = waitingMax;
  }

  /** True if one more task can run or wait. */
  get isOpen(): boolean {
    return this.#running < this.#runningMax || this.#waiting.length < this.#waitingMax;
  }

  /** Runs `task` as soon as fewer than the allowed number of tasks are running. */
  async pass<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#runningMax) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await task();
    } finally {
      // The next waiting task starts in place of this one, so `#running` stays the same.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
