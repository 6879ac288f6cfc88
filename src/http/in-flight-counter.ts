// Counts requests and messages that are accepted and not answered yet.

/** Counts requests in flight, and notifies when there are none. */
export class InFlightCounter {
  #count = 0;
  #whenEmpty = (): void => undefined;

  /** Number of requests and messages in flight. */
  get count(): number {
    return this.#count;
  }

  enter(): void {
    this.#count++;
  }

  /** Must be called once for each `enter`, when the request is answered or its client has disconnected. */
  leave(): void {
    this.#count--;
    if (this.#count === 0) this.#whenEmpty();
  }

  /** Resolves to true as soon as nothing is in flight, or to false after `timeoutMs`. One call at a time may wait. */
  async empty(timeoutMs: number): Promise<boolean> {
    if (this.#count === 0) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.#whenEmpty = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
