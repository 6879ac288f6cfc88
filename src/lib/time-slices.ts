// Shares a thread's time among long work, so that short work is never kept waiting for all of it. Runs on main.

/** Slices of time, at most one in a turn of the event loop; long work takes them in the order in which it asked. */
export class TimeSlices {
  readonly #sliceMs: number;
  readonly #nowMs: () => number;
  readonly #waiting: (() => void)[] = [];
  /** When this turn's slice is over; 0 before it has begun. */
  #endMs = 0;

  /** `nowMs`: a clock that never goes back. */
  constructor(sliceMs: number, nowMs: () => number = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#nowMs = nowMs;
  }

  /** Whether this turn's slice is used up; the first question of a turn begins it. Costs a look at the clock, 40 ns. */
  isOver(): boolean {
    const now = this.#nowMs();
    if (this.#endMs === 0) this.#begin(now);
    return now >= this.#endMs;
  }

  /** Resolves in a later turn of the event loop, with a slice of its own. */
  turn(): Promise<void> {
    if (this.#endMs === 0) this.#begin(this.#nowMs());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #begin(now: number): void {
    this.#endMs = now + this.#sliceMs;
    setImmediate(() => this.#end());
  }

  /** The turn is over: what is next in line has the new one. */
  #end(): void {
    this.#endMs = 0;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#begin(this.#nowMs());
    next();
  }
}
