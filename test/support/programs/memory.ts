// Random code that copies memory, and reads around the end of return data and call data.
import { randomWord } from './values.js';
import { note } from './notes.js';
import { isKnown, OPCODES } from './opcodes.js';
import type { Writing } from './writing.js';

const IDENTITY = 4;
/** Minus one. */
const ONES = 2n ** 256n - 1n;

/** Moves a piece of memory by less than its length, up or down, and then reads the area. */
export function overlap(writing: Writing): void {
  const { random, code, fork } = writing;
  const base = random.below(0x100);
  for (let i = 0; i < 4; i++)
    code
      .push(randomWord(random) | 1n)
      .push(base + i * 32)
      .op('MSTORE');
  const length = random.between(2, 96);
  const [from, to] = [base + random.below(32), base + random.below(32)];
  if (isKnown(OPCODES.get('MCOPY')!, fork) && random.chance(0.85)) code.push(length).push(from).push(to).op('MCOPY');
  else code.push(length).push(to).push(length).push(from).push(IDENTITY).op('GAS', 'STATICCALL', 'POP');
  code.push(0x80).push(base).op('KECCAK256');
  note(writing);
}

/** Copies from around the end of call data, code or return data onto memory that is not empty. */
export function readBehind(writing: Writing): void {
  const { random, code } = writing;
  const [copy, size] = random.pick(SOURCES);
  const place = random.below(0x80);
  if (copy === 'RETURNDATACOPY') giveBack(writing);
  code.push(ONES).push(place).op('MSTORE');
  // A frame that reads beyond the end of return data fails.
  const isBeyond = random.chance(copy === 'RETURNDATACOPY' ? 0.2 : 0.7);
  const [before, length] = random.pick(isBeyond ? BEYOND : WITHIN);
  code.push(length).push(before).op(size, 'SUB').push(place).op(copy);
  code.push(0x60).push(place).op('KECCAK256');
  note(writing);
}

/** Sets the return data to a piece of memory, by a call of the identity precompile. */
function giveBack({ random, code }: Writing): void {
  code
    .push(0)
    .push(0)
    .push(random.between(33, 100))
    .push(random.below(64))
    .push(IDENTITY)
    .op('GAS', 'STATICCALL', 'POP');
}

/** How far before the end a copy starts, and how long it is; the last two start one byte after the end. */
const BEYOND: readonly (readonly [bigint, number])[] = [
  [0n, 1],
  [1n, 2],
  [1n, 34],
  [31n, 32],
  [31n, 33],
  [33n, 34],
  [ONES, 0],
  [ONES, 1],
];
const WITHIN: readonly (readonly [bigint, number])[] = [
  [0n, 0],
  [1n, 1],
  [32n, 32],
  [33n, 33],
  [33n, 1],
];
const SOURCES = [
  ['CALLDATACOPY', 'CALLDATASIZE'],
  ['CODECOPY', 'CODESIZE'],
  ['RETURNDATACOPY', 'RETURNDATASIZE'],
] as const;
