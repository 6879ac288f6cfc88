// Gives up the entries of an incomplete table that were neither read nor written for longest: a hand goes round the places,
// takes the mark off an entry that has one and gives up an entry that has none (CLOCK). Runs on the publisher.
//
// The hand goes backward, so it knows the entries behind the place that it is at: a tombstone is needed only where one of
// them lies away from a place of its own that is not behind it. Elsewhere the place is empty again, and searches stay short.
import { LIMITS } from '../../limits.js';
import type { EntryKind } from './entry-writer.js';
import { EMPTY, TOMBSTONE } from './key-hash.js';
import { ENTRY, HEADER, MARK } from './layout.js';
import type { Table } from './table.js';

/**
 * Share of the way round that a hand goes between two publications: what is read or filled for a publication has its mark,
 * and is still there when that comes, as only a hand that comes by twice gives it up.
 */
const ALLOWED_SHARE = 0.5;

/** What a sweep has come to. */
export interface Swept {
  /** Entries given up. */
  readonly count: number;
  /** Above the versions of all entries that were ever given up. */
  readonly below: number;
  /** Places that the hand has passed. */
  readonly passed: number;
}

/** The hand of one kind of entries, and one table. */
export class ClockHand {
  readonly #table: Table;
  readonly #kind: EntryKind;
  readonly #mask: number;
  #place = 0;
  /** Places that it may still pass before the next publication: none in a new table, whose marks may be older. */
  #allowed = 0;
  /** Own place that is least among those of the entries behind the hand, counted on beyond the end of the table. */
  #leastOwn = 0;

  constructor(table: Table, kind: EntryKind) {
    this.#table = table;
    this.#kind = kind;
    this.#mask = kind.maskOf(table);
  }

  /** Nothing that is held is about to be published. */
  published(): void {
    this.#allowed = Math.ceil((this.#mask + 1) * ALLOWED_SHARE);
  }

  /** Looks at so many places, as far as it may, and gives up to `wanted` entries up, none with a version that is not below `least`. */
  sweep(places: number, wanted: number, least: number): Swept {
    this.#lookBehind();
    const allowed = this.#allowed;
    let count = 0;
    let below = 0;
    for (let left = Math.min(places, allowed); left > 0 && count < wanted; left--) {
      const entry = this.#entryAt(this.#place);
      const version = this.#table.words[entry + ENTRY.version]!;
      if (this.#isGivenUp(entry, version, least)) {
        count++;
        below = Math.max(below, version + 1);
        this.#raiseReclaimed(version + 1);
        Atomics.store(this.#table.words, entry + ENTRY.tag, TOMBSTONE);
      }
      this.#allowed--;
      this.#pass(entry);
    }
    return { count, below, passed: allowed - this.#allowed };
  }

  /** Takes the mark off where there is one. */
  #isGivenUp(entry: number, version: number, least: number): boolean {
    const { words } = this.#table;
    const tag = words[entry + ENTRY.tag]!;
    if (tag === EMPTY || tag === TOMBSTONE) return false;
    if (words[entry + ENTRY.link]! >= 0) return version < least;
    Atomics.and(words, entry + ENTRY.link, ~MARK);
    return false;
  }

  /** Readers of the versions that may have needed an entry are told before it is gone. */
  #raiseReclaimed(version: number): void {
    const { words } = this.#table;
    if (words[HEADER.reclaimed]! < version) Atomics.store(words, HEADER.reclaimed, version);
  }

  /** Empties a place that no search has to go on behind, and goes to the next one. */
  #pass(entry: number): void {
    const { words } = this.#table;
    const tag = words[entry + ENTRY.tag]!;
    if (tag === TOMBSTONE && this.#leastOwn > this.#place) Atomics.store(words, entry + ENTRY.tag, EMPTY);
    if (tag !== EMPTY && tag !== TOMBSTONE) this.#leastOwn = Math.min(this.#leastOwn, this.#ownOf(this.#place, tag));
    this.#place--;
    if (this.#place >= 0) return;
    this.#place = this.#mask;
    this.#leastOwn += this.#mask + 1;
  }

  /** Entries may have been added behind the hand since the last sweep. */
  #lookBehind(): void {
    this.#leastOwn = Infinity;
    const last = this.#place + Math.min(LIMITS.tableProbesMax, this.#mask);
    for (let place = this.#place + 1; place <= last; place++) {
      const tag = this.#table.words[this.#entryAt(place & this.#mask) + ENTRY.tag]!;
      if (tag !== EMPTY && tag !== TOMBSTONE) this.#leastOwn = Math.min(this.#leastOwn, this.#ownOf(place, tag));
    }
  }

  /** Where the search for an entry at this place begins. */
  #ownOf(place: number, tag: number): number {
    return place - ((place - tag) & this.#mask);
  }

  #entryAt(place: number): number {
    return this.#table.regions[this.#kind.name] + place * this.#kind.words;
  }
}
