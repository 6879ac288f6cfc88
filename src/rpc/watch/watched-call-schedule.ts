// Decides when lists of watched calls are updated.
import type { TimeSlicer } from '../../fairness/time-slicer.js';
import { LIMITS } from '../../limits/index.js';
import type { WatchList } from './watched-call-entry.js';

/**
 * Lists of watched calls that may have outdated results; the list that has waited longest comes first. One round runs
 * all outdated calls of a list, and a list has at most one round at a time.
 */
export class WatchSchedule {
  readonly #slices: TimeSlicer;
  readonly #begin: (list: WatchList) => boolean;
  readonly #due = new Set<WatchList>();
  #rounds = 0;
  #isPumping = false;

  /**
   * `begin` starts to run the calls of a list again. It returns false if that is impossible before the next chain
   * event.
   */
  constructor(slices: TimeSlicer, begin: (list: WatchList) => boolean) {
    this.#slices = slices;
    this.#begin = begin;
  }

  /** Adds a list whose results may be outdated. */
  add(list: WatchList): void {
    this.#due.add(list);
  }

  /** Removes a list from the schedule, because its round starts or because the list itself has ended. */
  remove(list: WatchList): void {
    this.#due.delete(list);
  }

  roundStarted(list: WatchList): void {
    list.isRunning = true;
    this.#rounds++;
  }

  roundEnded(list: WatchList): void {
    list.isRunning = false;
    this.#rounds--;
  }

  /**
   * Starts a round for each outdated list, within slices of the main thread's time. A round runs all outdated calls of
   * a list.
   */
  wake(): void {
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    // Waits until the current request is answered and has released its state version.
    await Promise.resolve();
    for (let list = this.#next(); list !== null; list = this.#next()) {
      if (this.#slices.isOver()) await this.#slices.turn();
      if (!list.isOver && !this.#begin(list)) break;
    }
    this.#isPumping = false;
  }

  #next(): WatchList | null {
    if (this.#rounds >= LIMITS.watchRoundsMax) return null;
    for (const list of this.#due) if (!list.isRunning) return list;
    return null;
  }
}
