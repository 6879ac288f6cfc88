// Evictions from an incomplete table: the hands that give entries up, and their counts. Runs on the publisher.
import { ClockHand } from './clock-hand.js';
import { ACCOUNTS, SLOTS, type EntryKind } from '../write/entry-writer.js';
import { HEADER } from '../layout/layout.js';
import type { Table } from '../layout/table.js';

/** Outcome of a sweep, in entries given up and places passed. */
export interface Evicted {
  readonly count: number;
  readonly passed: number;
}

/** The kinds of entries, each with a hand of its own. */
export const KINDS = [ACCOUNTS, SLOTS] as const;

/** The hands of the table in use, and what all hands before them have given up. */
export class Eviction {
  #hands: ReadonlyMap<EntryKind, ClockHand>;
  #count = 0;
  #below: number;
  /** The hands go on for a fill that has found no room. */
  #isGivingUp = false;

  constructor(table: Table) {
    this.#hands = handsOf(table);
    this.#below = Math.max(table.words[HEADER.reclaimed]!, table.words[HEADER.floor]!);
  }

  /** Entries given up. */
  get count(): number {
    return this.#count;
  }

  /** Above the versions of all of them. */
  get below(): number {
    return this.#below;
  }

  /** Goes on with another table, a copy of the one before. */
  use(table: Table): void {
    this.#hands = handsOf(table);
  }

  /** Nothing that is held is about to be published: the hands may go on. */
  published(): void {
    for (const hand of this.#hands.values()) hand.published();
  }

  /** The hands may go on, as at a publication, where those of the fill before have come as far as they may. */
  beginGivingUp(): void {
    if (!this.#isGivingUp) this.published();
  }

  /** Notes and answers whether they have further to go. */
  isGivingUp(isGivingUp: boolean): boolean {
    this.#isGivingUp = isGivingUp;
    return isGivingUp;
  }

  /** Looks at so many places and gives up to `wanted` entries up, none with a version that is not below `least`. */
  sweep(
    kind: EntryKind,
    places: number,
    { wanted, least }: { readonly wanted: number; readonly least: number },
  ): Evicted {
    const { count, below, passed } = this.#hands.get(kind)!.sweep(places, wanted, least);
    this.#count += count;
    this.#below = Math.max(this.#below, below);
    return { count, passed };
  }
}

function handsOf(table: Table): ReadonlyMap<EntryKind, ClockHand> {
  return new Map(KINDS.map((kind) => [kind, new ClockHand(table, kind)]));
}
