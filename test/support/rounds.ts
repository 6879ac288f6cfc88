// How many random cases a property test runs: seconds of them in `npm test`, FUZZ_SCALE times as many in the nightly
// workflow.

/** Times as many cases as `npm test` runs. */
export const FUZZ_SCALE = Number(process.env['FUZZ_SCALE'] ?? 1);

/** `count` cases in `npm test`, and more of them where FUZZ_SCALE says so. */
export function rounds(count: number): number {
  return Math.max(1, Math.round(count * FUZZ_SCALE));
}
