// Shares a thread's time among long work, so that short work is never kept waiting for all of it. Runs on main.

// Decision (2026-11, two cores): Long work rests three times as long as it worked while others come. A thread that uses
// no more than its share of the processors gets one as soon as it wakes up; one that works half of the time for one
// client waits behind whatever else runs. Price: beside others a batch that takes main long takes four times as long.

// Decision (2026-11): Main's time is turns, not amounts of the ledger. What is held in it has a bound and is refused beyond; time
// passes, nothing of it is refused, and a client's turn, one slice in a round, is its share already. An amount for each client
// would be a clock read more for each slice, a second order beside the turns, and no line less. Answers and news have one each:
// one for both would have news rest as long work of answers does, three times as long as that took.
import { cpuMs } from './cpu-time.js';
import { Turns } from './turns.js';

/**
 * Rests after a slice that was used up, each as long as that was: long work takes a quarter of a thread that others
 * need.
 */
const RESTS = 3;

/** Clocks of a thread, in milliseconds. */
export interface SliceClocks {
  /** Time that passes; never goes back. A look costs 40 ns. */
  readonly nowMs: () => number;
  /** Processor time of this thread. */
  readonly cpuMs: () => number;
}

const CLOCKS: SliceClocks = { nowMs: () => performance.now(), cpuMs };

/**
 * Slices of the thread's processor time: one for each body that arrives, and one in a turn of the event loop for work
 * that goes on. Clients take turns, and each has its own work done in the order in which it asked: who asks for much
 * long work waits for it alone. While others come, long work rests after a slice
 * for three times as long as it worked: a thread that works half of the time for one client has no claim left on a
 * processor when short work comes, and waits for it behind whatever else runs there. Gain: beside batches of blocks or
 * of fee histories a read takes half of what it takes when the rest is as long as the work. Price: long work takes four
 * times as long when the thread is shared.
 */
export class TimeSlices {
  readonly #sliceMs: number;
  readonly #clocks: SliceClocks;
  readonly #waiting = new Turns<() => void>();
  /** Processor time when this slice began. */
  #beganMs = 0;
  /** When this slice is over at the earliest, by the clock; 0 before it has begun. */
  #lookMs = 0;
  /** Processor time when the first slice of this turn began; `null` before. */
  #turnBeganMs: number | null = null;
  #isUsedUp = false;
  #isResting = false;
  #arrivals = 0;
  #arrivalsBefore = 0;

  constructor(sliceMs: number, clocks: SliceClocks = CLOCKS) {
    this.#sliceMs = sliceMs;
    this.#clocks = clocks;
  }

  /** Notes that a body has come: others must not wait long, and what it asks for has a slice of its own. */
  arrived(): void {
    this.#arrivals++;
    this.#lookMs = 0;
  }

  /** True if this slice is used up, and during a rest; the first question after an arrival or a rest begins one. */
  isOver(): boolean {
    if (this.#isResting) return true;
    const now = this.#clocks.nowMs();
    if (this.#lookMs === 0) this.#begin(now);
    return now >= this.#lookMs && this.#isOverAt(now);
  }

  /** True if this turn of the event loop has worked for a slice, whoever used it, and during a rest. */
  isBusy(): boolean {
    if (this.#isResting) return true;
    if (this.#turnBeganMs !== null) return this.#clocks.cpuMs() - this.#turnBeganMs >= this.#sliceMs;
    this.#begin(this.#clocks.nowMs());
    return false;
  }

  /**
   * Resolves in a later turn of the event loop, with a slice of its own. `client`: for whom; all without one are one.
   * `isBegun`: the work has had a slice and holds memory, so it goes before what else its client has waiting.
   */
  turn(client?: string, isBegun = false): Promise<void> {
    if (this.#turnBeganMs === null) this.#begin(this.#clocks.nowMs());
    return new Promise((resolve) => this.#waiting.add(client, resolve, isBegun));
  }

  #begin(now: number): void {
    this.#beganMs = this.#clocks.cpuMs();
    this.#lookMs = now + this.#sliceMs;
    if (this.#turnBeganMs !== null) return;
    this.#turnBeganMs = this.#beganMs;
    this.#arrivalsBefore = this.#arrivals;
    setImmediate(() => this.#rest());
  }

  /** A thread that has lost its processor meanwhile has some of its slice left. */
  #isOverAt(now: number): boolean {
    const leftMs = this.#sliceMs - (this.#clocks.cpuMs() - this.#beganMs);
    if (leftMs > 0) this.#lookMs = now + leftMs;
    else this.#isUsedUp = true;
    return leftMs <= 0;
  }

  /** Ends the turn; after rests as long as the work took if others came during long work: some cannot be parted. */
  #rest(): void {
    this.#isResting = this.#isUsedUp && this.#arrivals !== this.#arrivalsBefore;
    if (!this.#isResting) this.#end();
    else setTimeout(() => this.#end(), RESTS * (this.#clocks.cpuMs() - this.#turnBeganMs!));
  }

  /** Gives a slice to the next in line. */
  #end(): void {
    this.#isResting = false;
    this.#isUsedUp = false;
    this.#turnBeganMs = null;
    this.#lookMs = 0;
    for (const client of this.#waiting.clients) {
      this.#begin(this.#clocks.nowMs());
      this.#waiting.take(client)();
      return;
    }
  }
}
