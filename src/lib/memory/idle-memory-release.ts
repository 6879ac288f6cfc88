// Returns memory to the system when a load is over.

// Main checks every ten seconds whether to free memory. A thread without work collects no garbage, kernels keep the
// memory that they have written to and the code that they have compiled, and glibc keeps freed pages between used ones.
// See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';

export interface IdleMemoryReleaseDeps {
  /** Resident memory of the process. */
  readonly residentBytes: () => number;
  /** True if there were few requests since the last call and nothing is running. */
  readonly isIdle: () => boolean;
  readonly release: () => void;
}

/** Frees memory once after each load that has left much of it. */
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
    // The next check uses what is left now as the minimum.
    this.#leastBytes = Infinity;
    release();
  }
}
