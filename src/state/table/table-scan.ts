// Scans the contents of a table at one state version, bucket by bucket. The scan is divided into slices, between which
// the writer can write.
//
// If the table moves to a larger buffer meanwhile, the scan continues in the old buffer, which no longer changes. It
// does not find state that is fetched after that. The scan only promises to find the keys that were in the table when
// it started.
import { codeBytes, codeHash, findCode } from './layout/codes.js';
import { ACCOUNT_ENTRIES, SLOT_ENTRIES, type EntryLayout } from './write/entry-writer.js';
import { EMPTY_BUCKET_TAG, TOMBSTONE_TAG } from './layout/key-hash.js';
import { ENTRY_FIELDS, TABLE_HEADER } from './layout/table-layout.js';
import type { Pin } from './layout/reader-pins.js';
import { TableReader, type Snapshot } from './read/table-reader-and-snapshot.js';
import { openTable, type Table } from './layout/table.js';
import { VersionNotKept } from '../views/state-miss.js';
import { ByteMap } from '../../lib/bytes/byte-map.js';
import type { MissingKeys } from '../views/miss-recording-view.js';
import {
  NO_STATE_CHANGES,
  type AccountChange,
  type CodeChange,
  type SlotChange,
  type StateChanges,
} from '../state-diff.js';
import { ADDRESS_BYTES, WORD_BYTES } from '../../lib/bytes/big-endian.js';

/** Mask of the lowest bits of an address's first word. Entries of other addresses are quickly skipped by these bits. */
const MARKED_BITS = 0xfff;

/**
 * Returns the slots of these accounts (20 bytes each) that are in the table at the newest state version. Visits all
 * buckets in one go, which takes about 5 ns for each and is limited by memory bandwidth.
 */
export function residentSlotsOfAccounts(
  buffer: SharedArrayBuffer,
  addresses: readonly Uint8Array[],
): MissingKeys['slots'] {
  if (addresses.length === 0) return [];
  const table = openTable(buffer);
  const reader = new TableReader(buffer);
  const snapshot = reader.snapshot(reader.newest());
  const wanted = new ByteMap<true>();
  for (const address of addresses) wanted.set(address, true);
  const marked = new Uint8Array(MARKED_BITS + 1);
  for (const address of addresses) marked[new Int32Array(address.slice(0, 4).buffer)[0]! & MARKED_BITS] = 1;
  const { words } = table;
  const found: { address: Uint8Array; slot: Uint8Array }[] = [];
  const first = table.regions.slots;
  const end = first + table.capacities.slots * SLOT_ENTRIES.words;
  for (let entry = first; entry < end; entry += SLOT_ENTRIES.words) {
    if (marked[words[entry + ENTRY_FIELDS.address]! & MARKED_BITS] === 0 || !isEntry(words[entry + ENTRY_FIELDS.tag]!))
      continue;
    const address = copyKeyBytes(table, entry, 0, ADDRESS_BYTES);
    const slot = copyKeyBytes(table, entry, ADDRESS_BYTES, WORD_BYTES);
    if (wanted.get(address) !== undefined && snapshot.hasSlot(address, slot)) found.push({ address, slot });
  }
  return found;
}

/** Scans a table at one state version, which stays pinned until the scan is closed. */
export class TableScan {
  readonly #table: Table;
  readonly #snapshot: Snapshot;
  readonly #pin: Pin;
  /** Highest code id at the start of the scan. Codes with a higher id were added later. */
  readonly #lastCode: number;
  /**
   * The slices as state changes: first codes, then accounts, then storage slots. Throws VersionNotKept if older values
   * were freed.
   */
  readonly slices: Generator<StateChanges, void>;

  /** Throws VersionNotKept. `sliceBuckets` is the number of buckets visited, or codes copied, in one slice. */
  constructor(buffer: SharedArrayBuffer, version: number, sliceBuckets: number) {
    const reader = new TableReader(buffer);
    this.#table = openTable(buffer);
    this.#pin = reader.acquirePin();
    if (!this.#pin.pin(version)) {
      this.#pin.close();
      throw new VersionNotKept(version);
    }
    this.#snapshot = reader.snapshot(version);
    this.#lastCode = this.#table.words[TABLE_HEADER.codes]!;
    this.slices = this.#run(sliceBuckets);
  }

  /** Ends the scan and unpins the state version. */
  close(): void {
    this.#pin.close();
  }

  *#run(sliceBuckets: number): Generator<StateChanges, void> {
    const last = this.#lastCode;
    for (let id = 1; id <= last; id += sliceBuckets) {
      yield { ...NO_STATE_CHANGES, codes: this.#codes(id, Math.min(last, id + sliceBuckets - 1)) };
    }
    for (const entries of this.#entries(ACCOUNT_ENTRIES, sliceBuckets)) {
      yield { ...NO_STATE_CHANGES, accounts: entries.flatMap((entry) => this.#account(entry)) };
    }
    for (const entries of this.#entries(SLOT_ENTRIES, sliceBuckets)) {
      yield { ...NO_STATE_CHANGES, slots: entries.flatMap((entry) => this.#slot(entry)) };
    }
  }

  #codes(first: number, last: number): CodeChange[] {
    return Array.from({ length: last - first + 1 }, (_, at) => {
      return { hash: codeHash(this.#table, first + at), bytes: codeBytes(this.#table, first + at).slice() };
    });
  }

  /** Yields the positions of the entries, slice by slice. Each slice is scanned only when it is requested. */
  *#entries(kind: EntryLayout, sliceBuckets: number): Generator<number[], void> {
    const { words, regions, capacities } = this.#table;
    const end = regions[kind.name] + capacities[kind.name] * kind.words;
    const sliceWords = sliceBuckets * kind.words;
    for (let first = regions[kind.name]; first < end; first += sliceWords) {
      const found: number[] = [];
      const last = Math.min(end, first + sliceWords);
      for (let entry = first; entry < last; entry += kind.words) {
        if (isEntry(words[entry + ENTRY_FIELDS.tag]!)) found.push(entry);
      }
      yield found;
    }
  }

  /**
   * Returns a list with the account. The list is empty if the account was added after the scan had started, or if it
   * does not exist and the table is complete.
   */
  #account(entry: number): AccountChange[] {
    const address = copyKeyBytes(this.#table, entry, 0, ADDRESS_BYTES);
    if (!this.#snapshot.hasAccount(address)) return [];
    const account = this.#snapshot.account(address);
    if (account !== null && findCode(this.#table, account.codeHash) > this.#lastCode) return [];
    return account === null && this.#table.isComplete ? [] : [{ address, account }];
  }

  #slot(entry: number): SlotChange[] {
    const address = copyKeyBytes(this.#table, entry, 0, ADDRESS_BYTES);
    const slot = copyKeyBytes(this.#table, entry, ADDRESS_BYTES, WORD_BYTES);
    if (!this.#snapshot.hasSlot(address, slot)) return [];
    const value = this.#snapshot.storage(address, slot);
    return this.#table.isComplete && value.every((byte) => byte === 0) ? [] : [{ address, slot, value }];
  }
}

/** Returns a copy of `length` bytes of an entry's key, from offset `at` on. The key is the address, then the slot. */
function copyKeyBytes({ buffer }: Table, entry: number, at: number, length: number): Uint8Array {
  return new Uint8Array(buffer, (entry + ENTRY_FIELDS.address) * 4 + at, length).slice();
}

function isEntry(tag: number): boolean {
  return tag !== EMPTY_BUCKET_TAG && tag !== TOMBSTONE_TAG;
}
