// Copies the shared state table step by step while it is in use. A copy is made to get a larger table, to use another
// hash key, to drop unused codes, or to leave out what a writer that died has not completed. The copy has the same
// state versions and older values, and entries refer to older values by the same ordinals.
//
// Older values, the high halves of large balances, and codes never change, so each is copied once. Entries are copied
// bucket by bucket; an entry that is written after it was copied is copied again. From an incomplete table, a code is
// copied with the first account that refers to it, so codes without accounts are dropped. From a complete table, all
// codes are copied, because a publication may refer to any of them. Steps run between publications, when every entry is
// complete, and no reader uses the target before `finish`. If the hash key stays the same, entries have the same order
// in source and target, so the copy accesses both sequentially.

// The table is copied in time slices, not at once. See DECISIONS.md.
import { LIMITS } from '../../../limits/index.js';
import { CodeCopy } from './code-copy.js';
import {
  ACCOUNT_ENTRIES,
  SLOT_ENTRIES,
  insertEntry,
  type EntryChange,
  type EntryLayout,
} from '../write/entry-writer.js';
import { EMPTY_BUCKET_TAG, TOMBSTONE_TAG } from '../layout/key-hash.js';
import {
  ACCOUNT_PAYLOAD,
  BLOCK_RECORD,
  BLOCK_RING_RECORDS,
  CAPACITY_NAMES,
  ENTRY_FIELDS,
  BALANCE_HIGH_HALF_WORDS,
  TABLE_HEADER,
  CLOCK_MARK_BIT,
  NONEXISTENT_ACCOUNT_CODE_ID,
  OLDER_VALUE_RECORD,
  RECORD_ORDINAL_MASK,
  PAYLOAD_WORDS,
  VERSION_RECORD_FIELDS,
  type Capacities,
} from '../layout/table-layout.js';
import { createTable, nextOrdinal, olderValueAt, type Table } from '../layout/table.js';

/**
 * The copy should be complete when this share of the old table's free space has been used. The rest is for bursts of
 * writes.
 */
const CAPACITY_SHARE = 2 / 3;

/** Number of accounts and of slots in a table. */
export interface TableEntryCounts {
  accounts: number;
  slots: number;
}

/**
 * Copies one table once. The cost of copying is counted in units: one for an entry, an older-value record, or the high
 * half of a balance. A code costs as many units as older-value records of its size.
 */
export class TableCopy {
  /** The table that is being filled. */
  readonly target: Table;
  /** Number of accounts and of slots in the target. */
  readonly used: TableEntryCounts = { accounts: 0, slots: 0 };
  readonly #source: Table;
  /** The free space in each region of the source at the start of the copy, and how much there was to copy. */
  readonly #freeAtStart: Capacities;
  readonly #leftAtStart: number;
  readonly #entries: Readonly<Record<EntryLayout['name'], EntryProgress>>;
  readonly #codes: CodeCopy;
  readonly #change: EntryChange = { key: new Uint32Array(13), payload: new Int32Array(PAYLOAD_WORDS) };
  #nextOlder: number;
  #nextHalf = 1;
  /**
   * Number of units of work (e.g. entries) that the current step may still copy; negative if the last contract code was
   * larger than that.
   */
  #left = 0;
  copied = 0;

