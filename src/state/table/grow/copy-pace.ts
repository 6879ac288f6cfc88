// The pace at which the table has to be copied so that the copy ends before the table is full.
import { CAPACITIES, type Capacities } from '../layout/layout.js';
import type { TableCopy } from './table-copy.js';

/** A copy ends when this share of the free space has been used: the rest is left for bursts. */
const ROOM_SHARE = 2 / 3;

/** The pace of one copy, from what was left to copy and how much space was free when it began. */
export class CopyPace {
  readonly #copy: TableCopy;
  readonly #left: number;
  readonly #room: Capacities;

  /** `room`: what fits into each region before a larger one is forced. */
  constructor(copy: TableCopy, room: Capacities) {
    this.#copy = copy;
    this.#left = copy.left;
    this.#room = room;
  }

  /** Units by which the copy is behind schedule, with so much free space now. */
  behind(room: Capacities): number {
    const used = CAPACITIES.map((name) => (this.#room[name] > 0 ? 1 - room[name] / this.#room[name] : 0));
    const mayBeLeft = this.#left * Math.max(0, 1 - Math.max(...used) / ROOM_SHARE);
    return Math.ceil(this.#copy.left - mayBeLeft);
  }
}
