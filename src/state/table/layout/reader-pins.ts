// Version pins. Reader threads announce by them which versions they read, so that the writer does not free older values
// that these versions need.
//
// The handshake: a reader stores its pin and then loads the floor, which is the lowest version that can be pinned. The
// writer stores the floor and then loads the pins. All four accesses are sequentially consistent, so at least one of
// the two threads sees the other's store. If a pin is below the floor, either the writer sees it and keeps the values,
// or the reader itself rejects it.
import { threadId } from 'node:worker_threads';
import { LIMITS } from '../../../limits/index.js';
import { TABLE_HEADER, PIN_RECORD } from './table-layout.js';
import type { Table } from './table.js';

export class Pin {
  readonly #words: Int32Array;
  readonly #at: number;
  #used = 0;

  /** Takes a free pin. Throws if there is none, which is a bug of the caller. */
  constructor(table: Table) {
    this.#words = table.words;
    this.#at = takeFree(table);
  }

  /**
   * Protects `version` and all newer ones until the next call. Returns false if the state version is no longer
   * retained; the previous pin then stays as it was. A call takes about 20 ns.
   */
  pin(version: number): boolean {
    const before = this.#used;
    this.#store(version);
    // If the pin only moves up, its old value has protected this version all the time. Only a new or lowered pin may be
    // stored after the writer has reclaimed the version.
    if (before !== 0 && before <= version) return true;
    if (Atomics.load(this.#words, TABLE_HEADER.floor) <= version) return true;
    this.#store(before);
    return false;
  }

  /** Protects all retained state versions, and returns the newest one. */
  pinNewest(): number {
    let floor = Atomics.load(this.#words, TABLE_HEADER.floor);
    while (!this.pin(floor)) floor = Atomics.load(this.#words, TABLE_HEADER.floor);
    return Atomics.load(this.#words, TABLE_HEADER.newest);
  }

  /** Ends the protection. */
  unpin(): void {
    this.#store(0);
  }

  /** Frees the pin; it must not be used again. */
  close(): void {
    this.#store(0);
    Atomics.store(this.#words, this.#at + PIN_RECORD.owner, 0);
  }

  #store(version: number): void {
    this.#used = version;
    this.#words[this.#at + PIN_RECORD.count]!++;
    Atomics.store(this.#words, this.#at + PIN_RECORD.version, version);
  }
}

/** Returns the lowest pinned state version; Infinity if nothing is pinned. */
export function lowestPinnedVersion(table: Table): number {
  let least = Infinity;
  for (const at of pinLines(table)) {
    const version = Atomics.load(table.words, at + PIN_RECORD.version);
    if (version !== 0 && version < least) least = version;
  }
  return least;
}

/**
 * Measures the ages of pins without a clock on the reader threads: if a pin's count has not changed, it was held all
 * the time.
 */
export class PinAgeTracker {
  /**
   * The count of each pin when it was last seen; NaN if it was free. NaN is needed because counts wrap around, so that
   * any number is possible.
   */
  readonly #counts = new Float64Array(LIMITS.pinsMax).fill(NaN);
  readonly #since = new Float64Array(LIMITS.pinsMax);

  /**
   * Returns how long the oldest pin has been held, counted from the first call that has seen it; 0 if nothing is
   * pinned.
   */
  oldestMs(table: Table, nowMs: number): number {
    let oldest = 0;
    pinLines(table).forEach((at, index) => {
      const count = table.words[at + PIN_RECORD.count]!;
      if (Atomics.load(table.words, at + PIN_RECORD.version) === 0) this.#counts[index] = NaN;
      else if (this.#counts[index] === count) oldest = Math.max(oldest, nowMs - this.#since[index]!);
      else {
        this.#counts[index] = count;
        this.#since[index] = nowMs;
      }
    });
    return oldest;
  }
}

function takeFree(table: Table): number {
  for (const at of pinLines(table)) {
    if (Atomics.compareExchange(table.words, at + PIN_RECORD.owner, 0, threadId + 1) === 0) return at;
  }
  throw new Error(`all ${LIMITS.pinsMax} pins are taken`);
}

function pinLines({ regions }: Table): number[] {
  return Array.from({ length: LIMITS.pinsMax }, (_, index) => regions.pins + index * PIN_RECORD.words);
}