  /** `free` is the free space in each region of the source. */
  constructor(source: Table, capacities: Capacities, hashKey: Int32Array, free: Capacities) {
    const generation = source.words[TABLE_HEADER.generation]! + 1;
    this.target = createTable({ capacities, generation, isComplete: source.isComplete, hashKey });
    this.#source = source;
    this.#entries = {
      accounts: new EntryProgress(source, ACCOUNT_ENTRIES),
      slots: new EntryProgress(source, SLOT_ENTRIES),
    };
    this.#codes = new CodeCopy(source, this.target);
    this.#nextOlder = source.words[TABLE_HEADER.olderTail]!;
    this.#freeAtStart = free;
    this.#leftAtStart = this.left;
  }

  /** Number of units of work that are still to be copied. */
  get left(): number {
    const { words } = this.#source;
    const { accounts, slots } = this.#entries;
    const older = (words[TABLE_HEADER.olderHead]! - this.#nextOlder) & RECORD_ORDINAL_MASK;
    const halves = words[TABLE_HEADER.halves]! - this.#nextHalf + 1;
    return accounts.left + slots.left + older + halves + this.#codes.left;
  }

  /**
   * Returns by how many units of work the copy is behind schedule, given the free space now. By the schedule, it is
   * complete before the source is full.
   */
  behind(free: Capacities): number {
    const used = CAPACITY_NAMES.map((name) => {
      const atStart = this.#freeAtStart[name];
      return atStart > 0 ? 1 - free[name] / atStart : 0;
    });
    const mayBeLeft = this.#leftAtStart * Math.max(0, 1 - Math.max(...used) / CAPACITY_SHARE);
    return Math.ceil(this.left - mayBeLeft);
  }

  /** Must be called for every entry of the source table that is written during the copy. */
  note({ name }: EntryLayout, entry: number): void {
    const progress = this.#entries[name];
    if (entry < progress.next) progress.dirty.add(entry);
  }

  /**
   * Copies entries, older-value records, high halves of balances and codes until `buckets` units of work are done.
   * Returns true if everything is copied, so that `finish` can be called. May only be called between two publications.
   */
  step(buckets: number): boolean {
    const { accounts, slots } = this.#entries;
    this.#left = buckets;
    this.#copyEntriesAgain(accounts);
    this.#copyEntriesAgain(slots);
    this.#copyOlder();
    this.#copyHalves();
    this.#copyCodes();
    this.#copyEntries(accounts);
    this.#copyEntries(slots);
    this.copied += buckets - this.#left;
    return this.left === 0;
  }

  /**
   * Completes the target table. It then reads the same as the source for every state version that the source retains.
   */
  finish(): void {
    const [from, to] = [this.#source.words, this.target.words];
    for (const name of CARRIED) to[TABLE_HEADER[name]] = from[TABLE_HEADER[name]]!;
    // What only state versions below the floor need was not copied, so these versions may lack values.
    to[TABLE_HEADER.reclaimed] = from[TABLE_HEADER.floor]!;
    this.#copyRing('versions', LIMITS.versionsKeptMax * VERSION_RECORD_FIELDS.words);
    this.#copyRing('blocks', BLOCK_RING_RECORDS * BLOCK_RECORD.words);
    Atomics.store(to, TABLE_HEADER.newest, from[TABLE_HEADER.newest]!);
  }

  #copyRing(name: 'versions' | 'blocks', length: number): void {
    const from = this.#source.regions[name];
    this.target.words.set(this.#source.words.subarray(from, from + length), this.target.regions[name]);
  }

  #copyOlder(): void {
    const { words } = this.#source;
    const [head, tail] = [words[TABLE_HEADER.olderHead]!, words[TABLE_HEADER.olderTail]!];
    // Skips records that were freed since the last step.
    if (((head - this.#nextOlder) & RECORD_ORDINAL_MASK) > ((head - tail) & RECORD_ORDINAL_MASK))
      this.#nextOlder = tail;
    for (; this.#nextOlder !== head && this.#left > 0; this.#left--) {
      const from = olderValueAt(this.#source, this.#nextOlder);
      const to = olderValueAt(this.target, this.#nextOlder);
      this.target.words.set(words.subarray(from, from + OLDER_VALUE_RECORD.words), to);
      if (words[from + OLDER_VALUE_RECORD.account] === 1)
        this.#left -= this.#codes.renumber(this.target.words, to + OLDER_VALUE_RECORD.payload);
      this.#nextOlder = nextOrdinal(this.#nextOlder);
    }
  }

  #copyHalves(): void {
    const count = this.#source.words[TABLE_HEADER.halves]!;
    for (; this.#nextHalf <= count && this.#left > 0; this.#left--) {
      const from = this.#source.regions.halves + this.#nextHalf * BALANCE_HIGH_HALF_WORDS;
      const to = this.target.regions.halves + this.#nextHalf * BALANCE_HIGH_HALF_WORDS;
      for (let i = 0; i < BALANCE_HIGH_HALF_WORDS; i++) this.target.words[to + i] = this.#source.words[from + i]!;
      this.#nextHalf++;
    }
  }

  #copyCodes(): void {
    while (this.#codes.left > 0 && this.#left > 0) this.#left -= this.#codes.copyNext();
  }

  #copyEntriesAgain({ kind, dirty }: EntryProgress): void {
    for (const entry of dirty) {
      if (this.#left-- <= 0) return;
      dirty.delete(entry);
      this.#copyEntry(kind, entry);
    }
  }

  #copyEntries(progress: EntryProgress): void {
    const { kind, end } = progress;
    for (; progress.next < end && this.#left > 0; this.#left--) {
      this.#copyEntry(kind, progress.next);
      progress.next += kind.words;
    }
  }

  /**
   * Copies one entry. If the target already contains its key, overwrites that entry: the key was copied before, perhaps
   * from another bucket of the source.
   */
  #copyEntry(kind: EntryLayout, entry: number): void {
    const tag = this.#source.words[entry + ENTRY_FIELDS.tag]!;
    if (tag === EMPTY_BUCKET_TAG || tag === TOMBSTONE_TAG) return;
    const change = this.#change;
    const from = published(this.#source, entry, entry + kind.payload);
    if (from === null) return;
    load(this.#source.words, entry + ENTRY_FIELDS.address, change.key, kind.keyWords);
    load(this.#source.words, from.payload, change.payload, PAYLOAD_WORDS);
    if (kind.name === 'accounts') this.#left -= this.#codes.renumber(change.payload, 0);
    const there = kind.find(this.target, change.key);
    if (there !== 0) {
      const { words } = this.target;
      words[there + ENTRY_FIELDS.version] = from.version;
      words[there + ENTRY_FIELDS.link] = from.link;
      words.set(change.payload, there + kind.payload);
      return;
    }
    if (this.#source.isComplete && (from.link & RECORD_ORDINAL_MASK) === 0 && isAbsent(change, kind)) return;
    insertEntry(this.target, kind, change, from.version, from.link);
    this.used[kind.name]++;
  }
}

const CARRIED = [
  'floor',
  'olderHead',
  'olderTail',
  'halves',
  'blocks',
  'stalls',
  'rebuilds',
  'sliceUsMax',
  'sliceBucketsMax',
] as const;

function load(words: Int32Array, at: number, out: Int32Array | Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) out[i] = words[at + i]!;
}

interface Origin {
  readonly version: number;
  /** The entry's link to its older value, including CLOCK_MARK_BIT. */
  readonly link: number;
  /** Position of the first word of the entry's value in the source table. */
  readonly payload: number;
}

/** Returns the location of an entry's newest published payload; `null` if no value of the entry was published. */
function published(source: Table, entry: number, inline: number): Origin | null {
  const { words } = source;
  const version = words[entry + ENTRY_FIELDS.version]!;
  const link = words[entry + ENTRY_FIELDS.link]!;
  const record = olderValueAt(source, link & RECORD_ORDINAL_MASK);
  const mark = link & CLOCK_MARK_BIT;
  if (version > words[TABLE_HEADER.newest]!) {
    return link === mark ? null : origin(source, record, record + OLDER_VALUE_RECORD.payload, mark);
  }
  // A writer may have died after it had updated the entry's link, but not its version. The linked record then is a copy
  // of the entry itself, with the same version and value, so the record's link is used instead.
  const isHalfDone = link !== mark && words[record + OLDER_VALUE_RECORD.version] === version;
  return isHalfDone ? origin(source, record, inline, mark) : origin(source, entry, inline, mark);
}

/**
 * Describes the value to copy. `at` is the entry or older-value record with its version and link. The link is dropped
 * if no retained state version can read older values.
 */
function origin({ words }: Table, at: number, payload: number, mark: number): Origin {
  const version = words[at + ENTRY_FIELDS.version]!;
  const link = version <= words[TABLE_HEADER.floor]! ? 0 : words[at + ENTRY_FIELDS.link]! & RECORD_ORDINAL_MASK;
  return { version, link: link | mark, payload };
}

function isAbsent({ payload }: EntryChange, { name }: EntryLayout): boolean {
  if (name === 'accounts') return payload[ACCOUNT_PAYLOAD.code] === NONEXISTENT_ACCOUNT_CODE_ID;
  return payload.every((word) => word === 0);
}

/** How far the entries of one kind have been copied. */
class EntryProgress {
  readonly kind: EntryLayout;
  /** The first word of the next entry to be copied, and the word after the last entry. */
  next: number;
  readonly end: number;
  /** Entries before `next` that were written after they were copied, so that they must be copied again. */
  readonly dirty = new Set<number>();

  constructor(source: Table, kind: EntryLayout) {
    this.kind = kind;
    this.next = source.regions[kind.name];
    this.end = this.next + source.capacities[kind.name] * kind.words;
  }

  get left(): number {
    return (this.end - this.next) / this.kind.words + this.dirty.size;
  }
}
