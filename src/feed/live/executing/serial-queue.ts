// Runs asynchronous tasks one after the other.

/** Starts each task when the previous one has ended. A task that rejects is a bug, and ends the thread. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs `task` after all tasks that were added before. */
  add(task: () => Promise<void>): void {
    this.#last = this.#last.then(task);
  }

  /** Resolves when all tasks added so far have ended. */
  settled(): Promise<void> {
    return this.#last;
  }
}
