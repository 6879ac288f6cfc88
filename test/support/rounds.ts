// How many random cases a property test runs: a few seconds' worth in `npm test`, FUZZ_SCALE times as many in the
// nightly workflow.

/** Multiplies the number of cases that `npm test` runs. */
export const FUZZ_SCALE = Number(process.env['FUZZ_SCALE'] ?? 1);

/** `count` cases in `npm test`, multiplied by FUZZ_SCALE. */
export function rounds(count: number): number {
  return Math.max(1, Math.round(count * FUZZ_SCALE));
}
