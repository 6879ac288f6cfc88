// The current table, and what keeps it from filling up: a larger table that is filled next to it in time slices, and
// clock hands that evict entries if memory does not allow a larger table.
import { recordDroppedSharedMemory } from '../../../lib/memory/garbage-collection.js';
import { LIMITS } from '../../../limits/index.js';
import { StartError } from '../../../lib/start-error.js';
import { CodeSpace } from './code-space.js';
import { CopyPace } from './copy-pace.js';
import {
  ProbesExceeded,
  insertEntry,
  probeDistance,
  supersedeEntry,
  type EntryChange,
  type EntryKind,
} from '../write/entry-writer.js';
import { Eviction, EVICTED_KINDS } from './eviction.js';
import { GrowthCounts } from './growth-counts.js';
import { randomHashKey } from '../layout/key-hash.js';
import {
  CAPACITY_NAMES,
  ENTRY_FIELDS,
  TABLE_HEADER,
  EVICTION_LOAD_FACTOR,
  LOAD_FACTOR_MAX,
  CLOCK_MARK_BIT,
  OLDER_VALUE_RECORD,
  type Capacities,
} from '../layout/layout.js';
import { OlderValuesRing } from '../write/older-values-ring.js';
import { tableBytes, nextTableCapacities, type CodeUse } from './capacity.js';
import { TableCopy, type EntryCounts } from './table-copy.js';
import type { Table } from '../layout/table.js';

export interface GrowthOptions {
  /** Bytes of the current table plus the one that is being filled. For a complete table, of the larger one alone. */
  readonly memoryBytesMax: number;
  /** Largest size in bytes of the ring of older values. When it is full, fewer old versions are retained. */
  readonly olderBytesMax: number;
  /** Buckets that are copied, or visited by a hand, in one slice. There are more only if more was written. */
  readonly sliceBuckets: number;
  /** Copies and evicts all the time, whether it is needed or not; for tests. */
  readonly isEager: boolean;
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
  /** Called after each slice with the number of buckets that were copied or visited; for measurements. */
  readonly onSlice: (buckets: number) => void;
}

/** Thrown if complete state exceeds its memory limit. Nothing of it can be evicted, so the program ends. */
export class StateTooLarge extends StartError {
  override readonly name = 'StateTooLarge';

  constructor(bytes: number, bytesMax: number) {
    const [needed, allowed] = [bytes, bytesMax].map((value) => `${Math.ceil(value / 2 ** 20)} MiB`);
    super(`the state needs a table of ${needed}, --state-memory allows ${allowed}`, 1);
  }
}

/** Buckets visited for each key added, enough to find one to evict, and for each written again. */
const BUCKETS_PER_KEY = 16;
const BUCKETS_PER_WRITE = 2;
/** Where entries are sparse, a hand moves at most this many times as far: an empty bucket takes a few ns. */
const SPARSENESS_MAX = 16;
/** A step size with which everything that is left is copied. */
const ALL = Number.MAX_SAFE_INTEGER;

/** What keys added and written since the last slice make due. `isRehash`: a key is too far from home. */
interface Due {
  buckets: number;
  isRehash: boolean;
}

/** The table to which versions are written. `table` changes when a copy replaces it. */
export class GrowingTable {
  readonly #options: GrowthOptions;
  readonly #counts = new GrowthCounts();
  readonly #codes: CodeSpace;
  readonly #eviction: Eviction;
  #table: Table;
  #older: OlderValuesRing;
  #used: EntryCounts = { accounts: 0, slots: 0 };
  #copy: TableCopy | null = null;
  #pace: CopyPace | null = null;
  readonly #due: Due = { buckets: 0, isRehash: false };

  constructor(table: Table, options: GrowthOptions) {
    this.#options = options;
    this.#table = table;
    this.#older = new OlderValuesRing(table);
    this.#codes = new CodeSpace(table);
    this.#eviction = new Eviction(table);
  }

  get table(): Table {
    return this.#table;
  }

  /** The current table's ring of older values. */
  get older(): OlderValuesRing {
    return this.#older;
  }

  /** Numbers of entries. */
  get used(): Readonly<EntryCounts> {
    return this.#used;
  }

  /** A version above those of all evicted entries: what is absent has not changed since then. */
  get evictedBelow(): number {
    return this.#eviction.below;
  }

