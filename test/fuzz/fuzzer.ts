// Compares engines on random worlds until there is a mismatch.
import { compareEngines, compareOn, worldOf, type Comparison, type EnginePair } from '../support/programs/compare.js';
import { describe, shrink } from '../support/programs/shrink.js';
import { nextSeed, type Seed } from '../support/programs/random.js';

/** Counters of a run of the fuzzer. */
export interface Tally {
  programs: number;
  /** Worlds by the status of their message, and by other observations. */
  readonly counts: Map<string, number>;
  /** Seeds of worlds on which the engines differ. */
  readonly mismatches: bigint[];
}

/**
 * Time limit of a world in milliseconds, if an engine may never stop: that engine is aborted, and the other one is not,
 * which is a mismatch.
 */
export const WORLD_MS_MAX = 60_000;

/** Compares the worlds of `programs` seeds from `first` on; stops after `mismatchesMax` mismatches. */
export async function fuzz(pair: EnginePair, first: Seed, programs: number, mismatchesMax: number): Promise<Tally> {
  const tally: Tally = { programs: 0, counts: new Map(), mismatches: [] };
  while (tally.programs < programs && tally.mismatches.length < mismatchesMax) {
    const seed = nextSeed(first, tally.programs);
    const comparison = await compareEngines(seed, pair);
    tally.programs++;
    count(tally, comparison);
    if (comparison.mismatch !== null) tally.mismatches.push(seed);
  }
  return tally;
}

function count({ counts }: Tally, { status, gasSensitive, minimumTried }: Comparison): void {
  const add = (name: string): Map<string, number> => counts.set(name, (counts.get(name) ?? 0) + 1);
  add(status);
  if (gasSensitive) add('gas-sensitive');
  if (minimumTried && !gasSensitive) add('need is exact');
}

/** Describes the mismatch of the world of `seed`, shrunk as far as possible. */
export async function explain(pair: EnginePair, seed: Seed): Promise<string> {
  const wrong = await compareEngines(seed, pair);
  if (wrong.mismatch === null) return `seed ${seed}: nothing is wrong`;
  const { run } = wrong.mismatch;
  const smallest = await shrink(worldOf(seed, pair), async (world) => {
    return (await compareOn(world, pair)).mismatch?.run === run;
  });
  const { mismatch } = await compareOn(smallest, pair);
  return describe(smallest, mismatch ?? wrong.mismatch);
}
