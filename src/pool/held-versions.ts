// The least version that a job in flight needs, kept in a pin of main's. It covers the worker's run as well: the job stays
// in flight until its answer is taken or its worker is dead, so a dead worker leaves no pin behind. Runs on main.

/** A reader's pin on a table: records that its version needs are not reused. */
export interface VersionPin {
  pin(version: number): void;
  unpin(): void;
}

/** Versions of one table, counted. */
export class HeldVersions {
  readonly #pin: VersionPin;
  readonly #jobs = new Map<number, number>();
  #least = Infinity;

  constructor(pin: VersionPin) {
    this.#pin = pin;
  }

  /** Holds a version; the answer lets it go and is called once. */
  hold(version: number): () => void {
    this.#jobs.set(version, (this.#jobs.get(version) ?? 0) + 1);
    if (version < this.#least) this.#move(version);
    return () => this.#release(version);
  }

  #release(version: number): void {
    const jobs = (this.#jobs.get(version) ?? 0) - 1;
    if (jobs > 0) {
      this.#jobs.set(version, jobs);
      return;
    }
    this.#jobs.delete(version);
    if (version === this.#least) this.#move(this.#leastHeld());
  }

  #move(version: number): void {
    this.#least = version;
    if (version === Infinity) this.#pin.unpin();
    else this.#pin.pin(version);
  }

  #leastHeld(): number {
    let least = Infinity;
    for (const version of this.#jobs.keys()) least = Math.min(least, version);
    return least;
  }
}
