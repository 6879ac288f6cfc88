// The writer of the shared table: turns StateDiffs into versions. Runs on the publisher.
import { LIMITS } from '../../limits.js';
import { monotonicMs } from '../../lib/clock.js';
import { toBytes } from '../../lib/words.js';
import { appendBlock, completedAt, findBelow, findBlock, hashOf, numberAt } from './block-chain.js';
import { appendCode, codeWords, findCode } from './codes.js';
import type { Ancestor } from '../block.js';
import type { AccountChange, SlotChange, StateChanges, StateDiff } from '../diff.js';
import { ProbesExceeded, insertAccount, insertSlot, writeAccount, writeSlot, type Change } from './entry-writer.js';
import { randomHashKey } from './key-hash.js';
import {
  ACCOUNT_PAYLOAD,
  CAPACITIES,
  HALF_WORDS,
  HEADER,
  LOAD_MAX,
  NO_ACCOUNT,
  OLDER,
  PAYLOAD_WORDS,
  powerOfTwo,
  type Capacities,
} from './layout.js';
import { OlderRing } from './older-ring.js';
import { PinWatch, leastPinned } from './pins.js';
import { rebuildTable } from './rebuild.js';
import { Snapshot, TableReader } from './snapshot.js';
import { createTable, findAccount, findSlot, openTable, type Table } from './table.js';
import { readVersion, topOf, writeVersion, type VersionRecord } from './version-record.js';

/** What a table is made for. Sizes are first guesses: it grows by itself. */
export interface TableOptions {
  /** Accounts and storage slots expected. */
  readonly accounts: number;
  readonly slots: number;
  /** Bytes of contract code. */
  readonly codeBytes: number;
  /** Bytes for values that older versions still read, 64 a value. */
  readonly olderBytes: number;
  /** Whether absent means zero; otherwise it means unknown, and reading it throws StateMiss. */
  readonly complete: boolean;
  /** Versions kept, at most LIMITS.versionsKeptMax. */
  readonly versionsKept: number;
  /** Confirmed blocks whose state is kept, as far as versions are. */
  readonly blocksKept: number;
  /** Bytes that `olderBytes` may grow to; beyond it the kept window gets shorter. */
  readonly olderBytesMax: number;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/** Enough for a dev chain. Some 350 MB are reserved; what is not written takes no memory. */
const DEFAULTS: TableOptions = {
  accounts: 2 ** 16,
  slots: 2 ** 20,
  codeBytes: 2 ** 24,
  olderBytes: 2 ** 26,
  complete: true,
  versionsKept: LIMITS.versionsKeptMax,
  blocksKept: LIMITS.blocksKeptMax,
  olderBytesMax: LIMITS.olderBytesMax,
  now: monotonicMs,
};

/** Mean bytes of a contract, for the size of the directory: proxies and delegations are small, the rest is not. */
const CODE_BYTES_MEAN = 256;
const HALVES = 1024;
const REBUILD_TRIES = 4;

/** The one writer. Readers get `buffer`; when `generation` has changed after a publish, they get the new one. */
export class TableWriter {
  readonly #options: TableOptions;
  readonly #watch = new PinWatch();
  readonly #change: Change = { key: new Uint32Array(13), payload: new Int32Array(PAYLOAD_WORDS) };
  readonly #keyBytes = new Uint8Array(this.#change.key.buffer);
  readonly #payloadBytes = new Uint8Array(this.#change.payload.buffer);
  readonly #payloadLongs = new BigUint64Array(this.#change.payload.buffer);
  readonly #halves = new Map<bigint, number>();
  #table: Table;
  #older: OlderRing;
  #accounts = 0;
  #slots = 0;
  #newest: VersionRecord | null = null;
  /** Newest of the blocks before the first version: ordinal of its record, 0 for none. */
  #seeded = 0;
  /** A publication failed half-way: the table has to be rebuilt without its traces. */
  #isTainted = false;

  private constructor(table: Table, options: TableOptions) {
    this.#options = options;
    this.#table = table;
    this.#older = new OlderRing(table);
  }

