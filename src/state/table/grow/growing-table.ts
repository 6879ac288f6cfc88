// The current state table, which must not become full. In time before that, its contents are copied to a larger table,
// in time slices. If memory does not allow a larger table, entries are evicted by clock hands (CLOCK algorithm).
import { recordDroppedSharedMemory } from '../../../lib/memory/garbage-collection.js';
import { LIMITS } from '../../../limits/index.js';
import { StartError } from '../../../lib/start-error.js';
import { CodeSpace, type CodeUse } from './unused-code-space.js';
import {
  ACCOUNT_ENTRIES,
  ProbesExceeded,
  SLOT_ENTRIES,
  insertEntry,
  probeDistance,
  replaceEntryKeepingOlder,
  type EntryChange,
  type EntryLayout,
} from '../write/entry-writer.js';
import { ClockHand } from './clock-hand.js';
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
} from '../layout/table-layout.js';
import { OlderValuesRing } from '../write/older-values-ring.js';
import { tableBytes, nextTableCapacities } from './capacity.js';
import { TableCopy, type TableEntryCounts } from './table-copy.js';
import type { Table } from '../layout/table.js';

export interface GrowthOptions {
  /**
   * Maximum size in bytes of the current table and the table to which it is being copied, together. For a complete
   * state, the limit applies only to the new table.
   */
  readonly memoryBytesMax: number;
  /** Largest size in bytes of the ring of older values. When it is full, fewer old state versions stay readable. */
  readonly olderBytesMax: number;
  /**
   * Number of buckets that are copied, or visited by a clock hand, in one time slice. It is exceeded only to keep up
   * with writes.
   */
  readonly sliceBuckets: number;
  /** Copies and evicts all the time, whether it is necessary or not; for tests. */
  readonly isEager: boolean;
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
  /** Called after each time slice with the number of buckets that were copied or visited; for measurements. */
  readonly onSlice: (buckets: number) => void;
}

/** Thrown if a complete state exceeds its memory limit. Nothing of it may be evicted, so the program ends. */
export class StateTooLarge extends StartError {
  override readonly name = 'StateTooLarge';

  constructor(bytes: number, bytesMax: number) {
    const [needed, allowed] = [bytes, bytesMax].map((value) => `${Math.ceil(value / 2 ** 20)} MiB`);
    super(`the state needs a table of ${needed}, --state-memory allows ${allowed}`, 1);
  }
}

/**
 * Number of buckets that a clock hand visits for each added key (enough to find an entry to evict), and for each write
 * to a key that is already in the table.
 */
const BUCKETS_PER_KEY = 16;
const BUCKETS_PER_WRITE = 2;
/**
 * In a sparsely filled table, a clock hand passes more buckets than usual, up to this factor. Passing an empty bucket
 * takes only a few ns.
 */
const SPARSENESS_MAX = 16;
/** Step size that copies everything that is left. */
const ALL = Number.MAX_SAFE_INTEGER;

/** The kinds of entries, accounts and slots. Each has a clock hand of its own. */
const EVICTED_KINDS = [ACCOUNT_ENTRIES, SLOT_ENTRIES] as const;
type ClockHands = Readonly<Record<EntryLayout['name'], ClockHand>>;

/** The table to which state versions are written. When a copy is complete, the copy becomes the current `table`. */
export class GrowingTable {
  readonly #options: GrowthOptions;
  readonly #codes: CodeSpace;
  #hands: ClockHands;
  /** Number of entries evicted so far, from this table and those before it. */
  #evictions = 0;
  #evictedBelow: number;
  #table: Table;
  #older: OlderValuesRing;
  #used: TableEntryCounts = { accounts: 0, slots: 0 };
  #copy: TableCopy | null = null;
  /** How many buckets clock hands should visit because of the writes since the last time slice. */
  #dueBuckets = 0;
  /** True if a key is so far from its home bucket that the table should be copied with another hash key. */
  #isRehashDue = false;
  /** True while entries are being evicted to make space for fetched state. */
  #isGivingUp = false;

  constructor(table: Table, options: GrowthOptions) {
    this.#options = options;
    this.#table = table;
    this.#older = new OlderValuesRing(table);
    this.#codes = new CodeSpace(table);
    this.#hands = clockHandsOf(table);
    this.#evictedBelow = Math.max(table.words[TABLE_HEADER.reclaimed]!, table.words[TABLE_HEADER.floor]!);
  }

  get table(): Table {
    return this.#table;
  }

  /** The current table's ring of older values. */
  get older(): OlderValuesRing {
    return this.#older;
  }

  /** Number of accounts and of slots in the table. */
  get used(): Readonly<TableEntryCounts> {
    return this.#used;
  }

  /**
   * A version number that is higher than the state version of any evicted entry. A key that is not in the table has not
   * changed since that version.
   */
  get evictedBelow(): number {
    return this.#evictedBelow;
  }

