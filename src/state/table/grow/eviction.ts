// Evictions from an incomplete table: the clock hands, and how many entries they have evicted.
import { ClockHand } from './clock-hand.js';
import { ACCOUNTS, SLOTS, type EntryKind } from '../write/entry-writer.js';
import { HEADER } from '../layout/layout.js';
import type { Table } from '../layout/table.js';

/** Outcome of a sweep: entries evicted and buckets passed. */
export interface Evicted {
  readonly count: number;
  readonly passed: number;
}

/** The kinds of entries, each with its own hand. */
export const EVICTED_KINDS = [ACCOUNTS, SLOTS] as const;

/** The hands of the table in use, and the totals of all hands before them. */
export class Eviction {
  #hands: ReadonlyMap<EntryKind, ClockHand>;
  #count = 0;
  #below: number;
  /** The hands are making space for a fetch that did not fit. */
  #isGivingUp = false;

  constructor(table: Table) {
    this.#hands = handsOf(table);
    this.#below = Math.max(table.words[HEADER.reclaimed]!, table.words[HEADER.floor]!);
  }

  /** Entries evicted. */
  get count(): number {
    return this.#count;
  }

  /** Above the versions of all of them. */
  get below(): number {
    return this.#below;
  }

  /** Continues with another table, a copy of the one before. */
  use(table: Table): void {
    this.#hands = handsOf(table);
  }

  /** Nothing resident is about to be published: the hands may move on. */
  published(): void {
    for (const hand of this.#hands.values()) hand.published();
  }

  /** Lets the hands move on, as at a publication, unless they are still moving for the fetch before. */
  startEviction(): void {
    if (!this.#isGivingUp) this.published();
  }

  /** Records and returns whether they may move further. */
  isGivingUp(isGivingUp: boolean): boolean {
    this.#isGivingUp = isGivingUp;
    return isGivingUp;
  }

  /** Visits at most `buckets` buckets and evicts up to `wanted` entries whose version is below `least`. */
  sweep(
    kind: EntryKind,
    buckets: number,
    { wanted, least }: { readonly wanted: number; readonly least: number },
  ): Evicted {
    const { count, below, passed } = this.#hands.get(kind)!.sweep(buckets, wanted, least);
    this.#count += count;
    this.#below = Math.max(this.#below, below);
    return { count, passed };
  }
}

function handsOf(table: Table): ReadonlyMap<EntryKind, ClockHand> {
  return new Map(EVICTED_KINDS.map((kind) => [kind, new ClockHand(table, kind)]));
}
