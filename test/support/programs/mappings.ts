// Random code that hashes a key and a slot, as contracts do to find an entry of a mapping.
import { note } from './notes.js';
import type { Writing } from './writing.js';

/** Hashes one of a few keys, so that the same keys recur. */
export function mapped(writing: Writing): void {
  const { random, code } = writing;
  for (const place of [0, 32]) code.push(random.below(3)).push(place).op('MSTORE');
  code.push(64).push(0).op('KECCAK256');
  if (random.chance(0.4)) code.op('SLOAD');
  note(writing);
}

/** Hashes short inputs that have the same bytes but differ in length. */
export function shortHashed(writing: Writing): void {
  const { random, code } = writing;
  for (const place of [0, 32, 64])
    code
      .push(random.below(2) * 0x0100_0001)
      .push(place)
      .op('MSTORE');
  code
    .push(random.pick(LENGTHS))
    .push(random.pick([0, 0, 1, 4, 4, 31]))
    .op('KECCAK256');
  note(writing);
}

const LENGTHS = [0, 1, 7, 8, 9, 15, 16, 17, 20, 26, 27, 32, 39, 40, 41, 64, 85, 88, 95, 96, 97];

/** With a slot, and without one, where inputs may differ in less than a limb at the end. */
const KEYS = [
  [64, 0],
  [28, 4],
] as const;

/** Hashes a run of unique keys, which evict others from the cache of hashes. */
export function manyMapped(writing: Writing): void {
  const { random, code } = writing;
  const again = code.newLabel();
  const first = BigInt(`0x${Buffer.from(random.bytes(20)).toString('hex')}`);
  const [length, offset] = random.pick(KEYS);
  // The combination of all hashes is below the counter.
  code.push(0).push(random.between(10, 60)).place(again);
  code.op('DUP1').push(first, 20).op('ADD').push(0).op('MSTORE').push(length).push(offset).op('KECCAK256');
  code.op('SWAP2', 'SWAP1', 'SWAP2', 'XOR', 'SWAP1').push(1).op('SWAP1', 'SUB', 'DUP1').ref(again).op('JUMPI', 'POP');
  note(writing);
}