  write(kind: EntryLayout, change: EntryChange, version: number): void {
    const entry = kind.find(this.#table, change.key);
    if (entry === 0) return this.#insert(kind, change, version);
    replaceEntryKeepingOlder(this.#table, this.#older, kind, entry, change, version);
    this.#note(kind, entry, BUCKETS_PER_WRITE);
  }

  /**
   * Adds a key whose value was fetched. The value is visible at every state version that may still be pinned. If the
   * key is in the table already, only its CLOCK_MARK_BIT is set.
   */
  add(kind: EntryLayout, change: EntryChange): void {
    const entry = kind.find(this.#table, change.key);
    if (entry === 0) this.#insert(kind, change, this.#evictedBelow);
    else Atomics.or(this.#table.words, entry + ENTRY_FIELDS.link, CLOCK_MARK_BIT);
  }

  /** Returns true if memory allows a table with these capacities to be filled next to the current one. */
  allows(wanted: Capacities): boolean {
    const beside = this.#table.isComplete ? 0 : this.#table.buffer.byteLength;
    return tableBytes(wanted) + beside <= this.#options.memoryBytesMax;
  }

  /**
   * Grows at once, before anything else is written. If a copy is in progress, completes it. Otherwise copies the table
   * to the wanted capacities. If memory is too small for them, the table keeps its size, and is copied only if that
   * drops unused codes. If the changes do not fit even then, throws StateTooLarge for a complete state. For an
   * incomplete one, throws an error that ends the thread; the thread that replaces it starts with an empty table.
   */
  growNow(wanted: Capacities): void {
    if (this.allows(wanted) || !this.leaveCodes(wanted)) this.#copyNow(wanted);
  }

  /**
   * If there is no space for the codes in `wanted`, copies the table at once to drop unused codes. Returns false if
   * that is not necessary, or if no codes can be dropped.
   */
  leaveCodes(wanted: CodeUse): boolean {
    if (!this.#codes.canLeave(this.#table, wanted, this.#evictions)) return false;
    this.#copyNow(this.#table.capacities);
    return true;
  }

  #copyNow(wanted: Capacities): void {
    this.#count('stalls');
    if (this.#copy === null) this.#begin(this.#assertSized(wanted), this.#table.hashKey);
    this.#copyAll();
  }

  /** Copies at once everything that was published. Leaves out what an incomplete publication has written. */
  rebuild(wanted: Capacities, hashKey: Int32Array): void {
    this.#count('rebuilds');
    this.#begin(this.#assertSized(wanted), hashKey);
    this.#copyAll();
  }

  #copyAll(): void {
    while (this.#copy !== null) this.#advance(this.#copy, ALL);
  }

  /** Called when no publication is being prepared, so that no entry must stay. Eviction may then continue. */
  published(): void {
    for (const hand of Object.values(this.#hands)) hand.published();
  }

  /**
   * Does one time slice of copying and evicting, between publications. Entries of state version `least` or above are
   * not evicted.
   */
  tend(least: number): void {
    const startMs = this.#options.now();
    const { sliceBuckets } = this.#options;
    const buckets = Math.max(sliceBuckets, this.#dueBuckets);
    this.#dueBuckets = 0;
    if (this.#copy === null) this.#beginWhatIsDue();
    const behind = this.#copy?.behind(freeCapacity(this)) ?? 0;
    let done = this.#copy === null ? 0 : this.#advance(this.#copy, Math.max(sliceBuckets, behind));
    for (const kind of EVICTED_KINDS) done += this.#sweep(kind, buckets, least);
    this.#raise('sliceUsMax', Math.ceil((this.#options.now() - startMs) * 1000));
    this.#raise('sliceBucketsMax', done);
    this.#options.onSlice(done);
    this.#writeCounts();
  }

  /** Does one time slice of eviction to make space for fetched state. Returns whether another slice may free more. */
  giveUp(least: number): boolean {
    if (!this.#isGivingUp) this.published();
    const passed = EVICTED_KINDS.map((kind) => this.#sweep(kind, this.#options.sliceBuckets, least));
    this.#writeCounts();
    this.#isGivingUp = passed.some((buckets) => buckets > 0);
    return this.#isGivingUp;
  }

  /**
   * Returns `wanted`, or throws if such a table would exceed both the memory limit and the size of the current table.
   * This can also happen to an incomplete table, if published codes need space and their accounts cannot be evicted.
   */
  #assertSized(wanted: Capacities): Capacities {
    const { memoryBytesMax } = this.#options;
    const bytes = tableBytes(wanted);
    if (bytes <= memoryBytesMax || bytes <= this.#table.buffer.byteLength) return wanted;
    if (this.#table.isComplete) throw new StateTooLarge(bytes, memoryBytesMax);
    throw new Error(`a table of ${bytes} bytes is more than --state-memory: the state must be reset`);
  }

  #insert(kind: EntryLayout, change: EntryChange, version: number): void {
    const entry = insertEntry(this.#table, kind, change, version, CLOCK_MARK_BIT);
    this.#used[kind.name]++;
    this.#isRehashDue ||= probeDistance(this.#table, kind, entry) > LIMITS.tableProbesHigh;
    this.#note(kind, entry, BUCKETS_PER_KEY);
  }

  #note(kind: EntryLayout, entry: number, buckets: number): void {
    this.#dueBuckets += buckets;
    this.#copy?.note(kind, entry);
  }

  #begin(wanted: Capacities, hashKey: Int32Array): void {
    this.#copy = new TableCopy(this.#table, wanted, hashKey, freeCapacity(this));
  }

  #beginWhatIsDue(): void {
    const { olderBytesMax, isEager } = this.#options;
    const { capacities, hashKey } = this.#table;
    const mayRingGrow = capacities.older * 2 * OLDER_VALUE_RECORD.words * 4 <= olderBytesMax;
    const usage = { used: this.#used, older: mayRingGrow ? this.#older.used : 0 };
    const larger = nextTableCapacities(this.#table, usage, (choice) => this.allows(choice));
    const wanted = larger ?? capacities;
    const isRehash = this.#isRehashDue && this.allows(wanted);
    if (larger === null && !isRehash && !isEager && !this.#mayLeaveCodes()) return;
    this.#begin(wanted, isRehash ? randomHashKey() : hashKey);
  }

  /**
   * Returns true if the table should be copied only to drop unused codes. If memory does not allow the copy, returns
   * false, and accounts will be evicted instead.
   */
  #mayLeaveCodes(): boolean {
    if (!this.#codes.isDue(this.#table)) return false;
    if (this.allows(this.#table.capacities)) return true;
    this.#codes.note(this.#table, this.#used.accounts);
    return false;
  }

  /**
   * Advances the copy, and returns how many units of work were copied. If a key finds no free bucket near its home
   * bucket in the new table, the copy starts again with another hash key.
   */
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
    this.#isRehashDue = false;
    recordDroppedSharedMemory(this.#table.buffer.byteLength);
    this.#table = copy.target;
    this.#older = new OlderValuesRing(copy.target);
    this.#hands = clockHandsOf(copy.target);
    this.#used = copy.used;
    this.#codes.copied(this.#table, this.#used.accounts, this.#evictions);
    this.#writeCounts();
  }

  /**
   * Evicts entries above the load limit, unless the table is about to be enlarged. Returns how many buckets were
   * visited.
   */
  #sweep(kind: EntryLayout, buckets: number, least: number): number {
    if (this.#table.isComplete) return 0;
    const capacity = this.#table.capacities[kind.name];
    if ((this.#copy?.target.capacities[kind.name] ?? capacity) > capacity) return 0;
    const used = this.#used[kind.name];
    const high = Math.floor(capacity * EVICTION_LOAD_FACTOR);
    const wanted = this.#options.isEager ? Infinity : used - Math.min(high, this.#codes.mostOf(kind));
    if (wanted <= 0) return 0;
    const sparseness = Math.min(SPARSENESS_MAX, Math.max(1, high / used));
    const { count, below, passed } = this.#hands[kind.name].sweep(buckets * sparseness, wanted, least);
    this.#used[kind.name] -= count;
    this.#evictions += count;
    this.#evictedBelow = Math.max(this.#evictedBelow, below);
    return passed;
  }

  /** Increments a counter in the table's header. A copy of the table starts with the same values. */
  #count(name: 'stalls' | 'rebuilds'): void {
    this.#table.words[TABLE_HEADER[name]]!++;
  }

  /** Raises a maximum in the table's header to `value`. A copy of the table starts with the same values. */
  #raise(name: 'sliceUsMax' | 'sliceBucketsMax', value: number): void {
    const { words } = this.#table;
    words[TABLE_HEADER[name]] = Math.max(words[TABLE_HEADER[name]]!, value);
  }

  /** Writes the numbers of entries and evictions to the table's header, for monitoring. */
  #writeCounts(): void {
    const { words } = this.#table;
    words[TABLE_HEADER.accounts] = this.#used.accounts;
    words[TABLE_HEADER.slots] = this.#used.slots;
    words[TABLE_HEADER.evictions] = (this.#evictions % 2 ** 32) | 0;
    words[TABLE_HEADER.evictions + 1] = Math.floor(this.#evictions / 2 ** 32);
  }
}

function clockHandsOf(table: Table): ClockHands {
  return { accounts: new ClockHand(table, ACCOUNT_ENTRIES), slots: new ClockHand(table, SLOT_ENTRIES) };
}

/** Returns, for each region, how much can still be added before the table must grow at once. */
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

/** Returns true if `capacities` are at least as large as the wanted ones. */
export function areCapacitiesCovered(capacities: Capacities, wanted: Capacities): boolean {
  return CAPACITY_NAMES.every((name) => wanted[name] <= capacities[name]);
}
