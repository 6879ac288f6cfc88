// Random code that stores a word where it can be seen from outside.
import type { Weighted } from './random.js';
import type { Writing } from './writing.js';

/** Does with the word on top what shows it, where the frame does not fail. */
export function note(writing: Writing): void {
  writing.random.weighted(NOTES)(writing);
}

const NOTES: Weighted<(writing: Writing) => unknown> = [
  // The first word of memory is seen also where little is given back.
  [3, ({ random, code }) => code.push(random.chance(0.4) ? 0 : random.below(16) * 32).op('MSTORE')],
  [2, ({ code }) => code.push(0).push(0).op('LOG1')],
  [0.5, ({ random, code }) => code.push(random.below(2)).op('SSTORE')],
];
