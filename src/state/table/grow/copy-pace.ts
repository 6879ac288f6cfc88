// The pace at which the table has to be copied so that the copy ends before the table is full.
import { CAPACITIES, type Capacities } from '../layout/layout.js';
import type { TableCopy } from './table-copy.js';

/** A copy ends when this share of the free space has been used: the rest is left for bursts. */
const CAPACITY_SHARE = 2 / 3;

/** The pace of one copy, from what was left to copy and how much space was free when it began. */
export class CopyPace {
  readonly #copy: TableCopy;
  readonly #left: number;
  readonly #capacity: Capacities;

  /** `room`: what fits into each region before a larger one is forced. */
  constructor(copy: TableCopy, capacity: Capacities) {
    this.#copy = copy;
    this.#left = copy.left;
    this.#capacity = capacity;
  }

  /** Units by which the copy is behind schedule, with so much free space now. */
  behind(capacity: Capacities): number {
    const used = CAPACITIES.map((name) => (this.#capacity[name] > 0 ? 1 - capacity[name] / this.#capacity[name] : 0));
    const mayBeLeft = this.#left * Math.max(0, 1 - Math.max(...used) / CAPACITY_SHARE);
    return Math.ceil(this.#copy.left - mayBeLeft);
  }
}
