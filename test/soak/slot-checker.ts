// A reader of the simulated month: reads slots at retained versions and compares them with the oracle. Runs on every
// thread of the soak test.
import { sameBytes } from '../../src/lib/bytes/byte-map.js';
import { StateMiss } from '../../src/state/views/state-miss.js';
import {
  VersionNotKept,
  type Snapshot,
  type TableReader,
} from '../../src/state/table/read/table-reader-and-snapshot.js';
import type { Pin } from '../../src/state/table/layout/reader-pins.js';
import {
  KEY_WORDS,
  keysRequested,
  codeOf,
  contractOf,
  dice,
  keyOf,
  valueOf,
  type MonthOracle,
} from './month-oracle.js';

/** How far below the newest version reads may go, most often the newest: with a pin, and without one. */
const BACK_MAX = 12;
const FAR_BACK_MAX = 200;
const PINNED_SHARE = 0.8;

/** Counters of a reader. */
export interface Checks {
  reads: number;
  misses: number;
  /** Number of compared codes. */
  codes: number;
  differences: number;
}

/** Reads a table that may be replaced. */
export class SlotChecker {
  readonly counts: Checks = { reads: 0, misses: 0, codes: 0, differences: 0 };
  readonly #oracle: MonthOracle;
  readonly #newSlots: number;
  readonly #random: () => number;
  readonly #key = new Uint32Array(KEY_WORDS);
  readonly #address = new Uint8Array(this.#key.buffer, 0, 20);
  readonly #slot = new Uint8Array(this.#key.buffer, 20, 32);
  readonly #expected = new Uint32Array(8);
  readonly #expectedBytes = Buffer.from(this.#expected.buffer);
  #reader: TableReader | null = null;
  #pin: Pin | null = null;
  #snapshot: Snapshot | null = null;
  /** Pin and version of a long estimate. */
  #long: { readonly pin: Pin; readonly version: number } | null = null;

  constructor(oracle: MonthOracle, newSlots: number, seed: number) {
    this.#oracle = oracle;
    this.#newSlots = newSlots;
    this.#random = dice(seed);
  }

  /** Switches to this table. */
  setTable(reader: TableReader): void {
    for (const pin of [this.#pin, this.#long?.pin]) pin?.close();
    this.#reader = reader;
    this.#pin = reader.acquirePin();
    this.#long = null;
    this.#snapshot = null;
  }

  /** Reads at the version that was pinned by the last call, and pins the current newest one. */
  endLong(count: number): void {
    const reader = this.#reader!;
    if (this.#long !== null) this.#lacked(reader, this.#long.version, count, true);
    const pin = this.#long?.pin ?? reader.acquirePin();
    pin.unpin();
    this.#long = { pin, version: pin.pinNewest() };
    pin.pin(this.#long.version);
  }

  /** Reads some slots at one version, pinned or not; returns the indices of uncached ones. */
  check(count: number): number[] {
    const [reader, pin] = [this.#reader!, this.#pin!];
    const newest = pin.pinNewest();
    const isPinned = this.#random() < PINNED_SHARE;
    const version = Math.max(1, newest - Math.floor(this.#random() ** 4 * (isPinned ? BACK_MAX : FAR_BACK_MAX)));
    if (newest === 0 || (isPinned && version !== newest && !pin.pin(version))) return [];
    if (!isPinned) pin.unpin();
    const missing = this.#lacked(reader, version, count, isPinned);
    pin.unpin();
    return missing;
  }

  /** A pinned version must be available; another one may be refused. */
  #lacked(reader: TableReader, version: number, count: number, isPinned: boolean): number[] {
    const missing: number[] = [];
    try {
      this.#snapshot ??= reader.snapshot(version);
      this.#snapshot.aim(version);
      for (let i = 0; i < count; i++) {
        const index = keysRequested(this.#oracle, this.#newSlots, version, this.#random);
        if (!this.#isResident(this.#snapshot, index, version)) missing.push(index);
      }
      this.#checkCode(this.#snapshot, 1 + Math.floor(version - version ** this.#random()));
    } catch (error) {
      // The contract is not cached: not yet, or no longer.
      if (error instanceof StateMiss) return missing;
      if (!(error instanceof VersionNotKept)) throw error;
      if (isPinned) this.counts.differences++;
    }
    return missing;
  }

  /** Reads the contract that a block created. Throws StateMiss if it is not cached. */
  #checkCode(snapshot: Snapshot, block: number): void {
    const codeHash = snapshot.account(contractOf(block))?.codeHash;
    const { hash, bytes } = codeOf(block);
    this.counts.codes++;
    if (codeHash === undefined || !sameBytes(codeHash, hash) || !sameBytes(snapshot.code(codeHash), bytes))
      this.counts.differences++;
  }

  #isResident(snapshot: Snapshot, index: number, version: number): boolean {
    this.counts.reads++;
    keyOf(index, this.#key);
    const word = this.#wordAt(snapshot);
    if (word === null) {
      this.counts.misses++;
      return false;
    }
    valueOf(index, this.#oracle.writerOf(index, version), this.#expected);
    if (!this.#expectedBytes.equals(word)) this.counts.differences++;
    return true;
  }

  /** `null`: the slot is not cached. */
  #wordAt(snapshot: Snapshot): Uint8Array | null {
    try {
      return snapshot.storage(this.#address, this.#slot);
    } catch (error) {
      if (error instanceof StateMiss) return null;
      throw error;
    }
  }
}
