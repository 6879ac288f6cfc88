// Divides a thread's time among long work, so that short work never has to wait for all of it.

// Long work pauses three times as long as it ran while other requests arrive. See DECISIONS.md.
// Main's time is divided by turns, not by amounts of the ledger. See DECISIONS.md.
import { cpuMs } from './cpu-time.js';
import { FairQueue } from './fair-queue.js';

/**
 * Length of a pause after a used-up slice, in multiples of the slice: long work gets a quarter of a thread that others
 * need.
 */
const RESTS = 3;

/** Clocks of a thread, in milliseconds. */
export interface SliceClocks {
  /** Monotonic time. A read costs 40 ns. */
  readonly nowMs: () => number;
  /** Processor time of this thread. */
  readonly cpuMs: () => number;
}

const CLOCKS: SliceClocks = { nowMs: () => performance.now(), cpuMs };

/**
 * Slices of the thread's processor time: one for each body that arrives, and one per event-loop tick for work that
 * continues. Clients take turns, and each client's work is done in the order in which it was requested: a client with
 * much long work only delays itself. While other requests arrive, long work pauses after a slice for three times as
 * long as it ran: a thread that works half of the time for one client has used up its fair share when short work comes,
 * so the scheduler lets whatever else runs go first. Gain: next to batches of blocks or of fee histories a read takes
 * half of what it takes when the pause is as long as the work. Price: long work takes four times as long when the
 * thread is shared.
 */
export class TimeSlicer {
  readonly #sliceMs: number;
  readonly #clocks: SliceClocks;
  readonly #waiting = new FairQueue<() => void>();
  /** Processor time when this slice started. */
  #startedMs = 0;
  /** Earliest time at which this slice can be over, by the clock; 0 before it has started. */
  #checkMs = 0;
  /** Processor time when the first slice of this tick started; `null` before. */
  #tickStartMs: number | null = null;
  #isUsedUp = false;
  #isResting = false;
  #arrivals = 0;
  #arrivalsBefore = 0;

  constructor(sliceMs: number, clocks: SliceClocks = CLOCKS) {
    this.#sliceMs = sliceMs;
    this.#clocks = clocks;
  }

  /** Records that a body has arrived: others must not wait long, and its work gets a slice of its own. */
  arrived(): void {
    this.#arrivals++;
    this.#checkMs = 0;
  }

  /** True if this slice is used up, and during a pause; the first call after an arrival or a pause starts a slice. */
  isOver(): boolean {
    if (this.#isResting) return true;
    const now = this.#clocks.nowMs();
    if (this.#checkMs === 0) this.#begin(now);
    return now >= this.#checkMs && this.#isOverAt(now);
  }

  /** True if this event-loop tick has worked for a slice, for whichever client, and during a pause. */
  isBusy(): boolean {
    if (this.#isResting) return true;
    if (this.#tickStartMs !== null) return this.#clocks.cpuMs() - this.#tickStartMs >= this.#sliceMs;
    this.#begin(this.#clocks.nowMs());
    return false;
  }

  /**
   * Resolves in a later event-loop tick, with a new slice. `client`: for whom; all without a name count as one.
   * `isBegun`: the work has had a slice and holds memory, so it goes before whatever else its client has waiting.
   */
  turn(client?: string, isStarted = false): Promise<void> {
    if (this.#tickStartMs === null) this.#begin(this.#clocks.nowMs());
    return new Promise((resolve) => this.#waiting.add(client, resolve, isStarted));
  }

  #begin(now: number): void {
    this.#startedMs = this.#clocks.cpuMs();
    this.#checkMs = now + this.#sliceMs;
    if (this.#tickStartMs !== null) return;
    this.#tickStartMs = this.#startedMs;
    this.#arrivalsBefore = this.#arrivals;
    setImmediate(() => this.#rest());
  }

  /** A thread that was preempted meanwhile has some of its slice left. */
  #isOverAt(now: number): boolean {
    const leftMs = this.#sliceMs - (this.#clocks.cpuMs() - this.#startedMs);
    if (leftMs > 0) this.#checkMs = now + leftMs;
    else this.#isUsedUp = true;
    return leftMs <= 0;
  }

  /** Ends the tick; after a pause of `RESTS` times the work if others arrived while a slice was used up. */
  #rest(): void {
    this.#isResting = this.#isUsedUp && this.#arrivals !== this.#arrivalsBefore;
    if (!this.#isResting) this.#end();
    else setTimeout(() => this.#end(), RESTS * (this.#clocks.cpuMs() - this.#tickStartMs!));
  }

  /** Ends the pause and gives a slice to the oldest work of the next client. */
  #end(): void {
    this.#isResting = false;
    this.#isUsedUp = false;
    this.#tickStartMs = null;
    this.#checkMs = 0;
    for (const client of this.#waiting.clients) {
      this.#begin(this.#clocks.nowMs());
      this.#waiting.take(client)();
      return;
    }
  }
}
