// Random code that moves pieces of memory, and reads around the end of what others have given.
import { randomWord } from './values.js';
import { note } from './notes.js';
import { isKnown, OPCODES } from './opcodes.js';
import type { Writing } from './writing.js';

const IDENTITY = 4;

/** Moves a piece of memory by less than its length, up or down, and looks at what is there then. */
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

/** Copies from around the end of call data, code or return data to memory that holds something. */
export function readBehind(writing: Writing): void {
  const { random, code } = writing;
  const [copy, size] = random.pick(SOURCES);
  const place = random.below(0x80);
  if (copy === 'RETURNDATACOPY') giveBack(writing);
  code
    .push(WORD - 1n)
    .push(place)
    .op('MSTORE');
  const before = random.pick([0n, 0n, 1n, 2n, 31n, 32n, 33n, WORD - 1n]);
  // Beyond the end of return data, be it for nothing, a frame fails.
  const isBeyond = copy !== 'RETURNDATACOPY' || random.chance(0.2);
  const from = isBeyond ? before : before % (WORD - 1n);
  code.push(((from + 1n) % WORD > 0n ? from : 0n) + BigInt(isBeyond ? random.below(3) : 0));
  code.push(from).op(size, 'SUB').push(place).op(copy);
  code.push(0x60).push(place).op('KECCAK256');
  note(writing);
}

/** Makes memory what the last call has given back. */
function giveBack({ random, code }: Writing): void {
  code
    .push(0)
    .push(0)
    .push(random.between(33, 100))
    .push(random.below(64))
    .push(IDENTITY)
    .op('GAS', 'STATICCALL', 'POP');
}

const WORD = 2n ** 256n;
const SOURCES = [
  ['CALLDATACOPY', 'CALLDATASIZE'],
  ['CODECOPY', 'CODESIZE'],
  ['RETURNDATACOPY', 'RETURNDATASIZE'],
] as const;
