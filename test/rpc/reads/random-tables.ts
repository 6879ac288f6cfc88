// Random tables with few keys that are written many times: superseded values, and keys that were deleted, evicted or
// never existed.
import type { StateDiff } from '../../../src/state/state-diff.js';
import { TableWriter, type TableOptions } from '../../../src/state/table/writer.js';
import { account, deleted, diffOf, hashOf, slot } from '../../state/diffs.js';
import { RESTLESS } from '../../support/table-settings.js';
import type { Random } from '../decode/request-bodies.js';

/** Existing keys have lower indexes, so that a few of these are absent. */
export const ACCOUNTS = 40;
/** Slots of each account. */
export const SLOTS = 3;
/** Tables rarely have more blocks than this. */
export const BLOCKS = 6;
const KEPT = { olderBytes: 2 ** 14, codeBytes: 64, versionsKept: 64, blocksKept: 16 };
const UNMOVED = { accounts: 40, slots: 120, olderBytes: 2 ** 19, versionsKept: 4, blocksKept: 2, memoryBytesMax: 0 };
/** Complete; incomplete and always being copied; incomplete and never copied, so that evicted entries remain. */
const KINDS: readonly Partial<TableOptions>[] = [
  { complete: true, accounts: 50, slots: 150, ...KEPT },
  { ...RESTLESS, complete: false },
  { ...RESTLESS, ...UNMOVED, complete: false },
];
const NONCES = [0n, 1n, 9n, 15n, 16n, 2n ** 28n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 60n, 2n ** 64n - 1n];
/** From one word to four, and beyond: wide balances are stored separately. */
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

/** A table after some publications. Mostly `writer.newest` is ahead of `latest`; sometimes blocks were replaced. */
export function randomTable(random: Random): TableWriter {
  const writer = TableWriter.create(random.pick(KINDS));
  /** Hashes of the complete blocks. */
  const hashes: Uint8Array[] = [];
  let index = 0;
  for (let publications = 2 + random.below(30), fork = 0; publications > 0; publications--, index++) {
    const isLast = hashes.length === 0 || random.chance(40);
    writer.publish(changes(random, hashes, index, isLast ? fork : null));
    if (!isLast) continue;
    hashes.push(hashOf(hashes.length, fork));
    index = -1;
    if (random.chance(15)) hashes.length = Math.max(1, hashes.length - random.below(4));
    if (random.chance(15)) fork++;
  }
  return writer;
}

/** The next increment; with a `fork`, the last one of its block. */
function changes(random: Random, hashes: readonly Uint8Array[], index: number, fork: number | null): StateDiff {
  const block = hashes.length;
  const some = random.chance(10) ? 100 : 30;
  const accounts = range(ACCOUNTS)
    .filter(() => random.chance(some))
    .map((key) => (random.chance(10) ? deleted(key) : account(key, random.pick(NONCES), random.pick(BALANCES))));
  const slots = range(ACCOUNTS * SLOTS)
    .filter(() => random.chance(some))
    .map((key) => slot(Math.floor(key / SLOTS), key % SLOTS, random.chance(10) ? 0 : random.below(2 ** 31)));
  const place = {
    block,
    index,
    parentHash: hashes.at(-1) ?? hashOf(0),
    ...(fork !== null && { hash: hashOf(block, fork) }),
  };
  const diff = diffOf({ ...place, accounts, slots });
  const below = (): number => Math.max(0, block - 1 - random.below(4));
  return {
    ...diff,
    heads: { latest: diff.heads.latest, safe: random.chance(70) ? below() : null, finalized: below() },
  };
}

function range(end: number): number[] {
  return Array.from({ length: end }, (_, i) => i);
}
