// Reads the shared state table: TableReader gives access to state versions and blocks, Snapshot to the state at one
// version.
import { ACCOUNT_PAYLOAD, TABLE_HEADER, NONEXISTENT_ACCOUNT_CODE_ID, PAYLOAD_WORDS } from '../layout/table-layout.js';
import {
  versionOfBlockAt,
  findBlockRecord,
  findBlockRecordsByHash,
  blockHashAtOrdinal,
  blockNumberAt,
} from '../layout/block-ring.js';
import { codeBytes, codeHash, findCode } from '../layout/codes.js';
import { readAccount, readSlot } from './entry-reader.js';
import { readBalanceHighHalf } from '../layout/balance-high-halves.js';
import { PackedKey } from '../layout/packed-key.js';
import { Pin, PinAgeTracker } from '../layout/reader-pins.js';
import { StateMiss, VersionNotKept } from '../../views/state-miss.js';
import { openTable, type Table } from '../layout/table.js';
import { readVersionRecord, newestBlockOrdinal, type VersionRecord } from '../layout/state-version-record.js';
import type { KeyPresenceView } from '../../views/miss-recording-view.js';
import type { AccountState, StateView } from '../../views/state-view.js';

export type { VersionRecord } from '../layout/state-version-record.js';
export { StateMiss, VersionNotKept } from '../../views/state-miss.js';

/** Returned by `blockOfHash` if no block with this hash is known. */
export const BLOCK_HASH_UNKNOWN = -1;
/**
 * Returned by `blockOfHash` if the block is known, but is not canonical in the state version.
 */
export const HASH_NOT_CANONICAL = -2;

let serials = 0;

/** Number of entries in the table, and counters of the work for growth and eviction since the state was started. */
export interface TableUsage {
  readonly accounts: number;
  readonly slots: number;
  readonly evictions: number;
  /** Number of copies that were not finished before the table was full, so that the writer had to wait. */
  readonly stalls: number;
  /** Number of copies of the whole table in one go, made to change the hash key or after a failed publication. */
  readonly rebuilds: number;
  /** Duration in milliseconds of the longest time slice of copying and evicting. */
  readonly sliceMsMax: number;
  /**
   * Largest number of buckets that were copied or visited in one time slice. It depends on how much was written since
   * the previous slice, not on the size of the table.
   */
  readonly sliceBucketsMax: number;
}

/** One thread's access to one table buffer. */
export class TableReader {
  readonly #table: Table;
  readonly #watch = new PinAgeTracker();
  #record: VersionRecord | null = null;
  /** Number that identifies this reader among all readers of this thread. */
  readonly serial = (serials += 1);

  constructor(buffer: SharedArrayBuffer) {
    this.#table = openTable(buffer);
  }

