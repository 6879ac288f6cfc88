// Gives up the entries of an incomplete table that were neither read nor written for longest: a hand goes round the places,
// takes the mark off an entry that has one and gives up an entry that has none (CLOCK). Runs on the publisher.
//
// It goes from block to block of places in an order that scatters them over the table: what is behind the hand is emptier than
// what is before it, and a long stretch before it would fill up until keys find no place near their own.
//
// An entry that is given up leaves a tombstone where a search may have to go on behind it: where one of the entries up to the
// next empty place lies away from a place of its own that is not behind it. Elsewhere the place is empty again, and searches
// stay short.

// Decision (2026-11, two cores): Least recently used by a mark, not by an order. A reader stores nothing when the mark
// is there. Price: what goes is old, not the oldest.
import { LIMITS } from '../../../limits/index.js';
import type { EntryKind } from '../write/entry-writer.js';
import { EMPTY, TOMBSTONE } from '../layout/key-hash.js';
import { ENTRY, HEADER, MARK } from '../layout/layout.js';
import type { Table } from '../layout/table.js';

/**
 * Share of the way round that a hand goes between two publications: what is read or filled for a publication has its mark,
 * and is still there when that comes, as only a hand that comes by twice gives it up.
 */
const ALLOWED_SHARE = 0.5;

/** Places of a block: some lines of memory, which are read one behind the other. A power of two. */
const BLOCK_PLACES = 8;
/** Share of the blocks from one block to the next: multiples of the golden ratio lie evenly however many there are (Weyl). */
const STRIDE_SHARE = (Math.sqrt(5) - 1) / 2;

/** Outcome of a sweep. */
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
  /** Of a place within its block. */
  readonly #blockMask: number;
  /** Places from the first one of a block to that of the next; odd in blocks, so the hand comes to all of them. */
  readonly #stride: number;
  #place: number;
  /** Places that it may still pass before the next publication: none in a new table, whose marks may be older. */
  #allowed = 0;

  constructor(table: Table, kind: EntryKind) {
    this.#table = table;
    this.#kind = kind;
    this.#mask = kind.maskOf(table);
    this.#blockMask = Math.min(this.#mask, BLOCK_PLACES - 1);
    this.#stride = (Math.round(((this.#mask + 1) / BLOCK_PLACES) * STRIDE_SHARE) | 1) * (this.#blockMask + 1);
    this.#place = this.#blockMask;
  }

  /** Nothing that is held is about to be published. */
  published(): void {
    this.#allowed = Math.ceil((this.#mask + 1) * ALLOWED_SHARE);
  }

  /** Looks at so many places, as far as it may, and gives up to `wanted` entries up, none with a version that is not below `least`. */
  sweep(places: number, wanted: number, least: number): Swept {
    const before = this.#allowed;
    let count = 0;
    let below = 0;
    for (let left = Math.min(places, before); left > 0 && count < wanted; left--) {
      const entry = this.#entryAt(this.#place);
      const version = this.#table.words[entry + ENTRY.version]!;
      if (this.#isGivenUp(entry, version, least)) {
        count++;
        below = Math.max(below, version + 1);
        this.#raiseReclaimed(version + 1);
        Atomics.store(this.#table.words, entry + ENTRY.tag, TOMBSTONE);
      }
      this.#clean(this.#place);
      this.#allowed--;
      this.#pass();
    }
    return { count, below, passed: before - this.#allowed };
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

  /** Backward within a block: a place that is emptied lets those before it be emptied, too. */
  #pass(): void {
    if ((this.#place & this.#blockMask) !== 0) this.#place--;
    else this.#place = ((this.#place + this.#stride) & this.#mask) + this.#blockMask;
  }

  /** Empties a tombstone, and those right before it, where no search has to go on behind. */
  #clean(place: number): void {
    if (this.#tagAt(place) !== TOMBSTONE) return;
    const least = this.#leastOwnBehind(place);
    for (let at = place; at < least && this.#tagAt(at) === TOMBSTONE; at--)
      Atomics.store(this.#table.words, this.#entryAt(at) + ENTRY.tag, EMPTY);
  }

  /** Own place that is least among those of the entries behind a place up to an empty one; places are counted on at the end. */
  #leastOwnBehind(place: number): number {
    let least = Infinity;
    const last = place + Math.min(LIMITS.tableProbesMax, this.#mask);
    for (let at = place + 1; at <= last; at++) {
      const tag = this.#tagAt(at);
      if (tag === EMPTY) break;
      if (tag !== TOMBSTONE) least = Math.min(least, this.#ownOf(at, tag));
    }
    return least;
  }

  /** The place at which the search for an entry at this place begins. */
  #ownOf(place: number, tag: number): number {
    return place - ((place - tag) & this.#mask);
  }

  #tagAt(place: number): number {
    return this.#table.words[this.#entryAt(place) + ENTRY.tag]!;
  }

  #entryAt(place: number): number {
    return this.#table.regions[this.#kind.name] + (place & this.#mask) * this.#kind.words;
  }
}
