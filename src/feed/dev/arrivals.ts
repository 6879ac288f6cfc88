// Transactions that the dev chain has just taken: they bring about the next increment, and their senders hear of them once it is
// published. Runs on the publisher.

/** Those who wait for the next increment. */
export class Arrivals {
  #waiting: (() => void)[] = [];
  #bell = new AbortController();

  /** True if anybody waits. */
  get any(): boolean {
    return this.#waiting.length > 0;
  }

  /** Aborted as soon as somebody waits, or after `ring`. */
  get signal(): AbortSignal {
    return this.#bell.signal;
  }

  /** Resolves when the increment is published that begins next. */
  published(): Promise<void> {
    this.ring();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Wakes who sleeps until something arrives. */
  ring(): void {
    this.#bell.abort();
  }

  /** An increment begins: to be called with what it has taken in is published. */
  begin(): () => void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bell = new AbortController();
    return () => {
      for (const resolve of waiting) resolve();
    };
  }
}
