// The least version that a job in flight needs, kept in a pin of main's. It covers the worker's run as well: the job stays
// in flight until its answer is taken or its worker is dead, so a dead worker leaves no pin behind. Runs on main.

/** A reader's pin on a table (see table/pins.ts). */
export interface VersionPin {
  /** Protects the version and everything newer; false when it is no longer kept, and nothing has changed. */
  pin(version: number): boolean;
  unpin(): void;
}

/** Versions of one table, counted. */
export class VersionPins {
  readonly #pin: VersionPin;
  readonly #jobs = new Map<number, number>();
  #least = Infinity;

  constructor(pin: VersionPin) {
    this.#pin = pin;
  }

  /**
   * Holds a version; the answer lets it go and is called once. A version that is no longer kept is not held: reading it
   * throws VersionNotKept. The least one is pinned anew every time, 20 ns, so that a watcher of old pins can tell a
   * stream of short jobs from one that hangs.
   */
  hold(version: number): () => void {
    if (version <= this.#least && !this.#pin.pin(version)) return NOTHING_HELD;
    this.#least = Math.min(this.#least, version);
    this.#jobs.set(version, (this.#jobs.get(version) ?? 0) + 1);
    return () => this.#release(version);
  }

  #release(version: number): void {
    const jobs = (this.#jobs.get(version) ?? 0) - 1;
    if (jobs > 0) {
      this.#jobs.set(version, jobs);
      return;
    }
    this.#jobs.delete(version);
    if (version !== this.#least) return;
    this.#least = this.#leastHeld();
    if (this.#least === Infinity) this.#pin.unpin();
    else this.#pin.pin(this.#least);
  }

  #leastHeld(): number {
    let least = Infinity;
    for (const version of this.#jobs.keys()) least = Math.min(least, version);
    return least;
  }
}

const NOTHING_HELD = (): void => {};
