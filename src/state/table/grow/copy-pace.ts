// The pace at which a copy of the table has to be made so that it ends before the table is full. Runs on the publisher.
import { CAPACITIES, type Capacities } from '../layout/layout.js';
import type { TableCopy } from './table-copy.js';

/** A copy ends when so much of the room has been used: as much again is left for what comes at once. */
const ROOM_SHARE = 2 / 3;

/** The pace of one copy: from what was to be copied and what room there was when it began. */
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

  /** Places that are behind, with so much room now. */
  behind(room: Capacities): number {
    const used = CAPACITIES.map((name) => (this.#room[name] > 0 ? 1 - room[name] / this.#room[name] : 0));
    const mayBeLeft = this.#left * Math.max(0, 1 - Math.max(...used) / ROOM_SHARE);
    return Math.ceil(this.#copy.left - mayBeLeft);
  }
}
