// Pins the lowest version that a job in flight needs. The pin belongs to main and covers the worker's run as well: the
// job stays in flight until its result is received or its worker is dead, so a dead worker leaves no pin behind.

// Workers hold no pins. See DECISIONS.md.

/** A reader's pin on a table (see table/pins.ts). */
export interface VersionPin {
  /** Protects the version and everything newer; false if it is no longer kept, and nothing has changed. */
  pin(version: number): boolean;
  unpin(): void;
}

/** A version and the number of jobs that need it. */
interface Held {
  readonly version: number;
  jobs: number;
}

/** Reference counts of one table's versions. */
export class VersionPins {
  readonly #pin: VersionPin;
  /**
   * A few, the oldest first: not a Map, since V8 allocates a new table for a Map each time it is emptied (see JobLine).
   */
  readonly #held: Held[] = [];
  #least = Infinity;

  constructor(pin: VersionPin) {
    this.#pin = pin;
  }

  /**
   * Pins a version; the returned function releases it and must be called once. A version that is no longer kept is not
   * pinned: reading it throws VersionNotKept. The lowest one is pinned again every time, 20 ns, so that monitoring of
   * old pins can distinguish a stream of short jobs from one that hangs.
   */
  hold(version: number): () => void {
    if (version <= this.#least && !this.#pin.pin(version)) return NOTHING_HELD;
    this.#least = Math.min(this.#least, version);
    const held = this.#heldAt(version);
    held.jobs += 1;
    return () => this.#release(held);
  }

  #heldAt(version: number): Held {
    const at = this.#held.findLastIndex((held) => held.version <= version);
    const known = this.#held[at];
    if (known?.version === version) return known;
    const held: Held = { version, jobs: 0 };
    this.#held.splice(at + 1, 0, held);
    return held;
  }

  #release(held: Held): void {
    held.jobs -= 1;
    if (held.jobs > 0) return;
    this.#held.splice(this.#held.indexOf(held), 1);
    if (held.version !== this.#least) return;
    this.#least = this.#held[0]?.version ?? Infinity;
    if (this.#least === Infinity) this.#pin.unpin();
    else this.#pin.pin(this.#least);
  }
}

const NOTHING_HELD = (): void => {};
