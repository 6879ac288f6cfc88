// Decides whether the node is down. It must be notified when each HTTP request is sent and when it ends.

/**
 * Opens when the node has not responded to any request for `silenceMsMax`. While the breaker is open, only one request
 * at a time is sent, as a probe; others are refused at once. The first response closes the breaker.
 */
export class CircuitBreaker {
  readonly #silenceMsMax: number;
  /** Returns the time of the monotonic clock. */
  readonly #now: () => number;
  #outstanding = 0;
  #silentSinceMs: number | null = null;
  #isLost = false;
  #returns = 0;

  constructor(silenceMsMax: number, now: () => number) {
    this.#silenceMsMax = silenceMsMax;
    this.#now = now;
  }

  /** The time since which the node has responded to no request; `null` while no request waits for a response. */
  get silentSinceMs(): number | null {
    return this.#silentSinceMs;
  }

  /** How often the node has responded again after a request without a response. */
  get returns(): number {
    return this.#returns;
  }

  /** True if the node has not responded for too long, so that only one request at a time is sent, as a probe. */
  get isOpen(): boolean {
    return this.#silentSinceMs !== null && this.#now() - this.#silentSinceMs >= this.#silenceMsMax;
  }

  /** True if another request is refused now, because a probe is in flight. */
  get refuses(): boolean {
    return this.isOpen && this.#outstanding > 0;
  }

  /** Must be called when a request is sent. `ended` must be called once for each request. */
  sent(): void {
    this.#outstanding++;
    this.#silentSinceMs ??= this.#now();
  }

  /**
   * Must be called when a request has ended. If the node has responded, the time without a response to the other
   * requests in flight is counted from now on.
   */
  ended(isAnswer: boolean): void {
    this.#outstanding--;
    if (isAnswer && this.#isLost) this.#returns++;
    this.#isLost = !isAnswer;
    if (isAnswer) this.#silentSinceMs = this.#outstanding > 0 ? this.#now() : null;
  }
}
