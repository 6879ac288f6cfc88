// Pins the lowest state version that any job in flight needs. A job is a task that the main thread has sent to a
// worker; it is in flight until its result has arrived or its worker has died. The main thread owns the pin, so a
// worker that dies leaves no pin behind.

// Workers have no version pins of their own. See DECISIONS.md.
import type { Pin } from './table/layout/reader-pins.js';

/** A reader's pin on a table, which protects state versions from being reclaimed. */
export type VersionPin = Pick<Pin, 'pin' | 'unpin'>;

interface PinnedVersionCount {
  readonly version: number;
  jobs: number;
}

/** Counts for each state version of one table how many jobs need it. */
export class VersionPins {
  readonly #pin: VersionPin;
  /**
   * The few state versions in use, oldest first. An array, because V8 allocates memory whenever a Map is emptied and
   * filled again.
   */
  readonly #entry: PinnedVersionCount[] = [];
  #least = Infinity;

  constructor(pin: VersionPin) {
    this.#pin = pin;
  }

  /**
   * Pins a state version for a job. The returned function releases it, and must be called once. A version that is no
   * longer retained is not pinned; reading it throws VersionNotKept. If the version is the lowest one in use, the call
   * sets the pin again, in 20 ns. By that, monitoring can distinguish many short jobs from one that hangs.
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
