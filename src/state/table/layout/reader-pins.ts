// Version pins. A pin is a word of shared memory in which a reader thread stores the lowest state version that it
// reads, so that the writer does not free older values that are still needed.
//
// A reader stores its pin and then loads the floor, which is the lowest version that can be pinned. The writer stores a
// higher floor and then loads all pins. All four accesses are sequentially consistent, so at least one of the two
// threads sees what the other has stored. If a pin is below the new floor, then either the writer sees the pin and does
// not free the values, or the reader sees the floor and gives the pin up.
import { threadId } from 'node:worker_threads';
import { LIMITS } from '../../../limits/index.js';
import { TABLE_HEADER, PIN_RECORD } from './table-layout.js';
import type { Table } from './table.js';

export class Pin {
  readonly #words: Int32Array;
  readonly #at: number;
  #used = 0;

  /** Reserves a free pin. Throws if all are in use, which is a bug of the caller. */
  constructor(table: Table) {
    this.#words = table.words;
    this.#at = takeFree(table);
  }

  /**
   * Protects `version` and all newer state versions until the next call. Returns false if `version` is no longer
   * retained; the pin then keeps its previous value. A call takes about 20 ns.
   */
  pin(version: number): boolean {
    const before = this.#used;
    this.#store(version);
    // If the pin moves to a higher version, its old value has protected that version all the time. Otherwise the writer
    // may already have freed values of the version, which the floor shows.
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

  /** Clears the pin: it protects nothing until it is set again. */
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
 * Measures how long pins have been set, without using a clock on the reader threads. If a pin's count has not changed
 * between two calls, the pin has not changed in between.
 */
export class PinAgeTracker {
  /**
   * The count of each pin at the last call; NaN if the pin was not set. No number could stand for that, because counts
   * wrap around and can have any value.
   */
  readonly #counts = new Float64Array(LIMITS.pinsMax).fill(NaN);
  readonly #since = new Float64Array(LIMITS.pinsMax);

  /**
   * Returns for how long the oldest pin has been set, counted from the first call that has seen it; 0 if nothing is
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
