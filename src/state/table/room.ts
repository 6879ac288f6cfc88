// How large a table has to be. Pure. Runs on the publisher.
import type { StateChanges } from '../diff.js';
import { codeWords } from './codes.js';
import { isWide } from './halves.js';
import { HEADER, LOAD_MAX, OLDER, powerOfTwo, type Capacities } from './layout.js';
import type { Table } from './table.js';

/** What a table is expected to hold. */
export interface Expectation {
  /** Accounts and storage slots. */
  readonly accounts: number;
  readonly slots: number;
  /** Bytes of contract code. */
  readonly codeBytes: number;
  /** Bytes for values that older versions still read, 64 a value. */
  readonly olderBytes: number;
}

/** Entries of a table. */
export interface EntryCounts {
  readonly accounts: number;
  readonly slots: number;
}

/** Mean bytes of a contract, for the size of the directory: proxies and delegations are small, the rest is not. */
const CODE_BYTES_MEAN = 256;
const HALVES = 1024;
/** Entries that a table is made larger for, beyond those that it must take. */
const GROWTH = 1.2;

/** Places of a new table. */
export function firstCapacities({ accounts, slots, codeBytes, olderBytes }: Expectation): Capacities {
  return {
    accounts: placesFor(accounts),
    slots: placesFor(slots),
    older: powerOfTwo(Math.max(4, Math.floor(olderBytes / (OLDER.words * 4)))),
    codes: Math.ceil(codeBytes / CODE_BYTES_MEAN) + 1,
    codeWords: Math.ceil(codeBytes / 4),
    halves: HALVES,
  };
}

/** Places that a table needs to take `changes`, all of them new keys at worst; those of older records are left out. */
export function capacitiesFor(
  { capacities, words }: Table,
  held: EntryCounts,
  changes: StateChanges,
): Omit<Capacities, 'older'> {
  const accounts = held.accounts + changes.accounts.length;
  const slots = held.slots + changes.slots.length;
  const codes = words[HEADER.codes]! + changes.codes.length;
  const codeSize = changes.codes.reduce((sum, { bytes }) => sum + codeWords(bytes), words[HEADER.codeWords]!);
  const halves =
    words[HEADER.halves]! + changes.accounts.filter(({ account }) => isWide(account?.balance ?? 0n)).length;
  return {
    accounts: accounts > capacities.accounts * LOAD_MAX ? placesFor(accounts * GROWTH) : capacities.accounts,
    slots: slots > capacities.slots * LOAD_MAX ? placesFor(slots * GROWTH) : capacities.slots,
    codes: codes > capacities.codes ? codes * 2 : capacities.codes,
    codeWords: codeSize > capacities.codeWords ? codeSize * 2 : capacities.codeWords,
    halves: halves > capacities.halves ? halves * 2 : capacities.halves,
  };
}

/** Places of the next larger ring of older records that takes `records` more. */
export function largerRing({ capacities }: Table, records: number): number {
  return powerOfTwo(Math.max(capacities.older * 2, records * 2 + 2));
}

/** Places for entries at half the load that calls for a rebuild or more. */
function placesFor(entries: number): number {
  return powerOfTwo(Math.ceil(entries / LOAD_MAX) + 1);
}
