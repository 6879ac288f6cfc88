// Tasks one after the other.

/** A task starts when the one before has ended. A task that rejects is a bug, and ends the thread. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs `task` after all that were added before. */
  add(task: () => Promise<void>): void {
    this.#last = this.#last.then(task);
  }

  /** Resolves when everything so far has been done. */
  settled(): Promise<void> {
    return this.#last;
  }
}
