// Memory goes back to the system when a load is over. Runs on main.

// Decision (2026-11, two cores): Main looks every ten seconds, as a thread without work collects nothing, and kernels
// keep what they have written to and compiled, and glibc keeps freed pages that lie between others. After three attacks
// beside a busy machine 440 MB became 398 by collecting and 352 with `malloc_trim`. Price: some 20 ms of each thread
// behind a load, and what was hot is compiled again.
import { LIMITS } from '../../limits/index.js';

/** What `IdleMemory` depends on. */
export interface IdleMemoryDeps {
  /** Resident memory of the process. */
  readonly residentBytes: () => number;
  /** True if nobody has asked much since the last call, and nothing runs. */
  readonly isIdle: () => boolean;
  readonly release: () => void;
}

/** Releases memory once after each load that has left much. */
export class IdleMemory {
  readonly #deps: IdleMemoryDeps;
  #leastBytes = Infinity;

  constructor(deps: IdleMemoryDeps) {
    this.#deps = deps;
  }

  /** To be called now and then. */
  look(): void {
    const { residentBytes, isIdle, release } = this.#deps;
    const bytes = residentBytes();
    this.#leastBytes = Math.min(this.#leastBytes, bytes);
    if (!isIdle() || bytes < this.#leastBytes + LIMITS.idleMemoryBytesMin) return;
    // The next look takes what is left for the least.
    this.#leastBytes = Infinity;
    release();
  }
}
