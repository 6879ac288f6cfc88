// Divides a thread's time between long pieces of work, so that short work never waits until a long one is finished.

// While other requests arrive, long work pauses three times as long as it has just run. See DECISIONS.md.
// Clients take turns on the main thread, whatever time each has used so far. See DECISIONS.md.
import { ClientRoundRobin } from './client-round-robin.js';
import { loadNativeModule } from '../native/load-addon.js';

/**
 * Returns the milliseconds for which this thread has run, without the time that it waited for a processor. Where the
 * system cannot report this, returns wall-clock time. The call takes 0.3 us.
 */
export const threadCpuMs: () => number = loadNativeModule('wake').part?.cpuMs ?? (() => performance.now());

/**
 * A pause is this many times as long as the time slice before it: long work gets a quarter of a thread that others
 * need.
 */
const RESTS = 3;

/** Clocks of a thread, in milliseconds. */
export interface SliceClocks {
  /** Monotonic time. A call takes 40 ns. */
  readonly nowMs: () => number;
  /** Processor time of this thread. */
  readonly cpuMs: () => number;
}

const CLOCKS: SliceClocks = { nowMs: () => performance.now(), cpuMs: threadCpuMs };

/**
 * Divides the thread's processor time into slices: one for each request body that arrives, and one per event-loop tick
 * for work that continues. Clients take turns, and each client's work is done in order, so a client with much long work
 * delays only itself.
 * While other requests arrive, long work pauses after a slice for three times as long as it ran. Without pauses, the
 * thread would have used up its fair share by the time short work arrives, and the operating system would run other
 * threads first. With pauses of the same length as the work, a read next to batches of blocks or fee histories took
 * twice as long. The price: long work takes four times as long while the thread is shared.
 */
export class TimeSlicer {
  readonly #sliceMs: number;
  readonly #clocks: SliceClocks;
  readonly #waiting = new ClientRoundRobin<() => void>();
  /** Processor time of the thread when this slice started. */
  #startedMs = 0;
  /** Earliest wall-clock time at which this slice can be over; 0 before the slice has started. */
  #checkMs = 0;
  /** Processor time of the thread when the first slice of this tick started; `null` before that. */
  #tickStartMs: number | null = null;
  #isUsedUp = false;
  #isResting = false;
  #arrivals = 0;
  #arrivalsBefore = 0;

  constructor(sliceMs: number, clocks: SliceClocks = CLOCKS) {
    this.#sliceMs = sliceMs;
    this.#clocks = clocks;
  }

  /**
   * Must be called when a request body has arrived. It gets a time slice of its own, and long work stops sooner for it.
   */
  arrived(): void {
    this.#arrivals++;
    this.#checkMs = 0;
  }

  /**
   * True if the current time slice is used up, or if long work is pausing. The first call after a request has arrived
   * or a pause has ended starts a slice.
   */
  isOver(): boolean {
    if (this.#isResting) return true;
    const now = this.#clocks.nowMs();
    if (this.#checkMs === 0) this.#begin(now);
    return now >= this.#checkMs && this.#isOverAt(now);
  }

  /** True during a pause, or if the work of all clients in this event-loop tick has used up one time slice. */
  isBusy(): boolean {
    if (this.#isResting) return true;
    if (this.#tickStartMs !== null) return this.#clocks.cpuMs() - this.#tickStartMs >= this.#sliceMs;
    this.#begin(this.#clocks.nowMs());
    return false;
  }

  /**
   * Resolves in a later event-loop tick with a new slice for `client`; all work without a name counts as one client's.
   * If `isStarted`, the work has already had a slice and holds memory, so it goes before the client's other work.
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

  /**
   * True if the slice is used up at time `now`. Only processor time counts, so time in which the thread was preempted
   * does not use it up.
   */
  #isOverAt(now: number): boolean {
    const leftMs = this.#sliceMs - (this.#clocks.cpuMs() - this.#startedMs);
    if (leftMs > 0) this.#checkMs = now + leftMs;
    else this.#isUsedUp = true;
    return leftMs <= 0;
  }

  /**
   * Ends the work of this event-loop tick. If its slice is used up and other requests have arrived meanwhile, the next
   * slice starts after a pause, `RESTS` times as long as the tick's work.
   */
  #rest(): void {
    this.#isResting = this.#isUsedUp && this.#arrivals !== this.#arrivalsBefore;
    if (!this.#isResting) this.#end();
    else setTimeout(() => this.#end(), RESTS * (this.#clocks.cpuMs() - this.#tickStartMs!));
  }

  /** Ends the pause, if there is one, and gives a slice to the oldest work of the client whose turn it is. */
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
