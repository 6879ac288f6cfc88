// Computes which capacities a state table needs, and which of them the memory limit allows. Pure.
import type { StateChanges } from '../../state-diff.js';
import { codeSizeWords } from '../layout/codes.js';
import { isLargeBalance } from '../layout/balance-high-halves.js';
import {
  CAPACITY_NAMES,
  TABLE_HEADER,
  GROWTH_LOAD_FACTOR,
  LOAD_FACTOR_MAX,
  OLDER_VALUE_RECORD,
  nextPowerOfTwo,
  computeRegionOffsets,
  type Capacities,
} from '../layout/table-layout.js';
import type { TableEntryCounts } from './table-copy.js';
import type { Table } from '../layout/table.js';

/** What a new table is expected to contain. */
export interface ExpectedEntries {
  /** Number of accounts and of storage slots. */
  readonly accounts: number;
  readonly slots: number;
  readonly codeBytes: number;
  /** Bytes for replaced values that older state versions still read. Each value takes 64 bytes. */
  readonly olderBytes: number;
}

/**
 * Assumed mean size of a contract's code in bytes, from which the size of the code directory is computed. It is so low
 * because proxies and delegations are small.
 */
const CODE_BYTES_MEAN = 256;
const HALVES = 1024;
/** A table is not made smaller than for this number of slots, even if it then exceeds its memory limit. */
const SLOTS_LEAST = 1024;
/** When accounts or slots must grow at once, they get space for this many times the number of entries. */
const GROWTH = 1.2;

/** Returns the capacities of a new table. They are reduced if the table would take more than half of `bytesMax`. */
export function initialCapacities(expected: ExpectedEntries, bytesMax: number): Capacities {
  const { accounts, slots, codeBytes, olderBytes } = expected;
  const buckets = {
    accounts: bucketsFor(accounts),
    slots: bucketsFor(slots),
    older: nextPowerOfTwo(Math.max(4, Math.floor(olderBytes / (OLDER_VALUE_RECORD.words * 4)))),
    codes: Math.ceil(codeBytes / CODE_BYTES_MEAN) + 1,
    codeWords: Math.ceil(codeBytes / 4),
    halves: HALVES,
  };
  if (tableBytes(buckets) <= bytesMax / 2 || slots < SLOTS_LEAST) return buckets;
  const half = { accounts: accounts / 2, slots: slots / 2, codeBytes: codeBytes / 2, olderBytes: olderBytes / 2 };
  return initialCapacities(half, bytesMax);
}

/**
 * Returns the capacities that a table needs so that `changes` can be written. `accounts` and `slots` are the numbers of
 * entries afterwards. The ring of older values is not considered.
 */
export function capacitiesForChanges(
  { capacities, words }: Table,
  { accounts, slots }: TableEntryCounts,
  changes: StateChanges,
): Omit<Capacities, 'older'> {
  const codes = words[TABLE_HEADER.codes]! + changes.codes.length;
  const codeSize = changes.codes.reduce((sum, { bytes }) => sum + codeSizeWords(bytes), words[TABLE_HEADER.codeWords]!);
  const halves =
    words[TABLE_HEADER.halves]! +
    changes.accounts.filter(({ account }) => isLargeBalance(account?.balance ?? 0n)).length;
  return {
    accounts: accounts > capacities.accounts * LOAD_FACTOR_MAX ? bucketsFor(accounts * GROWTH) : capacities.accounts,
    slots: slots > capacities.slots * LOAD_FACTOR_MAX ? bucketsFor(slots * GROWTH) : capacities.slots,
    codes: codes > capacities.codes ? codes * 2 : capacities.codes,
    codeWords: codeSize > capacities.codeWords ? codeSize * 2 : capacities.codeWords,
    halves: halves > capacities.halves ? halves * 2 : capacities.halves,
  };
}

/** A region of codes or high halves, to which data is only added, grows when more than this share of it is in use. */
export const REGION_HIGH = 0.75;
/**
 * The ring of older values grows when more than this share of it is in use, although records that no version needs have
 * been freed.
 */
const OLDER_HIGH = 0.5;
/** When another region grows, a region whose use has reached this fraction of its threshold grows, too. */
const ALONG = 0.75;

/** How much of a table is in use. */
export interface TableLoad {
  readonly used: TableEntryCounts;
  /** Number of records in the ring of older values. */
  readonly older: number;
}

/**
 * Returns the capacities of the next larger table, which should be filled from now on; `null` if no growth is needed
 * yet. The thresholds leave time to copy before this table is full. If memory does not allow that every region grows
 * as it should (`fits`), tries to enlarge fewer regions; returns `null` if that does not fit either.
 */
export function nextTableCapacities(
  table: Table,
  usage: TableLoad,
  fits: (wanted: Capacities) => boolean,
): Capacities | null {
  const due = enlarged(table, usage, 1);
  const { accounts, slots, older } = table.capacities;
  const along = isLarger(due, table.capacities) ? enlarged(table, usage, ALONG) : due;
  const choices = [
    along,
    due,
    { ...due, older },
    { ...due, slots, older },
    { ...due, accounts, slots },
    { ...due, accounts, slots, older },
  ];
  return choices.find((choice) => isLarger(choice, table.capacities) && fits(choice)) ?? null;
}

export function tableBytes(capacities: Capacities): number {
  return computeRegionOffsets(capacities).end * 4;
}

function isLarger(wanted: Capacities, than: Capacities): boolean {
  return CAPACITY_NAMES.some((name) => wanted[name] > than[name]);
}

/** Doubles the capacity of each region whose use has reached `part` (0 to 1) of the threshold for growing. */
function enlarged({ capacities, words }: Table, { used: current, older }: TableLoad, part: number): Capacities {
  const used = {
    accounts: current.accounts / GROWTH_LOAD_FACTOR,
    slots: current.slots / GROWTH_LOAD_FACTOR,
    older: older / OLDER_HIGH,
    codes: words[TABLE_HEADER.codes]! / REGION_HIGH,
    codeWords: words[TABLE_HEADER.codeWords]! / REGION_HIGH,
    halves: words[TABLE_HEADER.halves]! / REGION_HIGH,
  };
  const grown = CAPACITY_NAMES.map((name) => [name, capacities[name] * (used[name] > capacities[name] * part ? 2 : 1)]);
  return Object.fromEntries(grown) as Capacities;
}

/** Returns the capacity of the next larger ring of older values. It has space for another `records` records. */
export function largerRingCapacity({ capacities }: Table, records: number): number {
  return nextPowerOfTwo(Math.max(capacities.older * 2, records * 2 + 2));
}

/**
 * Returns the lowest number of buckets, a power of two, at which this many entries stay below LOAD_FACTOR_MAX.
 */
function bucketsFor(entries: number): number {
  return nextPowerOfTwo(Math.ceil(entries / LOAD_FACTOR_MAX) + 1);
}