  /** Returns the newest state version, which `pending` reads; 0 before the first one. */
  newest(): number {
    return Atomics.load(this.#table.words, TABLE_HEADER.newest);
  }

  /** Number of the buffer, which increases by one whenever a larger buffer replaces it. */
  get generation(): number {
    return this.#table.words[TABLE_HEADER.generation]!;
  }

  /** True if the state is complete, so that a missing key is zero. Otherwise reading a missing key throws StateMiss. */
  get isComplete(): boolean {
    return this.#table.isComplete;
  }

  /** Returns true if the state version is retained, so that it can be pinned. */
  isKept(version: number): boolean {
    return version >= Atomics.load(this.#table.words, TABLE_HEADER.floor) && version <= this.newest();
  }

  get buffer(): SharedArrayBuffer {
    return this.#table.buffer;
  }

  /** Size of the buffer in bytes. It is reserved; only pages that were written take physical memory. */
  get bytes(): number {
    return this.#table.buffer.byteLength;
  }

  /** Returns the number of entries, and the counters of growth and eviction. */
  usage(): TableUsage {
    const { words } = this.#table;
    return {
      accounts: words[TABLE_HEADER.accounts]!,
      slots: words[TABLE_HEADER.slots]!,
      evictions: (words[TABLE_HEADER.evictions]! >>> 0) + words[TABLE_HEADER.evictions + 1]! * 2 ** 32,
      stalls: words[TABLE_HEADER.stalls]!,
      rebuilds: words[TABLE_HEADER.rebuilds]!,
      sliceMsMax: words[TABLE_HEADER.sliceUsMax]! / 1000,
      sliceBucketsMax: words[TABLE_HEADER.sliceBucketsMax]!,
    };
  }

  /**
   * Returns the age of the oldest pin, as observed by calls of this method. An age above LIMITS.pinAgeMsMax raises an
   * alarm.
   */
  oldestPinAgeMs(nowMs: number): number {
    return this.#watch.oldestMs(this.#table, nowMs);
  }

  /** Returns a pin for this thread, which should be acquired once and reused. */
  acquirePin(): Pin {
    return new Pin(this.#table);
  }

  /** Returns the record of a state version. Throws VersionNotKept if the version is too old and not pinned. */
  record(version: number): VersionRecord {
    if (this.#record?.version === version) return this.#record;
    const record = version > this.newest() ? null : readVersionRecord(this.#table, version);
    if (record === null) throw new VersionNotKept(version);
    this.#record = record;
    return record;
  }

  /**
   * Returns the version with the state after block `block` on the chain of version `seenFrom`; 0 if that state is not
   * retained, or if the block is not confirmed in `seenFrom`.
   */
  versionOfBlock(block: number, seenFrom: number): number {
    if (block > this.record(seenFrom).heads.latest) return 0;
    const version = versionOfBlockAt(
      this.#table,
      findBlockRecord(this.#table, newestBlockOrdinal(this.#table, seenFrom), block),
    );
    return version >= Atomics.load(this.#table.words, TABLE_HEADER.floor) ? version : 0;
  }

  /**
   * Returns the number of the block with this hash if the block is canonical in state version `seenFrom`; otherwise
   * BLOCK_HASH_UNKNOWN or HASH_NOT_CANONICAL.
   */
  blockOfHash(hash: Uint8Array, seenFrom: number): number {
    const top = newestBlockOrdinal(this.#table, seenFrom);
    let answer = BLOCK_HASH_UNKNOWN;
    for (const ordinal of findBlockRecordsByHash(this.#table, hash)) {
      const number = blockNumberAt(this.#table, ordinal);
      if (number < 0 || number > this.record(seenFrom).heads.latest) continue;
      if (findBlockRecord(this.#table, top, number) === ordinal) return number;
      answer = HASH_NOT_CANONICAL;
    }
    return answer;
  }

  /**
   * Returns the newest version with the state after the block with this hash, canonical or not; 0 if none is retained.
   */
  versionOfHash(hash: Uint8Array): number {
    const versions = [...findBlockRecordsByHash(this.#table, hash)].map((ordinal) =>
      versionOfBlockAt(this.#table, ordinal),
    );
    return Math.max(0, ...versions.filter((version) => this.isKept(version)));
  }

  /** Returns the state at a version that the caller has pinned. */
  snapshot(version: number): Snapshot {
    return new Snapshot(this.#table, this, version);
  }

  /**
   * Redirects an existing snapshot, of any table, to this table and to `version`. It keeps no reference to its previous
   * table, whose memory can be freed. Throws the same as `aim`.
   */
  move(snapshot: Snapshot, version: number): void {
    snapshot.moveTo(this.#table, this, version);
  }
}

/**
 * The state at one version. `aim` changes the version without allocating. If the version is not pinned, reads may throw
 * VersionNotKept.
 */
export class Snapshot implements StateView, KeyPresenceView {
  #table: Table;
  #reader: TableReader;
  #version = 0;
  readonly #payload = new Int32Array(PAYLOAD_WORDS);
  readonly #payloadBytes = new Uint8Array(this.#payload.buffer);
  readonly #payloadLongs = new BigUint64Array(this.#payload.buffer);
  readonly #key = new PackedKey();
  /** Code hashes by code id, copied out of shared memory. */
  #codeHashes: Uint8Array[] = [];

  constructor(table: Table, reader: TableReader, version: number) {
    this.#table = table;
    this.#reader = reader;
    this.aim(version);
  }

  /** The state version at which the snapshot reads. */
  get version(): number {
    return this.#version;
  }

  /**
   * A number that identifies the reader and the state version. The version alone would not be enough, because another
   * table may have a version with the same number.
   */
  get stamp(): number {
    return this.#reader.serial * 2 ** 32 + this.#version;
  }

  /** Reads at another version from now on. Throws VersionNotKept if state of that version is no longer in the table. */
  aim(version: number): void {
    assertThere(this.#table, version);
    this.#version = version;
  }

  /** Reads another table from now on. Called by TableReader only. */
  moveTo(table: Table, reader: TableReader, version: number): void {
    assertThere(table, version);
    this.#table = table;
    this.#reader = reader;
    this.#version = version;
    this.#codeHashes = [];
  }

  /** Implements StateView. Throws StateMiss if an incomplete table lacks the account. */
  account(address: Uint8Array): AccountState | null {
    if (!this.hasAccount(address)) throw new StateMiss(address.slice(), null);
    const code = this.#payload[ACCOUNT_PAYLOAD.code]!;
    if (code === NONEXISTENT_ACCOUNT_CODE_ID) return null;
    return { nonce: this.#payloadLongs[0]!, balance: this.#balance(), codeHash: this.#codeHash(code) };
  }

  /** Returns the code with this hash, without copying it out of shared memory. Callers that retain it must copy it. */
  code(hash: Uint8Array): Uint8Array {
    const id = findCode(this.#table, hash);
    if (id < 0) throw new Error('code that no account has');
    return codeBytes(this.#table, id);
  }

  /** Returns true if the table has this code. It has the code of every account that this snapshot has returned. */
  hasCode(hash: Uint8Array): boolean {
    return findCode(this.#table, hash) >= 0;
  }

  /** Implements StateView. Throws StateMiss if an incomplete table lacks the slot. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    if (!this.hasSlot(address, slot)) throw new StateMiss(address.slice(), slot.slice());
    return this.#payloadBytes.slice();
  }

  /**
   * Returns true if `account` would not throw StateMiss, which happens only if an incomplete table lacks the key. Also
   * reads the account's payload into `#payload`; zeros if the account does not exist.
   */
  hasAccount(address: Uint8Array): boolean {
    this.#key.setAddress(address);
    if (readAccount(this.#table, this.#key.words, 0, this.#version, this.#payload)) return true;
    this.#payload.fill(0);
    this.#payload[ACCOUNT_PAYLOAD.code] = NONEXISTENT_ACCOUNT_CODE_ID;
    return this.#table.isComplete;
  }

  /**
   * Returns true if `storage` would not throw StateMiss, which happens only if an incomplete table lacks the key. Also
   * reads the slot's word into `#payload`; zeros if the slot was never written.
   */
  hasSlot(address: Uint8Array, slot: Uint8Array): boolean {
    this.#key.setSlot(address, slot);
    if (readSlot(this.#table, this.#key.words, 0, 5, this.#version, this.#payload)) return true;
    this.#payload.fill(0);
    return this.#table.isComplete;
  }

  blockHash(number: number): Uint8Array | null {
    const { coordinates } = this.#reader.record(this.#version);
    if (number === coordinates.block - 1) return coordinates.parentHash;
    if (number >= coordinates.block) return number === coordinates.block ? coordinates.hash : null;
    return blockHashAtOrdinal(
      this.#table,
      findBlockRecord(this.#table, newestBlockOrdinal(this.#table, this.#version), number),
    );
  }

  #balance(): bigint {
    const low = this.#payloadLongs[1]! | (this.#payloadLongs[2]! << 64n);
    const wide = this.#payload[ACCOUNT_PAYLOAD.wide]!;
    return wide === 0 ? low : low | (readBalanceHighHalf(this.#table, wide) << 128n);
  }

  #codeHash(id: number): Uint8Array {
    return (this.#codeHashes[id] ??= codeHash(this.#table, id));
  }
}

function assertThere({ words }: Table, version: number): void {
  if (version < 1 || version < words[TABLE_HEADER.reclaimed]!) throw new VersionNotKept(version);
}
