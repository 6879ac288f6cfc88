// Computes how fast a table must be copied so that the copy is complete before the old table is full.
import { CAPACITY_NAMES, type Capacities } from '../layout/table-layout.js';
import type { TableCopy } from './table-copy.js';

/**
 * The copy should be complete when this share of the old table's free space has been used. The rest is for bursts of
 * writes.
 */
const CAPACITY_SHARE = 2 / 3;

/** Computes the pace of one copy, from how much there was to copy and how much space was free when the copy started. */
export class TableCopyPacer {
  readonly #copy: TableCopy;
  readonly #left: number;
  readonly #capacity: Capacities;

  /** `capacity` is the free space in each region at the start of the copy. */
  constructor(copy: TableCopy, capacity: Capacities) {
    this.#copy = copy;
    this.#left = copy.left;
    this.#capacity = capacity;
  }

  /** Returns by how many units of work (see TableCopy) the copy is behind schedule, given the free space now. */
  behind(capacity: Capacities): number {
    const used = CAPACITY_NAMES.map((name) =>
      this.#capacity[name] > 0 ? 1 - capacity[name] / this.#capacity[name] : 0,
    );
    const mayBeLeft = this.#left * Math.max(0, 1 - Math.max(...used) / CAPACITY_SHARE);
    return Math.ceil(this.#copy.left - mayBeLeft);
  }
}
