// The writer of the shared table. It publishes each StateDiff as a state version.
import { LIMITS } from '../../limits/index.js';
import { monotonicMs } from '../../lib/clock.js';
import type { AncestorBlock } from '../complete-block.js';
import type { AccountChange, StateChanges, StateDiff } from '../state-diff.js';
import {
  appendBlockRecord,
  versionOfBlockAt,
  findBlockRecordBelow,
  findBlockRecord,
  blockHashAtOrdinal,
  blockNumberAt,
} from './layout/block-ring.js';
import { appendCode, findCode } from './layout/codes.js';
import { ACCOUNT_ENTRIES, type EntryLayout, ProbesExceeded, SLOT_ENTRIES } from './write/entry-writer.js';
import { GrowingTable, areCapacitiesCovered, type GrowthOptions } from './grow/growing-table.js';
import { BalanceHighHalves } from './layout/balance-high-halves.js';
import { randomHashKey } from './layout/key-hash.js';
import { TABLE_HEADER, OLDER_VALUE_RECORD, type Capacities } from './layout/table-layout.js';
import { lowestPinnedVersion } from './layout/reader-pins.js';
import { capacitiesForChanges, initialCapacities, largerRingCapacity, type ExpectedEntries } from './grow/capacity.js';
import { Snapshot, TableReader } from './read/table-reader-and-snapshot.js';
import { StagedChange } from './write/encode-staged-entry.js';
import type { TableEntryCounts } from './grow/table-copy.js';
import { TABLE_BYTES_MAX, createTable, type Table } from './layout/table.js';
import { RetainedBlockWindow } from './write/retained-block-window.js';
import { newestBlockOrdinal, writeVersionRecord, type VersionRecord } from './layout/state-version-record.js';

/** Options of a new table. The sizes are only the initial ones, because the table grows when necessary. */
export interface TableOptions extends ExpectedEntries, GrowthOptions {
  /** True if the state is complete, so that a missing key is zero. Otherwise reading a missing key throws StateMiss. */
  readonly complete: boolean;
  /** Maximum number of state versions that are retained. At most LIMITS.versionsKeptMax. */
  readonly versionsKept: number;
  /** Number of confirmed blocks whose state is retained. `versionsKept` limits it, too. */
  readonly blocksKept: number;
  /**
   * In addition to `blocksKept`: blocks are retained for this many milliseconds, by the timestamps of the chain's
   * blocks, but not more than LIMITS.blocksInWindowMax blocks.
   */
  readonly keptWindowMs: number;
  /**
   * Number of the first state version, and ordinal of the first record in each ring. Tests set them to high values, to
   * reach the end of the number range.
   */
  readonly firstVersion: number;
  readonly firstOrdinal: number;
}

/** The options that can be chosen before the chain is known. They are plain data, so functions are excluded. */
export type TableSettings = Omit<Partial<TableOptions>, 'complete' | 'now' | 'onSlice'>;

/** Default options, enough for a dev chain. About 350 MB are reserved; only written pages take physical memory. */
const DEFAULTS: TableOptions = {
  accounts: 2 ** 16,
  slots: 2 ** 20,
  codeBytes: 2 ** 24,
  olderBytes: 2 ** 26,
  complete: true,
  versionsKept: LIMITS.versionsKeptMax,
  blocksKept: LIMITS.blocksKeptMax,
  keptWindowMs: 0,
  firstVersion: 1,
  firstOrdinal: 1,
  olderBytesMax: LIMITS.olderBytesMax,
  memoryBytesMax: TABLE_BYTES_MAX,
  sliceBuckets: LIMITS.tableSliceBuckets,
  isEager: false,
  now: monotonicMs,
  onSlice: () => undefined,
};

/**
 * The result of adding fetched state. `stale`: it may have changed since it was read. `full`: there is no space for it
 * at the moment. In both cases nothing was added.
 */
export type FetchedStateOutcome = 'added' | 'stale' | 'full';

const REBUILD_TRIES = 4;

/** The last possible state version. Versions are positive 32-bit integers; at five a second they last for 13 years. */
const VERSION_MAX = 2 ** 31 - 1;

/**
 * The only writer of a table. Readers open `buffer`. If `generation` has changed after a publication, the table has
 * moved to a new buffer.
 */
export class TableWriter {
  readonly #options: TableOptions;
  readonly #staged = new StagedChange();
  readonly #window: RetainedBlockWindow;
  readonly #halves: BalanceHighHalves;
  readonly #growing: GrowingTable;
  #newest: VersionRecord | null = null;
  /** Ordinal of the newest record that `seedHashes` has added; 0 if there is none. */
  #seeded = 0;
  /** True if a write has failed half-way. The table must then be rebuilt without what that write has left behind. */
  #isTainted = false;

