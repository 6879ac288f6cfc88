// Evicts entries of an incomplete table that were not used recently, by the CLOCK algorithm: a hand passes over the
// buckets again and again. Every access to an entry sets a mark. The hand clears the mark of a marked entry, and evicts
// an entry without a mark.
//
// The hand passes over the buckets in groups, in an order that scatters the groups over the table. Buckets that it has
// just passed are emptier than those that it has not reached yet. If the latter were one contiguous part of the table,
// that part would fill up until keys find no free bucket near their home bucket (where a search for them starts).
//
// An evicted entry leaves a tombstone if a search may have to continue past its bucket. That is so if one of the
// entries between this bucket and the next empty one has this bucket, or an earlier one, as its home bucket. Otherwise
// the bucket becomes empty again, so that searches stay short.

// Recent use is recorded by one mark bit per entry, not by an ordered list. See DECISIONS.md.
import { LIMITS } from '../../../limits/index.js';
import type { EntryLayout } from '../write/entry-writer.js';
import { EMPTY_BUCKET_TAG, TOMBSTONE_TAG } from '../layout/key-hash.js';
import { ENTRY_FIELDS, TABLE_HEADER, CLOCK_MARK_BIT } from '../layout/table-layout.js';
import type { Table } from '../layout/table.js';

/**
 * Share of all buckets that the clock hand may pass between two publications. It passes no entry twice in that time. So
 * an entry that was read or fetched for a publication, and is therefore marked, is still there at the publication.
 */
const ALLOWED_SHARE = 0.5;

/** Number of buckets in a group, a power of two. A group is a few cache lines that are read one after the other. */
const BLOCK_BUCKETS = 8;
/**
 * Distance from one group of buckets to the one that the clock hand visits next, as a share of the table. It is the
 * golden ratio, because multiples of it, modulo 1, are spread evenly (Weyl).
 */
const STRIDE_SHARE = (Math.sqrt(5) - 1) / 2;

export interface SweepResult {
  /** Number of evicted entries. */
  readonly count: number;
  /** A version number above the state versions of all evicted entries; 0 if none was evicted. */
  readonly below: number;
  /** Number of buckets that the clock hand has passed. */
  readonly passed: number;
}

/** The clock hand for the accounts or the slots of one table. */
export class ClockHand {
  readonly #table: Table;
  readonly #kind: EntryLayout;
  readonly #mask: number;
  /** Mask that gives the index of a bucket within its group. */
  readonly #blockMask: number;
  /**
   * Number of buckets from one group to the next. It is an odd number of groups, while their total is a power of two.
   * So the clock hand visits every group.
   */
  readonly #stride: number;
  #bucket: number;
  /**
   * Number of buckets that the clock hand may still pass before the next publication. In a new table it is 0 until the
   * first publication, because marks that were copied may be outdated.
   */
  #allowed = 0;

  constructor(table: Table, kind: EntryLayout) {
    this.#table = table;
    this.#kind = kind;
    this.#mask = kind.maskOf(table);
    this.#blockMask = Math.min(this.#mask, BLOCK_BUCKETS - 1);
    this.#stride = (Math.round(((this.#mask + 1) / BLOCK_BUCKETS) * STRIDE_SHARE) | 1) * (this.#blockMask + 1);
    this.#bucket = this.#blockMask;
  }

  /**
   * Called when no publication is being prepared, so that no entry must stay. Allows the clock hand to move on.
   */
  published(): void {
    this.#allowed = Math.ceil((this.#mask + 1) * ALLOWED_SHARE);
  }

  /**
   * Moves the hand over at most `buckets` buckets, and evicts up to `wanted` entries whose state version is below
   * `least`.
   */
  sweep(buckets: number, wanted: number, least: number): SweepResult {
    const before = this.#allowed;
    let count = 0;
    let below = 0;
    for (let left = Math.min(buckets, before); left > 0 && count < wanted; left--) {
      const entry = this.#entryAt(this.#bucket);
      const version = this.#table.words[entry + ENTRY_FIELDS.version]!;
      if (this.#isEvictable(entry, version, least)) {
        count++;
        below = Math.max(below, version + 1);
        this.#raiseReclaimed(version + 1);
        Atomics.store(this.#table.words, entry + ENTRY_FIELDS.tag, TOMBSTONE_TAG);
      }
      this.#clean(this.#bucket);
      this.#allowed--;
      this.#pass();
    }
    return { count, below, passed: before - this.#allowed };
  }

  /** Returns true if the entry can be evicted. If its mark is set, clears it and returns false. */
  #isEvictable(entry: number, version: number, least: number): boolean {
    const { words } = this.#table;
    const tag = words[entry + ENTRY_FIELDS.tag]!;
    if (tag === EMPTY_BUCKET_TAG || tag === TOMBSTONE_TAG) return false;
    if (words[entry + ENTRY_FIELDS.link]! >= 0) return version < least;
    Atomics.and(words, entry + ENTRY_FIELDS.link, ~CLOCK_MARK_BIT);
    return false;
  }

  /** Called before an entry is removed. Tells readers that state versions below this one may lack a value. */
  #raiseReclaimed(version: number): void {
    const { words } = this.#table;
    if (words[TABLE_HEADER.reclaimed]! < version) Atomics.store(words, TABLE_HEADER.reclaimed, version);
  }

  /**
   * Moves the clock hand to the next bucket. Within a group of BLOCK_BUCKETS it goes backwards, because a tombstone can
   * become an empty bucket once the bucket after it is empty.
   */
  #pass(): void {
    if ((this.#bucket & this.#blockMask) !== 0) this.#bucket--;
    else this.#bucket = ((this.#bucket + this.#stride) & this.#mask) + this.#blockMask;
  }

  /**
   * Turns the tombstone in this bucket, and tombstones right before it, into empty buckets, if no search has to
   * continue past them.
   */
  #clean(bucket: number): void {
    if (this.#tagAt(bucket) !== TOMBSTONE_TAG) return;
    const least = this.#leastOwnBehind(bucket);
    for (let at = bucket; at < least && this.#tagAt(at) === TOMBSTONE_TAG; at--)
      Atomics.store(this.#table.words, this.#entryAt(at) + ENTRY_FIELDS.tag, EMPTY_BUCKET_TAG);
  }

  /**
   * Returns the lowest home bucket of the entries between `bucket` and the next empty bucket. Indices continue past the
   * end of the table instead of wrapping around.
   */
  #leastOwnBehind(bucket: number): number {
    let least = Infinity;
    const last = bucket + Math.min(LIMITS.tableProbesMax, this.#mask);
    for (let at = bucket + 1; at <= last; at++) {
      const tag = this.#tagAt(at);
      if (tag === EMPTY_BUCKET_TAG) break;
      if (tag !== TOMBSTONE_TAG) least = Math.min(least, this.#ownOf(at, tag));
    }
    return least;
  }

  /** Returns the home bucket of the entry in this bucket, which is where a search for it starts. */
  #ownOf(bucket: number, tag: number): number {
    return bucket - ((bucket - tag) & this.#mask);
  }

  #tagAt(bucket: number): number {
    return this.#table.words[this.#entryAt(bucket) + ENTRY_FIELDS.tag]!;
  }

  #entryAt(bucket: number): number {
    return this.#table.regions[this.#kind.name] + (bucket & this.#mask) * this.#kind.words;
  }
}
