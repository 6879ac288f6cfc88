// Random code that stores a word where the comparison can observe it.
import type { Weighted } from './random.js';
import type { Writing } from './writing.js';

/** Consumes the top word in a way that can be observed if the frame does not fail. */
export function note(writing: Writing): void {
  writing.random.weighted(NOTES)(writing);
}

const NOTES: Weighted<(writing: Writing) => unknown> = [
  // The first word of memory is visible even if only little is returned.
  [3, ({ random, code }) => code.push(random.chance(0.4) ? 0 : random.below(16) * 32).op('MSTORE')],
  [2, ({ code }) => code.push(0).push(0).op('LOG1')],
  [0.5, ({ random, code }) => code.push(random.below(2)).op('SSTORE')],
];