  private constructor(table: Table, options: TableOptions) {
    this.#options = options;
    this.#window = new RetainedBlockWindow(options.keptWindowMs);
    this.#halves = new BalanceHighHalves(table);
    this.#growing = new GrowingTable(table, options);
  }

  /** Creates an empty table. Its first state version is 1 unless the options say otherwise. */
  static create(options: Partial<TableOptions> = {}): TableWriter {
    const all = { ...DEFAULTS, ...options };
    const made = {
      capacities: initialCapacities(all, all.memoryBytesMax),
      generation: 1,
      isComplete: all.complete,
      hashKey: randomHashKey(),
    };
    const table = createTable(made);
    table.words[TABLE_HEADER.floor] = all.firstVersion;
    table.words[TABLE_HEADER.olderHead] = table.words[TABLE_HEADER.olderTail] = all.firstOrdinal;
    table.words[TABLE_HEADER.blocks] = all.firstOrdinal - 1;
    return new TableWriter(table, all);
  }

  /** The current buffer, which readers open. */
  get buffer(): SharedArrayBuffer {
    return this.#table.buffer;
  }

  /** Number of the buffer, which increases by one whenever a larger buffer replaces it. */
  get generation(): number {
    return this.#table.words[TABLE_HEADER.generation]!;
  }

