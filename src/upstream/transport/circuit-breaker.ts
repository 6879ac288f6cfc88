// The judge of a node's silence: called with every HTTP request as it goes out and as it ends. Runs on the publisher.

/**
 * Open while requests have gone unanswered for `silenceMsMax`: then one request at a time goes out, as a probe, and the
 * others are refused rather than kept waiting. The first answer closes it.
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

  /** Since when no request has been answered although there were some; `null`: all have been, or there was none. */
  get silentSinceMs(): number | null {
    return this.#silentSinceMs;
  }

  /** Times that the node has answered again after a request had gone unanswered. */
  get returns(): number {
    return this.#returns;
  }

  /** The node has been silent for too long: one request at a time goes out, as a probe. */
  get isOpen(): boolean {
    return this.#silentSinceMs !== null && this.#now() - this.#silentSinceMs >= this.#silenceMsMax;
  }

  /** Another request would only wait in vain: a probe is out already. */
  get refuses(): boolean {
    return this.isOpen && this.#outstanding > 0;
  }

  /** A request has gone out. Each is followed by one `ended`. */
  sent(): void {
    this.#outstanding++;
    this.#silentSinceMs ??= this.#now();
  }

  /** `isAnswer`: the node has said something. What is still out is waited for from now on. */
  ended(isAnswer: boolean): void {
    this.#outstanding--;
    if (isAnswer && this.#isLost) this.#returns++;
    this.#isLost = !isAnswer;
    if (isAnswer) this.#silentSinceMs = this.#outstanding > 0 ? this.#now() : null;
  }
}
