// Random code at the start of basic blocks that the interpreter jumps to, where the compiler does not know the stack.
import { randomWord } from './values.js';
import { note } from './notes.js';
import { known, type Writing } from './writing.js';

/** Ends the compiled block: the compiler leaves MSTORE8 to the interpreter. */
function beginBlock({ code }: Writing): void {
  code.push(1).push(0x1e0).op('MSTORE8').place(code.newLabel());
}

const MOVES = ['SWAP1', 'SWAP2', 'SWAP3', 'DUP1', 'DUP2', 'DUP3'];
const UNARY = ['CLZ', 'TLOAD', 'CALLDATALOAD', 'SLOAD', 'BALANCE', 'ISZERO', 'NOT'];
const BINARY = ['MUL', 'DIV', 'SIGNEXTEND', 'BYTE', 'SAR', 'ADD', 'AND', 'LT', 'SLT'];
const WORDS = 4;

/** Rearranges stack items, passes some to functions, and finally records all that remain. */
export function juggle(writing: Writing): void {
  const { random, code } = writing;
  const base = code.height;
  for (let i = 0; i < WORDS; i++) code.push(random.chance(0.5) ? random.below(70) : randomWord(random));
  beginBlock(writing);
  for (let i = random.between(4, 12); i > 0; i--) {
    if (random.chance(0.1)) cutOut(writing);
    const ways = [MOVES, MOVES, UNARY, ...(code.height > base + WORDS ? [BINARY] : [])];
    code.op(random.pick(known(writing, random.pick(ways))));
  }
  while (code.height > base) note(writing);
}

/** A copy of a deeper item, masked to an address. */
function cutOut({ random, code }: Writing): void {
  code
    .op(random.pick(['DUP2', 'DUP3', 'DUP4']))
    .push(2n ** 160n - 1n)
    .op('AND');
}

/** Jumps, or not, to a target that was pushed before the block. */
export function lateJump(writing: Writing): void {
  const { random, code } = writing;
  const label = code.newLabel();
  const condition = random.pick([0n, 0n, 1n, 1n << 64n, 1n << 255n]);
  if (random.chance(0.5)) {
    code.ref(label);
    beginBlock(writing);
    code.push(condition).op('SWAP1', 'JUMPI');
  } else {
    code.push(condition).ref(label);
    beginBlock(writing);
    code.op('JUMPI');
  }
  code.push(randomWord(random));
  note(writing);
  code.place(label);
}

/** Reads a word back from where others have been written. */
export function readBack(writing: Writing): void {
  const { random, code } = writing;
  const place = random.below(0x80);
  for (const more of [0, 32])
    code
      .push(randomWord(random) | 1n)
      .push(place + more)
      .op('MSTORE');
  if (random.chance(0.5)) beginBlock(writing);
  code.push(place + random.pick([0, 1, 15, 16, 17, 31, 32])).op(...random.pick([['MLOAD'], ['DUP1', 'MLOAD', 'XOR']]));
  note(writing);
}
