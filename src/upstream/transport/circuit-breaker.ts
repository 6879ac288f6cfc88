// Decides whether the node is silent: called for every HTTP request when it is sent and when it ends.

/**
 * Open while requests have gone unanswered for `silenceMsMax`: then one request at a time is sent, as a probe, and the
 * others are refused rather than kept waiting. The first response closes it.
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

  /** Since when no request has been answered although some were sent; `null`: all were answered, or none was sent. */
  get silentSinceMs(): number | null {
    return this.#silentSinceMs;
  }

  /** Number of times that the node has answered again after a request had gone unanswered. */
  get returns(): number {
    return this.#returns;
  }

  /** True if the node has been silent for too long: one request at a time is sent, as a probe. */
  get isOpen(): boolean {
    return this.#silentSinceMs !== null && this.#now() - this.#silentSinceMs >= this.#silenceMsMax;
  }

  /** True if another request would wait in vain: a probe is in flight already. */
  get refuses(): boolean {
    return this.isOpen && this.#outstanding > 0;
  }

  /** To be called when a request is sent. Each is followed by one `ended`. */
  sent(): void {
    this.#outstanding++;
    this.#silentSinceMs ??= this.#now();
  }

  /** `isAnswer`: the node has responded. The silence of what is still in flight counts from now on. */
  ended(isAnswer: boolean): void {
    this.#outstanding--;
    if (isAnswer && this.#isLost) this.#returns++;
    this.#isLost = !isAnswer;
    if (isAnswer) this.#silentSinceMs = this.#outstanding > 0 ? this.#now() : null;
  }
}
