// The schedule of the racing writer and its readers: it determines every value at every version.
import type { StateDiff } from '../../../src/state/state-diff.js';
import { account, diffOf, hashOf, slot } from '../diffs.js';

/**
 * Triples of one account and two of its slots, which are always changed together: number i in every (i + 1)-th version.
 */
export const TRIPLES = 16;
/** Accounts from here on appear one per version, each with a slot, and never change: they make the table grow. */
export const FIRST_NEW = 1000;

/** The value of triple `index` at `version`; 0 before it exists. */
export function expected(index: number, version: number): number {
  return version - (version % (index + 1));
}

/** Number of versions, as increments, in a block. */
const BLOCK_VERSIONS = 5;

export function scheduled(version: number, isGrowing: boolean): StateDiff {
  const block = Math.floor(version / BLOCK_VERSIONS) + 1;
  const index = version % BLOCK_VERSIONS;
  const changed = Array.from({ length: TRIPLES }, (_, i) => i).filter((i) => version % (i + 1) === 0);
  if (isGrowing) changed.push(FIRST_NEW + version);
  return diffOf({
    block,
    index,
    ...(index === BLOCK_VERSIONS - 1 && { hash: hashOf(block) }),
    accounts: changed.map((i) => account(i, BigInt(version), BigInt(version) << 100n)),
    slots: changed.flatMap((i) => [slot(i, 0, version), slot(i, 1, version)]),
  });
}
