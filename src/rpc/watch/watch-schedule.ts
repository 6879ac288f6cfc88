// Lists of watched calls that are due, and when each is brought up to date. Runs on main.
import type { TimeSlices } from '../../clients/slices.js';
import { LIMITS } from '../../limits/index.js';
import type { WatchList } from './watch-list.js';

/** Lists that may not be up to date, in the order in which they became so. A list is in one round at a time. */
export class WatchSchedule {
  readonly #slices: TimeSlices;
  readonly #begin: (list: WatchList) => boolean;
  readonly #due = new Set<WatchList>();
  /** Rounds that have not come to their end. */
  #rounds = 0;
  #isPumping = false;

  /** `begin`: begins a round of a list; false where none can begin before something is heard of the chain. */
  constructor(slices: TimeSlices, begin: (list: WatchList) => boolean) {
    this.#slices = slices;
    this.#begin = begin;
  }

  /** Notes that the list is due. */
  add(list: WatchList): void {
    this.#due.add(list);
  }

  /** Notes that it is not: its round begins, or it has ended. */
  remove(list: WatchList): void {
    this.#due.delete(list);
  }

  /** A round of the list is under way. */
  roundBegun(list: WatchList): void {
    list.isRunning = true;
    this.#rounds++;
  }

  /** Notes that the round of a list has come to its end. */
  roundEnded(list: WatchList): void {
    list.isRunning = false;
    this.#rounds--;
  }

  /** Begins rounds of what is due, in slices of the thread's time. */
  wake(): void {
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    // Whoever has just asked is answered first, and lets go of its version.
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
