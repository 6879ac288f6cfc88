// Decides whether the node is down. It is notified when an HTTP request is sent and when it ends.

/**
 * Opens when requests have had no response for `silenceMsMax`. While it is open, one request at a time is sent as a
 * probe, and the others are refused at once. The first response closes it.
 */
export class CircuitBreaker {
  readonly #silenceMsMax: number;
  /** The monotonic clock. */
  readonly #now: () => number;
  #outstanding = 0;
  #silentSinceMs: number | null = null;
  #isLost = false;
  #returns = 0;

  constructor(silenceMsMax: number, now: () => number) {
    this.#silenceMsMax = silenceMsMax;
    this.#now = now;
  }

  /** Since when requests have been sent without any response; `null` if all had one, or none was sent. */
  get silentSinceMs(): number | null {
    return this.#silentSinceMs;
  }

  /** How often the node has responded again after a request without a response. */
  get returns(): number {
    return this.#returns;
  }

  /** True if the node has been silent for too long, so that only one request at a time is sent, as a probe. */
  get isOpen(): boolean {
    return this.#silentSinceMs !== null && this.#now() - this.#silentSinceMs >= this.#silenceMsMax;
  }

  /** True if another request is refused, because a probe is already in flight. */
  get refuses(): boolean {
    return this.isOpen && this.#outstanding > 0;
  }

  /** Must be called when a request is sent. One call of `ended` follows for each. */
  sent(): void {
    this.#outstanding++;
    this.#silentSinceMs ??= this.#now();
  }

  /** A request has ended. If the node has responded, the silence of the others in flight starts now. */
  ended(isAnswer: boolean): void {
    this.#outstanding--;
    if (isAnswer && this.#isLost) this.#returns++;
    this.#isLost = !isAnswer;
    if (isAnswer) this.#silentSinceMs = this.#outstanding > 0 ? this.#now() : null;
  }
}
