// Evicts entries from an incomplete table with clock hands (CLOCK algorithm), and counts them.
import { ClockHand, type SweepResult } from './clock-hand.js';
import { ACCOUNT_ENTRIES, SLOT_ENTRIES, type EntryLayout } from '../write/entry-writer.js';
import { TABLE_HEADER } from '../layout/table-layout.js';
import type { Table } from '../layout/table.js';

/** The kinds of entries, accounts and slots. Each has a clock hand of its own. */
export const EVICTED_KINDS = [ACCOUNT_ENTRIES, SLOT_ENTRIES] as const;

/** The clock hands of the current table, and totals that include the tables before it. */
export class Eviction {
  #hands: Readonly<Record<EntryLayout['name'], ClockHand>>;
  #count = 0;
  #below: number;

  constructor(table: Table) {
    this.#hands = handsOf(table);
    this.#below = Math.max(table.words[TABLE_HEADER.reclaimed]!, table.words[TABLE_HEADER.floor]!);
  }

  /** Number of entries evicted so far. */
  get count(): number {
    return this.#count;
  }

  /** A version number that is higher than the state version of any evicted entry. */
  get below(): number {
    return this.#below;
  }

  /** Continues with `table`, which is a copy of the current table. */
  use(table: Table): void {
    this.#hands = handsOf(table);
  }

  /**
   * Called when no publication is being prepared, so that no entry must stay. Allows the clock hands to move on.
   */
  published(): void {
    for (const hand of Object.values(this.#hands)) hand.published();
  }

  /**
   * Moves the clock hand for one kind of entry over at most `buckets` buckets, and evicts up to `wanted` entries whose
   * state version is below `least`.
   */
  sweep(kind: EntryLayout, buckets: number, wanted: number, least: number): SweepResult {
    const swept = this.#hands[kind.name].sweep(buckets, wanted, least);
    this.#count += swept.count;
    this.#below = Math.max(this.#below, swept.below);
    return swept;
  }
}

function handsOf(table: Table): Readonly<Record<EntryLayout['name'], ClockHand>> {
  return { accounts: new ClockHand(table, ACCOUNT_ENTRIES), slots: new ClockHand(table, SLOT_ENTRIES) };
}
