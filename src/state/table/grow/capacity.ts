// Computes the capacities that a table must have, and those that it may have. Pure.
import type { StateChanges } from '../../state-diff.js';
import { codeSizeWords } from '../layout/codes.js';
import { isLargeBalance } from '../layout/large-balances.js';
import {
  CAPACITY_NAMES,
  TABLE_HEADER,
  GROWTH_LOAD_FACTOR,
  LOAD_FACTOR_MAX,
  OLDER_VALUE_RECORD,
  nextPowerOfTwo,
  computeRegionOffsets,
  type Capacities,
} from '../layout/layout.js';
import type { EntryCounts } from './table-copy.js';
import type { Table } from '../layout/table.js';

/** What a table is expected to contain. */
export interface ExpectedEntries {
  /** Accounts and storage slots. */
  readonly accounts: number;
  readonly slots: number;
  readonly codeBytes: number;
  /** Bytes for superseded values that older versions still read, at 64 bytes a value. */
  readonly olderBytes: number;
}

/** Mean bytes of a contract, for the size of the code directory. Proxies and delegations are small. */
const CODE_BYTES_MEAN = 256;
const HALVES = 1024;
/** With fewer slots than this, a table is not made smaller to fit its memory. */
const SLOTS_LEAST = 1024;
/** Factor by which a table is larger than it must be. */
const GROWTH = 1.2;

/** Capacities of a new table. They are reduced if it would take more than half of `bytesMax`. */
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
  return initialCapacities(halved(expected), bytesMax);
}

function halved({ accounts, slots, codeBytes, olderBytes }: ExpectedEntries): ExpectedEntries {
  return { accounts: accounts / 2, slots: slots / 2, codeBytes: codeBytes / 2, olderBytes: olderBytes / 2 };
}

/** Capacities that a table of `entries` needs to store `changes`, without records of older values. */
export function capacitiesToStore(
  { capacities, words }: Table,
  { accounts, slots }: EntryCounts,
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

const CODE_REGIONS = ['codes', 'codeWords'] as const;
/** Share of the code region added since the last copy that makes one to drop unused codes, memory allowing. */
const CODES_ADDED = 1 / 16;
/** If codes use more than REGION_HIGH, accounts are evicted until this share of the region stays in use. */
const CODES_WANTED = 0.6;
/** When this share of a region that is only appended to is in use, a larger one is made. */
const REGION_HIGH = 0.75;
/** The same share for older values, whose ring is supposed to wrap at half. */
const OLDER_HIGH = 0.5;
/** If another region grows, a region that has reached this fraction of its threshold grows with it. */
const ALONG = 0.75;

/** What is in use in a table. */
export interface TableLoad {
  readonly used: EntryCounts;
  /** Records of older values. */
  readonly older: number;
}

/** Capacities of the next table, filled before this one is full: the largest that `fits`, or `null`. */
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

/** Number of codes in a table, and of the words that they take. */
export type CodeUse = Pick<Capacities, 'codes' | 'codeWords'>;

/** The codes and code words that are in use. */
export function codesInUse({ words }: Table): CodeUse {
  return { codes: words[TABLE_HEADER.codes]!, codeWords: words[TABLE_HEADER.codeWords]! };
}

/** True if codes have filled enough since the last copy, after which `before` was in use, for another. */
export function isCodeCopyDue(table: Table, before: CodeUse): boolean {
  const used = codesInUse(table);
  return CODE_REGIONS.some((name) => {
    const buckets = table.capacities[name];
    return used[name] > buckets * REGION_HIGH && used[name] - before[name] > buckets * CODES_ADDED;
  });
}

/** How many accounts may stay if codes take `used` after a copy; Infinity if there is space enough. */
export function accountsMaxForCodes({ capacities }: Table, accounts: number, used: CodeUse): number {
  const share = Math.max(...CODE_REGIONS.map((name) => used[name] / capacities[name]));
  return share > REGION_HIGH ? Math.floor((accounts * CODES_WANTED) / share) : Infinity;
}

export function tableBytes(capacities: Capacities): number {
  return computeRegionOffsets(capacities).end * 4;
}

function isLarger(wanted: Capacities, than: Capacities): boolean {
  return CAPACITY_NAMES.some((name) => wanted[name] > than[name]);
}

/** Doubles each region whose use has reached this fraction of its threshold. */
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

/** Capacity of the next larger ring of older values with space for `records` more. */
export function largerRingCapacity({ capacities }: Table, records: number): number {
  return nextPowerOfTwo(Math.max(capacities.older * 2, records * 2 + 2));
}

/** Number of buckets with which the entries have at most half of the load that forces a rebuild. */
function bucketsFor(entries: number): number {
  return nextPowerOfTwo(Math.ceil(entries / LOAD_FACTOR_MAX) + 1);
}