  get #table(): Table {
    return this.#growing.table;
  }

  /** The newest state version; 0 before the first one. */
  get newest(): number {
    return this.#newest?.version ?? 0;
  }

  /** Returns the state at the newest version. It may be used until the next publication. */
  view(): Snapshot {
    return new TableReader(this.buffer).snapshot(this.newest);
  }

  /**
   * Publishes a diff and returns its state version. If the diff's block number is not above that of the newest block,
   * the diff replaces all blocks from its number on. Throws, without publishing anything, if a diff changes a key twice
   * or is malformed, which is a bug. Also throws after VERSION_MAX: the thread then ends, and the thread that replaces
   * it starts again with version 1.
   */
  publish(diff: StateDiff): number {
    if (this.newest === VERSION_MAX) throw new Error('there are no more versions: the state must be reset');
    this.#makeSpace(diff);
    this.#attempt(() => this.#publishOnce(diff));
    this.#growing.published();
    this.#tend();
    return this.newest;
  }

  /**
   * Adds keys that an incomplete table lacks, with the values that they had at state version `readAt`. They are visible
   * at every state version for which these values are right. Keys that are in the table already do not change.
   */
  addMissing(fill: StateChanges, readAt: number): FetchedStateOutcome {
    if (this.#table.isComplete) throw new Error('a complete table lacks nothing');
    if (readAt < this.#growing.evictedBelow) return 'stale';
    return this.#mayTake(fill) ? this.#add(fill) : 'full';
  }

  /**
   * Adds imported state to the first version. Only allowed before the second version is published. Throws StateTooLarge
   * if a complete state does not fit. Returns 'full' if an incomplete state does not fit: the keys that were not added
   * can be fetched later.
   */
  seed(contents: StateChanges): Exclude<FetchedStateOutcome, 'stale'> {
    if (this.newest !== this.#options.firstVersion) throw new Error('a table is seeded at its first version');
    return this.#table.isComplete || this.#mayTake(contents) ? this.#add(contents) : 'full';
  }

  /**
   * Does one time slice of eviction, to make space for fetched state. Returns whether another slice may free more. Must
   * not be called while a publication is prepared, because entries that it needs could be evicted.
   */
  giveUp(): boolean {
    return this.#growing.giveUp(this.#least());
  }

  /**
   * Adds the hashes of blocks before the first state version, which BLOCKHASH needs. `blocks` is in ascending order.
   * Only allowed before the first publication.
   */
  seedHashes(blocks: readonly AncestorBlock[]): void {
    if (this.newest !== 0) throw new Error('hashes are seeded before the first version');
    for (const block of blocks)
      this.#seeded = appendBlockRecord(this.#table, { ...block, completedAt: 0 }, this.#seeded);
  }

  /**
   * Runs a step that writes to the table. If a key finds no free bucket near its home bucket, the table is rebuilt with
   * another hash key, and the step is repeated. After any other failure, the table is rebuilt before the next step.
   */
  #attempt(step: () => void): void {
    for (let tries = 1; ; tries++) {
      try {
        step();
        return;
      } catch (error) {
        this.#isTainted = true;
        if (!(error instanceof ProbesExceeded) || tries === REBUILD_TRIES) throw error;
        this.#rebuild(this.#table.capacities, randomHashKey());
      }
    }
  }

  #publishOnce(diff: StateDiff): void {
    const version = this.#newest === null ? this.#options.firstVersion : this.newest + 1;
    this.#writeEach(diff, (kind) => this.#growing.write(kind, this.#staged, version));
    const top = this.#extendChain(diff, version);
    if (diff.coordinates.hash !== null) this.#window.note(diff.coordinates.block, diff.env.timestamp);
    this.#raiseFloor(version, diff.heads.latest);
    const latestVersion = versionOfBlockAt(this.#table, findBlockRecord(this.#table, top, diff.heads.latest));
    const before = this.#newest;
    const publishedAtMs = before !== null && isAgain(before, diff) ? before.publishedAtMs : this.#options.now();
    writeVersionRecord(this.#table, diff, { version, publishedAtMs, latestVersion, top });
    this.#growing.older.commit();
    Atomics.store(this.#table.words, TABLE_HEADER.newest, version);
    this.#newest = { version, ...diff, publishedAtMs, latestVersion };
  }

  #add(state: StateChanges): 'added' {
    this.#makeSpace(state);
    this.#attempt(() => this.#writeEach(state, (kind) => this.#growing.add(kind, this.#staged)));
    this.#tend();
    return 'added';
  }

  /** Writes the codes, then stages each account and slot and calls `write` for it. */
  #writeEach({ codes, accounts, slots }: StateChanges, write: (kind: EntryLayout) => void): void {
    for (const { hash, bytes } of codes) {
      if (findCode(this.#table, hash) < 0) appendCode(this.#table, hash, bytes);
    }
    for (const change of accounts) {
      this.#stageAccount(change);
      write(ACCOUNT_ENTRIES);
    }
    for (const change of slots) {
      this.#staged.setSlot(change);
      write(SLOT_ENTRIES);
    }
  }

  #stageAccount({ address, account }: AccountChange): void {
    if (account === null) return this.#staged.setAbsent(address);
    const code = findCode(this.#table, account.codeHash);
    if (code < 0) throw new Error('an account has code that no diff contained');
    this.#staged.setAccount(address, account, code, this.#halves.idOf(this.#table, account.balance));
  }

  /**
   * Adds block records for the blocks that become complete with this state version: the diff's own block, or the
   * pre-confirmed block before it. Returns the ordinal of the newest complete block on the version's chain.
   */
  #extendChain({ coordinates }: StateDiff, version: number): number {
    const { block, hash, parentHash } = coordinates;
    const before = this.#newest;
    let top = before === null ? this.#seeded : newestBlockOrdinal(this.#table, before.version);
    if (before !== null && before.coordinates.hash === null && before.coordinates.block === block - 1) {
      // The block before is still pre-confirmed, and this diff starts its child. So its newest state version is its
      // last one, and its hash is the parent hash in its child.
      const ended = { number: block - 1, hash: parentHash, parentHash: before.coordinates.parentHash };
      top = appendBlockRecord(this.#table, { ...ended, completedAt: before.version }, top);
    }
    top = findBlockRecordBelow(this.#table, top, block);
    if (
      top !== 0 &&
      blockNumberAt(this.#table, top) === block - 1 &&
      !isEqual(blockHashAtOrdinal(this.#table, top), parentHash)
    )
      top = 0;
    return hash === null
      ? top
      : appendBlockRecord(this.#table, { number: block, hash, parentHash, completedAt: version }, top);
  }

  /**
   * Raises the lowest retained state version, so that only `versionsKept` versions and the retained blocks stay
   * readable. The version of the current `latest` block always stays readable.
   */
  #raiseFloor(version: number, latest: number): void {
    const { versionsKept, blocksKept } = this.#options;
    const top = this.#newest === null ? 0 : newestBlockOrdinal(this.#table, this.#newest.version);
    const first = Math.min(latest - blocksKept + 1, this.#window.first);
    const oldest = versionOfBlockAt(this.#table, findBlockRecord(this.#table, top, first));
    this.#floorTo(Math.min(Math.max(version - versionsKept + 1, oldest), this.#latestVersion()));
  }

  #floorTo(version: number): void {
    const { words } = this.#table;
    if (version > words[TABLE_HEADER.floor]!) Atomics.store(words, TABLE_HEADER.floor, version);
  }

  /** Returns the version of the block `latest`; it is older than the newest version if that one is pre-confirmed. */
  #latestVersion(): number {
    return this.#newest?.latestVersion === 0 ? this.newest : (this.#newest?.latestVersion ?? 1);
  }

  /** Called before changes are written: makes sure that the table has space for all of them. */
  #makeSpace(changes: StateChanges): void {
    const wanted = (): Capacities => ({
      ...this.#wanted(changes),
      older: this.#olderWanted(this.#recordsOf(changes)),
    });
    if (this.#isTainted) return this.#rebuild(wanted(), this.#table.hashKey);
    for (let needed = wanted(); !areCapacitiesCovered(this.#table.capacities, needed); needed = wanted()) {
      this.#growing.growNow(needed);
    }
  }

  /**
   * Returns true if there is space for the state: in this table, in a larger one, or after unused codes are dropped.
   */
  #mayTake(fill: StateChanges): boolean {
    const wanted = (): Capacities => ({ ...this.#table.capacities, ...this.#wanted(fill) });
    const fits = (all: Capacities): boolean =>
      areCapacitiesCovered(this.#table.capacities, all) || this.#growing.allows(all);
    const needed = wanted();
    return fits(needed) || (this.#growing.leaveCodes(needed) && fits(wanted()));
  }

  /**
   * Returns the capacities that the table needs for the changes. First assumes that all keys are new. Only if the table
   * has no space for that many, looks up which keys are really new.
   */
  #wanted(changes: StateChanges): Omit<Capacities, 'older'> {
    const { accounts, slots } = this.#growing.used;
    const most = { accounts: accounts + changes.accounts.length, slots: slots + changes.slots.length };
    const wanted = capacitiesForChanges(this.#table, most, changes);
    if (areCapacitiesCovered(this.#table.capacities, { ...wanted, older: 0 })) return wanted;
    return capacitiesForChanges(this.#table, this.#entriesWith(changes), changes);
  }

  #entriesWith(changes: StateChanges): TableEntryCounts {
    const { accounts, slots } = this.#growing.used;
    const entries = { accounts, slots };
    for (const { address } of changes.accounts) {
      this.#staged.setAbsent(address);
      if (ACCOUNT_ENTRIES.find(this.#table, this.#staged.key) === 0) entries.accounts++;
    }
    for (const change of changes.slots) {
      this.#staged.setSlot(change);
      if (SLOT_ENTRIES.find(this.#table, this.#staged.key) === 0) entries.slots++;
    }
    return entries;
  }

  /** Returns the largest number of older values that the changes may create. */
  #recordsOf({ accounts, slots }: StateChanges): number {
    const { used } = this.#growing;
    return Math.min(accounts.length + slots.length, used.accounts + used.slots);
  }

  /**
   * Returns the capacity that the ring of older values needs for `records` more records, after freeing unused ones. If
   * memory does not allow a larger ring, retains fewer old state versions. If that is not enough, frees even values
   * that pinned versions need.
   */
  #olderWanted(records: number): number {
    const { capacities, words } = this.#table;
    const { older } = this.#growing;
    const isShort = (): boolean => older.free < records;
    if (isShort()) this.#reclaim(words[TABLE_HEADER.floor]!);
    if (!isShort()) return capacities.older;
    const larger = largerRingCapacity(this.#table, records);
    if (this.#mayRingBe(larger)) return larger;
    this.#reclaim(this.#latestVersion());
    if (isShort()) this.#reclaim(this.newest);
    if (isShort()) older.reclaim(this.newest);
    return isShort() ? larger : capacities.older;
  }

  #mayRingBe(buckets: number): boolean {
    if (buckets * OLDER_VALUE_RECORD.words * 4 > this.#options.olderBytesMax) return false;
    return this.#growing.allows({ ...this.#table.capacities, older: buckets });
  }

  /** Frees the older values that are needed neither by a state version from `floor` on nor by a pinned one. */
  #reclaim(floor: number): void {
    this.#floorTo(floor);
    this.#growing.older.reclaim(Math.min(floor, lowestPinnedVersion(this.#table)));
  }

  /** Does one time slice of growth and eviction; see GrowingTable. */
  #tend(): void {
    const { older, table } = this.#growing;
    if (older.used > table.capacities.older / 2) this.#reclaim(table.words[TABLE_HEADER.floor]!);
    this.#growing.tend(this.#least());
  }

  /**
   * Returns the lowest state version that is retained or pinned. Entries that have not changed since then can be
   * evicted, because they have the same value at all retained and pinned versions.
   */
  #least(): number {
    return Math.min(this.#table.words[TABLE_HEADER.floor]!, this.#latestVersion(), lowestPinnedVersion(this.#table));
  }

  #rebuild(wanted: Capacities, hashKey: Int32Array): void {
    this.#growing.rebuild(wanted, hashKey);
    this.#isTainted = false;
  }
}

/**
 * Returns true if a diff changes nothing but the tags. Such a state version keeps the publication time of the previous
 * one.
 */
function isAgain(before: VersionRecord, { coordinates, accounts, slots }: StateDiff): boolean {
  const { block, index, hash, parentHash } = before.coordinates;
  const isSamePosition = block === coordinates.block && index === coordinates.index;
  const isSameBlock = isEqual(hash, coordinates.hash) && isEqual(parentHash, coordinates.parentHash);
  return accounts.length + slots.length === 0 && isSamePosition && isSameBlock;
}

function isEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}
