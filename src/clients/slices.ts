// Shares a thread's time among long work, so that short work is never kept waiting for all of it. Runs on main.

// Decision (2026-11, two cores): Long work rests three times as long as it worked while others come. A thread that uses
// no more than its share of the processors gets one as soon as it wakes up; one that works half of the time for one
// client waits behind whatever else runs. Price: beside others a batch that takes main long takes four times as long.

// Decision (2026-11): Main's time is turns, not amounts of the ledger. What is held in it has a bound and is refused beyond; time
// passes, nothing of it is refused, and a client's turn, one slice in a round, is its share already. An amount for each client
// would be a clock read more for each slice, a second order beside the turns, and no line less. Answers and news have one each:
// one for both would have news rest as long work of answers does, three times as long as that took.
import { Turns } from './turns.js';

/** Rests after a slice, each as long as that was: long work takes a quarter of a thread that others need. */
const RESTS = 3;

/**
 * Slices of time, at most one in a turn of the event loop. Clients take turns, and each has its own work done in the order
 * in which it asked: who asks for much long work waits for it alone. While others come, it rests after a slice for three
 * times as long as that was: a thread that works half of the time for one client has no claim left on a processor when short
 * work comes, and waits for it behind whatever else runs there. Gain: beside batches of blocks or of fee histories a read
 * takes half of what it takes when the rest is as long as the work. Price: long work takes four times as long when the thread
 * is shared.
 */
export class TimeSlices {
  readonly #sliceMs: number;
  readonly #nowMs: () => number;
  readonly #waiting = new Turns<() => void>();
  /** When this slice began and when it is over; 0 before it has begun. */
  #beganMs = 0;
  #endMs = 0;
  #arrivals = 0;
  #arrivalsBefore = 0;

  /** `nowMs`: a clock that never goes back. */
  constructor(sliceMs: number, nowMs: () => number = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#nowMs = nowMs;
  }

  /** Notes that short work has come, which must not wait long. */
  arrived(): void {
    this.#arrivals++;
  }

  /** True if this slice is used up; the first question after a rest begins one. Costs a look at the clock, 40 ns. */
  isOver(): boolean {
    const now = this.#nowMs();
    if (this.#endMs === 0) this.#begin(now);
    return now >= this.#endMs;
  }

  /**
   * Resolves in a later turn of the event loop, with a slice of its own. `client`: for whom; all without one are one.
   * `isBegun`: the work has had a slice and holds memory, so it goes before what else its client has waiting.
   */
  turn(client?: string, isBegun = false): Promise<void> {
    if (this.#endMs === 0) this.#begin(this.#nowMs());
    return new Promise((resolve) => this.#waiting.add(client, resolve, isBegun));
  }

  #begin(now: number): void {
    this.#beganMs = now;
    this.#endMs = now + this.#sliceMs;
    this.#arrivalsBefore = this.#arrivals;
    setImmediate(() => this.#rest());
  }

  /** Ends the slice; after rests as long as the work took if short work came during it: some work cannot be parted. */
  #rest(): void {
    if (this.#arrivals === this.#arrivalsBefore) this.#end();
    else setTimeout(() => this.#end(), RESTS * Math.max(this.#sliceMs, this.#nowMs() - this.#beganMs));
  }

  /** Gives a slice to the next in line. */
  #end(): void {
    this.#endMs = 0;
    for (const client of this.#waiting.clients) {
      this.#begin(this.#nowMs());
      this.#waiting.take(client)();
      return;
    }
  }
}
