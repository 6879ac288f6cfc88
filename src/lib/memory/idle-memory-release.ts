// Returns memory to the operating system when a load is over.

// The main thread checks every ten seconds whether to free memory. Memory stays in use after a load because a thread
// without work collects no garbage, kernels keep the memory that they have written to and the code that they have
// compiled, and glibc keeps freed pages between used ones. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';

export interface IdleMemoryReleaseDeps {
  /** Returns the resident memory of the process. */
  readonly residentBytes: () => number;
  /** Returns true if there were few requests since the last call, and nothing is running. */
  readonly isIdle: () => boolean;
  readonly release: () => void;
}

/** Frees memory when the program is idle after a busy time in which its resident memory has grown much. */
export class IdleMemoryRelease {
  readonly #deps: IdleMemoryReleaseDeps;
  #leastBytes = Infinity;

  constructor(deps: IdleMemoryReleaseDeps) {
    this.#deps = deps;
  }

  /** Checks whether to free memory. Must be called periodically. */
  check(): void {
    const { residentBytes, isIdle, release } = this.#deps;
    const bytes = residentBytes();
    this.#leastBytes = Math.min(this.#leastBytes, bytes);
    if (!isIdle() || bytes < this.#leastBytes + LIMITS.idleMemoryBytesMin) return;
    // After the release, the next check starts with a new minimum.
    this.#leastBytes = Infinity;
    release();
  }
}