  write(kind: EntryKind, change: EntryChange, version: number): void {
    const entry = kind.find(this.#table, change.key);
    if (entry === 0) return this.#insert(kind, change, version);
    supersedeEntry(this.#table, this.#older, kind, entry, change, version);
    this.#note(kind, entry, BUCKETS_PER_WRITE);
  }

  /** Adds an absent key at the first version that may read it. For a key that is present, only sets its mark. */
  add(kind: EntryKind, change: EntryChange): void {
    const entry = kind.find(this.#table, change.key);
    if (entry === 0) this.#insert(kind, change, this.#eviction.below);
    else Atomics.or(this.#table.words, entry + ENTRY_FIELDS.link, CLOCK_MARK_BIT);
  }

  /** True if memory allows a table with these capacities to be filled next to this one. */
  allows(wanted: Capacities): boolean {
    const beside = this.#table.isComplete ? 0 : this.#table.buffer.byteLength;
    return tableBytes(wanted) + beside <= this.#options.memoryBytesMax;
  }

  /**
   * Grows before anything else is done, by finishing the current copy, or else to the capacities wanted. If those are
   * too large, unused codes are dropped first. If the state is complete and exceeds its memory, throws StateTooLarge.
   * If it is incomplete, throws another error that ends the thread; the next thread starts with an empty table.
   */
  growNow(wanted: Capacities): void {
    if (this.allows(wanted) || !this.leaveCodes(wanted)) this.#copyNow(wanted);
  }

  /** Drops unused codes at once if there is no space for codes; returns false if none can be dropped. */
  leaveCodes(wanted: CodeUse): boolean {
    if (!this.#codes.canLeave(this.#table, wanted, this.#eviction.count)) return false;
    this.#copyNow(this.#table.capacities);
    return true;
  }

  #copyNow(wanted: Capacities): void {
    this.#counts.stalled();
    if (this.#copy === null) this.#begin(this.#assertSized(wanted), this.#table.hashKey);
    this.#copyAll();
  }

  /** Copies everything that is published at once, and drops what is not. */
  rebuild(wanted: Capacities, hashKey: Int32Array): void {
    this.#counts.rebuilt();
    this.#begin(this.#assertSized(wanted), hashKey);
    this.#copyAll();
  }

  #copyAll(): void {
    while (this.#copy !== null) this.#advance(this.#copy, ALL);
  }

  /** Called when no resident entry is about to be published. The hands may then move on. */
  published(): void {
    this.#eviction.published();
  }

  /** A slice of due copying and evicting, outside of publications. Versions from `least` on are not evicted. */
  tend(least: number): void {
    const startMs = this.#options.now();
    const { sliceBuckets } = this.#options;
    const buckets = Math.max(sliceBuckets, this.#due.buckets);
    this.#due.buckets = 0;
    if (this.#copy === null) this.#beginWhatIsDue();
    const behind = this.#pace?.behind(freeCapacity(this)) ?? 0;
    let done = this.#copy === null ? 0 : this.#advance(this.#copy, Math.max(sliceBuckets, behind));
    for (const kind of EVICTED_KINDS) done += this.#sweep(kind, buckets, least);
    this.#counts.slice(this.#options.now() - startMs, done);
    this.#options.onSlice(done);
    this.#writeCounts();
  }

  /** Does a slice of eviction as far as the hands may move; returns whether they may move further. */
  giveUp(least: number): boolean {
    this.#eviction.startEviction();
    const passed = EVICTED_KINDS.map((kind) => this.#sweep(kind, this.#options.sliceBuckets, least));
    this.#writeCounts();
    return this.#eviction.isGivingUp(passed.some((buckets) => buckets > 0));
  }

  /** Published code may force an incomplete table beyond its memory limit if its accounts cannot be evicted. */
  #assertSized(wanted: Capacities): Capacities {
    const { memoryBytesMax } = this.#options;
    const bytes = tableBytes(wanted);
    if (bytes <= memoryBytesMax || bytes <= this.#table.buffer.byteLength) return wanted;
    if (this.#table.isComplete) throw new StateTooLarge(bytes, memoryBytesMax);
    throw new Error(`a table of ${bytes} bytes is more than --state-memory: the state has to begin anew`);
  }

  #insert(kind: EntryKind, change: EntryChange, version: number): void {
    const entry = insertEntry(this.#table, kind, change, version, CLOCK_MARK_BIT);
    this.#used[kind.name]++;
    this.#due.isRehash ||= probeDistance(this.#table, kind, entry) > LIMITS.tableProbesHigh;
    this.#note(kind, entry, BUCKETS_PER_KEY);
  }

  #note(kind: EntryKind, entry: number, buckets: number): void {
    this.#due.buckets += buckets;
    this.#copy?.note(kind, entry);
  }

  #begin(wanted: Capacities, hashKey: Int32Array): void {
    this.#copy = new TableCopy(this.#table, wanted, hashKey);
    this.#pace = new CopyPace(this.#copy, freeCapacity(this));
  }

  #beginWhatIsDue(): void {
    const { olderBytesMax, isEager } = this.#options;
    const { capacities, hashKey } = this.#table;
    const mayRingGrow = capacities.older * 2 * OLDER_VALUE_RECORD.words * 4 <= olderBytesMax;
    const usage = { used: this.#used, older: mayRingGrow ? this.#older.used : 0 };
    const larger = nextTableCapacities(this.#table, usage, (choice) => this.allows(choice));
    const wanted = larger ?? capacities;
    const isRehash = this.#due.isRehash && this.allows(wanted);
    if (larger === null && !isRehash && !isEager && !this.#mayLeaveCodes()) return;
    this.#begin(wanted, isRehash ? randomHashKey() : hashKey);
  }

  /** True if a copy that only drops codes is worth it. If there is no memory for one, accounts are evicted instead. */
  #mayLeaveCodes(): boolean {
    if (!this.#codes.isDue(this.#table)) return false;
    if (this.allows(this.#table.capacities)) return true;
    this.#codes.note(this.#table, this.#used.accounts);
    return false;
  }

  /** Advances the copy; returns the units copied. If keys cluster in it, it starts again with another hash key. */
  #advance(copy: TableCopy, buckets: number): number {
    const before = copy.copied;
    try {
      if (copy.step(buckets)) this.#handOver(copy);
    } catch (error) {
      if (!(error instanceof ProbesExceeded)) throw error;
      this.#begin(copy.target.capacities, randomHashKey());
    }
    return copy.copied - before;
  }

  #handOver(copy: TableCopy): void {
    copy.finish();
    this.#copy = null;
    this.#pace = null;
    this.#due.isRehash = false;
    recordDroppedSharedMemory(this.#table.buffer.byteLength);
    this.#table = copy.target;
    this.#older = new OlderValuesRing(copy.target);
    this.#eviction.use(copy.target);
    this.#used = copy.used;
    this.#codes.copied(this.#table, this.#used.accounts, this.#eviction.count);
    this.#writeCounts();
  }

  /** If the table will not be enlarged, evicts entries above the load limit; returns how many buckets were visited. */
  #sweep(kind: EntryKind, buckets: number, least: number): number {
    if (this.#table.isComplete) return 0;
    const capacity = this.#table.capacities[kind.name];
    if ((this.#copy?.target.capacities[kind.name] ?? capacity) > capacity) return 0;
    const used = this.#used[kind.name];
    const high = Math.floor(capacity * EVICTION_LOAD_FACTOR);
    const wanted = this.#options.isEager ? Infinity : used - Math.min(high, this.#codes.mostOf(kind));
    if (wanted <= 0) return 0;
    const sparseness = Math.min(SPARSENESS_MAX, Math.max(1, high / used));
    const { count, passed } = this.#eviction.sweep(kind, buckets * sparseness, { wanted, least });
    this.#used[kind.name] -= count;
    return passed;
  }

  /** Writes the counts that are read for monitoring. */
  #writeCounts(): void {
    this.#counts.write(this.#table.words, this.#used, this.#eviction.count);
  }
}

/** The free space in each region before a larger one is forced. */
function freeCapacity({ table, used, older }: Pick<GrowingTable, 'table' | 'used' | 'older'>): Capacities {
  const { capacities, words } = table;
  return {
    accounts: Math.floor(capacities.accounts * LOAD_FACTOR_MAX) - used.accounts,
    slots: Math.floor(capacities.slots * LOAD_FACTOR_MAX) - used.slots,
    older: older.free,
    codes: capacities.codes - words[TABLE_HEADER.codes]!,
    codeWords: capacities.codeWords - words[TABLE_HEADER.codeWords]!,
    halves: capacities.halves - words[TABLE_HEADER.halves]!,
  };
}

/** True if each of the `capacities` is at least the wanted one. */
export function areCapacitiesCovered(capacities: Capacities, wanted: Capacities): boolean {
  return CAPACITY_NAMES.every((name) => wanted[name] <= capacities[name]);
}
