// Size that a table has to have, and may have. Pure. Runs on the publisher.
import type { StateChanges } from '../../diff.js';
import { codeWords } from '../layout/codes.js';
import { isWide } from '../layout/halves.js';
import {
  CAPACITIES,
  HEADER,
  LOAD_AHEAD,
  LOAD_MAX,
  OLDER,
  powerOfTwo,
  regionsOf,
  type Capacities,
} from '../layout/layout.js';
import type { EntryCounts } from './table-copy.js';
import type { Table } from '../layout/table.js';

/** Entries that a table is expected to hold. */
export interface Expectation {
  /** Accounts and storage slots. */
  readonly accounts: number;
  readonly slots: number;
  /** Bytes of contract code. */
  readonly codeBytes: number;
  /** Bytes for values that older versions still read, 64 a value. */
  readonly olderBytes: number;
}

/** Mean bytes of a contract, for the size of the directory: proxies and delegations are small, the rest is not. */
const CODE_BYTES_MEAN = 256;
const HALVES = 1024;
/** Slots below which a table is not made smaller for its memory. */
const SLOTS_LEAST = 1024;
/** Entries that a table is made larger for, beyond those that it must take. */
const GROWTH = 1.2;

/** Places of a new table; fewer where it would take more than half of `bytesMax`. */
export function firstCapacities(expected: Expectation, bytesMax: number): Capacities {
  const { accounts, slots, codeBytes, olderBytes } = expected;
  const places = {
    accounts: placesFor(accounts),
    slots: placesFor(slots),
    older: powerOfTwo(Math.max(4, Math.floor(olderBytes / (OLDER.words * 4)))),
    codes: Math.ceil(codeBytes / CODE_BYTES_MEAN) + 1,
    codeWords: Math.ceil(codeBytes / 4),
    halves: HALVES,
  };
  if (bytesOf(places) <= bytesMax / 2 || slots < SLOTS_LEAST) return places;
  return firstCapacities(halved(expected), bytesMax);
}

function halved({ accounts, slots, codeBytes, olderBytes }: Expectation): Expectation {
  return { accounts: accounts / 2, slots: slots / 2, codeBytes: codeBytes / 2, olderBytes: olderBytes / 2 };
}

/** Places that a table needs to take `changes`, with `entries` in it then; those of older records are left out. */
export function capacitiesFor(
  { capacities, words }: Table,
  { accounts, slots }: EntryCounts,
  changes: StateChanges,
): Omit<Capacities, 'older'> {
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

const CODE_REGIONS = ['codes', 'codeWords'] as const;
/** Share of a region of codes that is added before a copy is made for what is out of use, beside one that is as large. */
const CODES_ADDED = 1 / 16;
/** Share of it that accounts are to leave in use where they use more than REGION_HIGH. */
const CODES_WANTED = 0.6;
/** Share of a region that only ever fills from which on a larger one is made beside it. */
const REGION_HIGH = 0.75;
/** Share of the same of the older records, whose ring is to go round at half. */
const OLDER_HIGH = 0.5;
/** A region that has come this far to where it would have to grow grows together with another one. */
const ALONG = 0.75;

/** Places in use of a table. */
export interface Usage {
  readonly held: EntryCounts;
  /** Older records. */
  readonly older: number;
}

/**
 * Places of a table to be filled beside this one before it is full: the largest that `fits`; `null` where nothing is called
 * for or nothing that is would fit.
 */
export function capacitiesAhead(table: Table, usage: Usage, fits: (wanted: Capacities) => boolean): Capacities | null {
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

/** Codes in a table, and the words that they take. */
export type CodeUse = Pick<Capacities, 'codes' | 'codeWords'>;

/** Places in use by codes. */
export function codeUseOf({ words }: Table): CodeUse {
  return { codes: words[HEADER.codes]!, codeWords: words[HEADER.codeWords]! };
}

/**
 * True if codes have filled so much of a region since the last copy, which left `before`, that another one is worth it.
 */
export function areCodesDue(table: Table, before: CodeUse): boolean {
  const used = codeUseOf(table);
  return CODE_REGIONS.some((name) => {
    const places = table.capacities[name];
    return used[name] > places * REGION_HIGH && used[name] - before[name] > places * CODES_ADDED;
  });
}

/** Accounts that may stay, of so many, after a copy that has left `used` in use; Infinity where there is room for codes. */
export function accountsForCodes({ capacities }: Table, accounts: number, used: CodeUse): number {
  const share = Math.max(...CODE_REGIONS.map((name) => used[name] / capacities[name]));
  return share > REGION_HIGH ? Math.floor((accounts * CODES_WANTED) / share) : Infinity;
}

/** Bytes of a table with these places. */
export function bytesOf(capacities: Capacities): number {
  return regionsOf(capacities).end * 4;
}

function isLarger(wanted: Capacities, than: Capacities): boolean {
  return CAPACITIES.some((name) => wanted[name] > than[name]);
}

/** Twice the places of each region that is used to so much of the share at which it has to grow. */
function enlarged({ capacities, words }: Table, { held, older }: Usage, part: number): Capacities {
  const used = {
    accounts: held.accounts / LOAD_AHEAD,
    slots: held.slots / LOAD_AHEAD,
    older: older / OLDER_HIGH,
    codes: words[HEADER.codes]! / REGION_HIGH,
    codeWords: words[HEADER.codeWords]! / REGION_HIGH,
    halves: words[HEADER.halves]! / REGION_HIGH,
  };
  const grown = CAPACITIES.map((name) => [name, capacities[name] * (used[name] > capacities[name] * part ? 2 : 1)]);
  return Object.fromEntries(grown) as Capacities;
}

/** Places of the next larger ring of older records that takes `records` more. */
export function largerRing({ capacities }: Table, records: number): number {
  return powerOfTwo(Math.max(capacities.older * 2, records * 2 + 2));
}

/** Places for entries at half the load that calls for a rebuild or more. */
function placesFor(entries: number): number {
  return powerOfTwo(Math.ceil(entries / LOAD_MAX) + 1);
}
