// The smallest of the values that were recorded recently.

/** Remembers each recorded value for at least half of `withinMs` and at most `withinMs`, and returns the smallest. */
export class RecentMinimum {
  readonly #halfMs: number;
  /** Time at which the current half of `withinMs` started. */
  #startMs = -Infinity;
  #current = Infinity;
  #previous = Infinity;

  constructor(withinMs: number) {
    this.#halfMs = withinMs / 2;
  }

  record(value: number, nowMs: number): void {
    this.#advance(nowMs);
    if (value < this.#current) this.#current = value;
  }

  /** Returns the smallest value that was recorded recently; `Infinity` if there is none. */
  at(nowMs: number): number {
    this.#advance(nowMs);
    return Math.min(this.#current, this.#previous);
  }

  #advance(nowMs: number): void {
    const sinceMs = nowMs - this.#startMs;
    if (sinceMs < this.#halfMs) return;
    this.#previous = sinceMs < 2 * this.#halfMs ? this.#current : Infinity;
    this.#current = Infinity;
    this.#startMs = sinceMs < 2 * this.#halfMs ? this.#startMs + this.#halfMs : nowMs;
  }
}
