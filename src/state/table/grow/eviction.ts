// Evicts entries from an incomplete table by clock hands, and counts them.
import { ClockHand } from './clock-hand.js';
import { ACCOUNT_KIND, SLOT_KIND, type EntryKind } from '../write/entry-writer.js';
import { TABLE_HEADER } from '../layout/layout.js';
import type { Table } from '../layout/table.js';

/** The outcome of a sweep: how many entries were evicted and how many buckets were passed. */
export interface EvictionSweep {
  readonly count: number;
  readonly passed: number;
}

/** The kinds of entries, each of which has its own hand. */
export const EVICTED_KINDS = [ACCOUNT_KIND, SLOT_KIND] as const;

/** The hands of the current table, and the totals including those of earlier tables. */
export class Eviction {
  #hands: ReadonlyMap<EntryKind, ClockHand>;
  #count = 0;
  #below: number;
  /** True while the hands are making space for fetched state that did not fit. */
  #isGivingUp = false;

  constructor(table: Table) {
    this.#hands = handsOf(table);
    this.#below = Math.max(table.words[TABLE_HEADER.reclaimed]!, table.words[TABLE_HEADER.floor]!);
  }

  /** Number of evicted entries. */
  get count(): number {
    return this.#count;
  }

  /** A version above those of all evicted entries. */
  get below(): number {
    return this.#below;
  }

  /** Continues with another table, which is a copy of the previous one. */
  use(table: Table): void {
    this.#hands = handsOf(table);
  }

  /** Called when no resident entry is about to be published. The hands may then move on. */
  published(): void {
    for (const hand of this.#hands.values()) hand.published();
  }

  /** Lets the hands move on as after a publication, unless they are still moving for an earlier fetch. */
  startEviction(): void {
    if (!this.#isGivingUp) this.published();
  }

  /** Records whether the hands may move further, and returns it. */
  isGivingUp(isGivingUp: boolean): boolean {
    this.#isGivingUp = isGivingUp;
    return isGivingUp;
  }

  /** Visits at most `buckets` buckets and evicts up to `wanted` entries whose version is below `least`. */
  sweep(
    kind: EntryKind,
    buckets: number,
    { wanted, least }: { readonly wanted: number; readonly least: number },
  ): EvictionSweep {
    const { count, below, passed } = this.#hands.get(kind)!.sweep(buckets, wanted, least);
    this.#count += count;
    this.#below = Math.max(this.#below, below);
    return { count, passed };
  }
}

function handsOf(table: Table): ReadonlyMap<EntryKind, ClockHand> {
  return new Map(EVICTED_KINDS.map((kind) => [kind, new ClockHand(table, kind)]));
}
