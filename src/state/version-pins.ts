// Pins the lowest version that a job in flight needs. The pin belongs to main and also covers the worker's run: the job
// is in flight until its result is received or its worker is dead, so a dead worker leaves no pin behind.

// Workers have no pins of their own. See DECISIONS.md.

/** A reader's pin on a table (see table/layout/pins.ts). */
export interface VersionPin {
  /** Protects the version and everything newer. If it is no longer retained, returns false, and nothing changes. */
  pin(version: number): boolean;
  unpin(): void;
}

interface PinnedVersionCount {
  readonly version: number;
  jobs: number;
}

/** Reference counts of the versions of one table. */
export class VersionPins {
  readonly #pin: VersionPin;
  /** A few versions, oldest first: no Map, for which V8 allocates a table each time it is emptied. */
  readonly #entry: PinnedVersionCount[] = [];
  #least = Infinity;

  constructor(pin: VersionPin) {
    this.#pin = pin;
  }

  /**
   * Pins a version. The returned function releases it, and must be called once. A version that is no longer retained is
   * not pinned, and reading it throws VersionNotKept. The lowest one is pinned again every time, in 20 ns, so that
   * monitoring can distinguish a stream of short jobs from one that hangs.
   */
  retain(version: number): () => void {
    if (version <= this.#least && !this.#pin.pin(version)) return NOTHING_PINNED;
    this.#least = Math.min(this.#least, version);
    const entry = this.#entryOf(version);
    entry.jobs += 1;
    return () => this.#release(entry);
  }

  #entryOf(version: number): PinnedVersionCount {
    const at = this.#entry.findLastIndex((entry) => entry.version <= version);
    const known = this.#entry[at];
    if (known?.version === version) return known;
    const entry: PinnedVersionCount = { version, jobs: 0 };
    this.#entry.splice(at + 1, 0, entry);
    return entry;
  }

  #release(entry: PinnedVersionCount): void {
    entry.jobs -= 1;
    if (entry.jobs > 0) return;
    this.#entry.splice(this.#entry.indexOf(entry), 1);
    if (entry.version !== this.#least) return;
    this.#least = this.#entry[0]?.version ?? Infinity;
    if (this.#least === Infinity) this.#pin.unpin();
    else this.#pin.pin(this.#least);
  }
}

const NOTHING_PINNED = (): void => {};