  /** An empty table; its first version is 1. */
  static create(options: Partial<TableOptions> = {}): TableWriter {
    const all = { ...DEFAULTS, ...options };
    const capacities: Capacities = {
      accounts: placesFor(all.accounts),
      slots: placesFor(all.slots),
      older: recordsFor(all.olderBytes),
      codes: Math.ceil(all.codeBytes / CODE_BYTES_MEAN) + 1,
      codeWords: Math.ceil(all.codeBytes / 4),
      halves: HALVES,
    };
    const made = { capacities, generation: 1, isComplete: all.complete, hashKey: randomHashKey() };
    return new TableWriter(createTable(made), all);
  }

  /**
   * Goes on with the table of a writer that died, in a buffer of its own: everything published is there, what was half
   * done is not.
   */
  static adopt(buffer: SharedArrayBuffer, options: Partial<TableOptions> = {}): TableWriter {
    const table = openTable(buffer);
    const writer = new TableWriter(table, { ...DEFAULTS, ...options, complete: table.isComplete });
    for (let id = 1; id <= table.words[HEADER.halves]!; id++) writer.#halves.set(readHalf(table, id), id);
    writer.#newest = readVersion(table, table.words[HEADER.newest]!);
    writer.#rebuild({}, table.hashKey);
    return writer;
  }

  get buffer(): SharedArrayBuffer {
    return this.#table.buffer;
  }

  /** Counts buffers: one more whenever the table moved into a larger one. */
  get generation(): number {
    return this.#table.words[HEADER.generation]!;
  }

  /** The newest version; 0 before the first one. */
  get newest(): number {
    return this.#newest?.version ?? 0;
  }

