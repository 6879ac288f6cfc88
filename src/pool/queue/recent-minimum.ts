// The smallest of the values that were recorded lately.

/** Remembers the smallest recorded value for at most `withinMs`, and for at least half of that time. */
export class RecentMinimum {
  readonly #halfMs: number;
  /** Start of the current half. */
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

  /** Returns the smallest value; `Infinity` if none was recorded lately. */
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
