// Random tables of few keys, written many times: values that are superseded, keys that were deleted, given up or never there.
import type { StateDiff } from '../../../src/state/diff.js';
import { TableWriter, type TableOptions } from '../../../src/state/table/writer.js';
import { account, deleted, diffOf, hashOf, slot } from '../../state/diffs.js';
import { RESTLESS } from '../../support/table-settings.js';
import type { Random } from '../decode/request-bodies.js';

/** Keys that a table has or had lie below these, so that a few of them are absent. */
export const ACCOUNTS = 40;
/** Slots of each account. */
export const SLOTS = 3;
const KEPT = { olderBytes: 2 ** 14, codeBytes: 64, versionsKept: 64, blocksKept: 16 };
const UNMOVED = { accounts: 40, slots: 120, olderBytes: 2 ** 19, versionsKept: 4, blocksKept: 2, memoryBytesMax: 0 };
/** Complete; incomplete and copied all the time; incomplete and never copied, so that places given up stay. */
const KINDS: readonly Partial<TableOptions>[] = [
  { complete: true, accounts: 50, slots: 150, ...KEPT },
  { ...RESTLESS, complete: false },
  { ...RESTLESS, ...UNMOVED, complete: false },
];
const NONCES = [0n, 1n, 9n, 15n, 16n, 2n ** 28n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 60n, 2n ** 64n - 1n];
/** Of one word to all four, and beyond: what is wider lies elsewhere. */
const BALANCES = [
  0n,
  1n,
  15n,
  16n,
  2n ** 32n - 1n,
  2n ** 64n,
  10n ** 20n,
  2n ** 100n + 1n,
  2n ** 128n - 1n,
  2n ** 128n,
];

/** A table after some publications. `writer.newest` is ahead of `latest` mostly. */
export function randomTable(random: Random): TableWriter {
  const writer = TableWriter.create(random.pick(KINDS));
  let block = 1;
  let index = 0;
  for (let publications = 1 + random.below(30); publications > 0; publications--) {
    const isLast = random.chance(25);
    writer.publish({ ...changes(random, block, index), ...(isLast && confirmed(block, index)) });
    index = isLast ? 0 : index + 1;
    if (isLast) block++;
  }
  return writer;
}

function confirmed(block: number, index: number): Pick<StateDiff, 'coordinates' | 'heads'> {
  const { coordinates, heads } = diffOf({ block, index, hash: hashOf(block) });
  return { coordinates, heads };
}

function changes(random: Random, block: number, index: number): StateDiff {
  const some = random.chance(10) ? 100 : 30;
  const accounts = range(ACCOUNTS)
    .filter(() => random.chance(some))
    .map((key) => (random.chance(10) ? deleted(key) : account(key, random.pick(NONCES), random.pick(BALANCES))));
  const slots = range(ACCOUNTS * SLOTS)
    .filter(() => random.chance(some))
    .map((key) => slot(Math.floor(key / SLOTS), key % SLOTS, random.chance(10) ? 0 : random.below(2 ** 31)));
  return diffOf({ block, index, accounts, slots });
}

function range(end: number): number[] {
  return Array.from({ length: end }, (_, i) => i);
}