  /** Entries and places, for those who watch. */
  get usage(): { readonly accounts: number; readonly slots: number; readonly olderFree: number } {
    return { accounts: this.#accounts, slots: this.#slots, olderFree: this.#older.free };
  }

  /** The state at the newest version; for use before the next publication. */
  view(): Snapshot {
    return new TableReader(this.buffer).snapshot(this.newest);
  }

  /** Age of the oldest pin, as far as calls of this method saw it; above LIMITS.pinAgeMsMax it is cause for alarm. */
  oldestPinAgeMs(nowMs: number): number {
    return this.#watch.oldestMs(this.#table, nowMs);
  }

  /**
   * Publishes a diff and returns its version. A diff whose block is not above the present head replaces the blocks from
   * there on. Throws on a diff that changes a key twice or is malformed, which is a bug; nothing of it is published.
   */
  publish(diff: StateDiff): number {
    this.#makeRoom(diff);
    this.#attempt(() => this.#publishOnce(diff));
    return this.newest;
  }

  /**
   * Adds state that an incomplete table lacks, visible at every version: values that have not changed since its first
   * one. Keys that it has are left alone.
   */
  addMissing(fill: StateChanges): void {
    if (this.#table.isComplete) throw new Error('a complete table lacks nothing');
    this.#makeRoom(fill);
    this.#attempt(() => this.#fillOnce(fill));
  }

  /**
   * Hashes of blocks before the first version, oldest first, for BLOCKHASH; their state is not kept. Only before the
   * first publication.
   */
  seedHashes(blocks: readonly Ancestor[]): void {
    if (this.newest !== 0) throw new Error('hashes are seeded before the first version');
    for (const block of blocks) this.#seeded = appendBlock(this.#table, { ...block, completedAt: 0 }, this.#seeded);
  }

  /** Runs a step; keys that lie too far from their places get a new hash key, any other failure is cleaned up later. */
  #attempt(step: () => void): void {
    for (let tries = 1; ; tries++) {
      try {
        step();
        return;
      } catch (error) {
        this.#isTainted = true;
        if (!(error instanceof ProbesExceeded) || tries === REBUILD_TRIES) throw error;
        this.#rebuild({}, randomHashKey());
      }
    }
  }

  #publishOnce(diff: StateDiff): void {
    const version = this.newest + 1;
    this.#appendCodes(diff);
    for (const change of diff.accounts) {
      this.#stageAccount(change);
      if (writeAccount(this.#table, this.#older, this.#change, version)) this.#accounts++;
    }
    for (const change of diff.slots) {
      this.#stageSlot(change);
      if (writeSlot(this.#table, this.#older, this.#change, version)) this.#slots++;
    }
    const top = this.#extendChain(diff, version);
    this.#raiseFloor(version, diff.heads.latest);
    const latestVersion = completedAt(this.#table, findBlock(this.#table, top, diff.heads.latest));
    const publishedAtMs = this.#options.now();
    writeVersion(this.#table, diff, { version, publishedAtMs, latestVersion, top });
    this.#older.commit();
    Atomics.store(this.#table.words, HEADER.newest, version);
    this.#newest = { version, ...diff, publishedAtMs, latestVersion };
  }

  #fillOnce(fill: StateChanges): void {
    this.#appendCodes(fill);
    for (const change of fill.accounts) {
      this.#stageAccount(change);
      if (findAccount(this.#table, this.#change.key, 0) !== 0) continue;
      insertAccount(this.#table, this.#change, 1, 0);
      this.#accounts++;
    }
    for (const change of fill.slots) {
      this.#stageSlot(change);
      if (findSlot(this.#table, this.#change.key, 0, 5) !== 0) continue;
      insertSlot(this.#table, this.#change, 1, 0);
      this.#slots++;
    }
  }

  #appendCodes({ codes }: StateChanges): void {
    for (const { hash, bytes } of codes) {
      if (findCode(this.#table, hash) < 0) appendCode(this.#table, hash, bytes);
    }
  }

  #stageAccount({ address, account }: AccountChange): void {
    checkLength(address, 20);
    this.#keyBytes.set(address);
    const { payload } = this.#change;
    payload.fill(0);
    if (account === null) {
      payload[ACCOUNT_PAYLOAD.code] = NO_ACCOUNT;
      return;
    }
    const code = findCode(this.#table, account.codeHash);
    if (code < 0) throw new Error('an account has code that no diff contained');
    this.#payloadLongs[0] = account.nonce;
    this.#payloadLongs[1] = account.balance;
    this.#payloadLongs[2] = account.balance >> 64n;
    payload[ACCOUNT_PAYLOAD.code] = code;
    payload[ACCOUNT_PAYLOAD.wide] = isWide(account) ? this.#halfId(account.balance >> 128n) : 0;
  }

  #stageSlot({ address, slot, value }: SlotChange): void {
    checkLength(address, 20);
    checkLength(slot, 32);
    checkLength(value, 32);
    this.#keyBytes.set(address);
    this.#keyBytes.set(slot, 20);
    this.#payloadBytes.set(value);
  }

  #halfId(half: bigint): number {
    const known = this.#halves.get(half);
    if (known !== undefined) return known;
    const { words, regions } = this.#table;
    const id = words[HEADER.halves]! + 1;
    const bytes = toBytes(half, HALF_WORDS * 4).toReversed();
    words.set(new Int32Array(bytes.buffer), regions.halves + id * HALF_WORDS);
    words[HEADER.halves] = id;
    this.#halves.set(half, id);
    return id;
  }

  /** Ordinal of the newest complete block seen from the version at hand, after recording what became complete. */
  #extendChain({ coordinates }: StateDiff, version: number): number {
    const { block, hash, parentHash } = coordinates;
    const before = this.#newest;
    let top = before === null ? this.#seeded : topOf(this.#table, before.version);
    if (before !== null && before.coordinates.hash === null && before.coordinates.block === block - 1) {
      // The block before was left without being confirmed: it ended with the version before, and its child names it.
      const ended = { number: block - 1, hash: parentHash, parentHash: before.coordinates.parentHash };
      top = appendBlock(this.#table, { ...ended, completedAt: before.version }, top);
    }
    top = findBelow(this.#table, top, block);
    if (top !== 0 && numberAt(this.#table, top) === block - 1 && !isEqual(hashOf(this.#table, top), parentHash))
      top = 0;
    return hash === null
      ? top
      : appendBlock(this.#table, { number: block, hash, parentHash, completedAt: version }, top);
  }

  /** Lets go of versions outside of the kept window; never of the block that `latest` stands for at the moment. */
  #raiseFloor(version: number, latest: number): void {
    const { versionsKept, blocksKept } = this.#options;
    const top = this.#newest === null ? 0 : topOf(this.#table, this.#newest.version);
    const oldest = completedAt(this.#table, findBlock(this.#table, top, latest - blocksKept + 1));
    this.#floorTo(Math.min(Math.max(version - versionsKept + 1, oldest), this.#latestVersion()));
  }

  #floorTo(version: number): void {
    const { words } = this.#table;
    if (version > words[HEADER.floor]!) Atomics.store(words, HEADER.floor, version);
  }

  /** The version that `latest` reads, seen from the newest one. */
  #latestVersion(): number {
    return this.#newest?.latestVersion === 0 ? this.newest : (this.#newest?.latestVersion ?? 1);
  }

  /** Sees to it that everything in a diff fits before the first word of it is written. */
  #makeRoom(diff: StateChanges): void {
    const { capacities, words } = this.#table;
    const accounts = this.#accounts + diff.accounts.length;
    const slots = this.#slots + diff.slots.length;
    const codes = words[HEADER.codes]! + diff.codes.length;
    const codeSize = diff.codes.reduce((sum, { bytes }) => sum + codeWords(bytes), words[HEADER.codeWords]!);
    const halves = words[HEADER.halves]! + diff.accounts.filter(({ account }) => isWide(account)).length;
    const wanted = {
      accounts: accounts > capacities.accounts * LOAD_MAX ? placesFor(accounts * 1.2) : capacities.accounts,
      slots: slots > capacities.slots * LOAD_MAX ? placesFor(slots * 1.2) : capacities.slots,
      codes: codes > capacities.codes ? codes * 2 : capacities.codes,
      codeWords: codeSize > capacities.codeWords ? codeSize * 2 : capacities.codeWords,
      halves: halves > capacities.halves ? halves * 2 : capacities.halves,
      older: this.#olderWanted(Math.min(diff.accounts.length + diff.slots.length, this.#accounts + this.#slots)),
    };
    const grows = CAPACITIES.some((name) => wanted[name] > capacities[name]);
    if (grows || this.#isTainted) this.#rebuild(wanted, this.#table.hashKey);
  }

  /** Places that the older records need, after reclaiming what can be: the window, then pins give way at the bound. */
  #olderWanted(records: number): number {
    const { capacities, words } = this.#table;
    const isShort = (): boolean => this.#older.free < records;
    if (isShort()) this.#reclaim(words[HEADER.floor]!);
    if (!isShort()) return capacities.older;
    const larger = powerOfTwo(Math.max(capacities.older * 2, records * 2 + 2));
    if (larger * OLDER.words * 4 <= this.#options.olderBytesMax) return larger;
    this.#reclaim(this.#latestVersion());
    if (isShort()) this.#reclaim(this.newest);
    if (isShort()) this.#older.reclaim(this.newest);
    return isShort() ? larger : capacities.older;
  }

  /** Frees records that no version from `floor` on needs, and none that is pinned. */
  #reclaim(floor: number): void {
    this.#floorTo(floor);
    this.#older.reclaim(Math.min(floor, leastPinned(this.#table)));
  }

  #rebuild(wanted: Partial<Capacities>, hashKey: Int32Array): void {
    const old = this.#table;
    const rebuilt = rebuildTable(old, { ...old.capacities, ...wanted }, hashKey);
    this.#table = rebuilt.table;
    this.#older = new OlderRing(rebuilt.table);
    this.#accounts = rebuilt.accounts;
    this.#slots = rebuilt.slots;
    this.#isTainted = false;
    Atomics.store(old.words, HEADER.retired, this.generation);
  }
}

/** Places for entries at half the load that calls for a rebuild or more. */
function placesFor(entries: number): number {
  return powerOfTwo(Math.ceil(entries / LOAD_MAX) + 1);
}

function recordsFor(bytes: number): number {
  return powerOfTwo(Math.max(4, Math.floor(bytes / (OLDER.words * 4))));
}

function isWide(account: AccountChange['account']): boolean {
  return account !== null && account.balance >= 2n ** 128n;
}

function readHalf({ words, regions }: Table, id: number): bigint {
  const at = regions.halves + id * HALF_WORDS;
  return new BigUint64Array(new Int32Array(words.subarray(at, at + HALF_WORDS)).buffer).reduceRight(
    (half, long) => (half << 64n) | long,
    0n,
  );
}

function isEqual(a: Uint8Array | null, b: Uint8Array): boolean {
  return a !== null && Buffer.compare(a, b) === 0;
}

function checkLength(bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new RangeError(`${bytes.length} bytes where ${length} belong`);
}
