// Random code that pushes one word onto the stack.
import { largeWord, randomWord, memoryLength, memoryOffset, SLOTS } from './values.js';
import { OPCODES } from './opcodes.js';
import type { Weighted } from './random.js';
import { known, type Writing } from './writing.js';

const UNARY = ['ISZERO', 'NOT', 'CLZ'];
const BINARY = 'ADD MUL SUB DIV SDIV MOD SMOD EXP SIGNEXTEND LT GT SLT SGT EQ AND OR XOR BYTE SHL SHR SAR'.split(' ');
const TERNARY = ['ADDMOD', 'MULMOD'];
/** CALLVALUE differs most between frames, so it occurs more often. */
const ENVIRONMENT = (
  'CALLVALUE CALLVALUE ADDRESS ORIGIN CALLER CALLVALUE CALLDATASIZE CODESIZE GASPRICE RETURNDATASIZE COINBASE TIMESTAMP NUMBER ' +
  'PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBBASEFEE SLOTNUM PC MSIZE'
).split(' ');
const OF_ADDRESS = ['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH'];

/** Pushes a word computed with at most `depth` levels of nesting. */
export function expression(writing: Writing, depth = 2): void {
  const { random } = writing;
  if (depth <= 0 || random.chance(0.35)) return leaf(writing);
  operation(writing, () => expression(writing, depth - 1));
}

/** Pushes operands and applies an operation. */
function operation(writing: Writing, operand: () => void): void {
  const { random, code } = writing;
  const name = random.pick(known(writing, random.weighted(OPERATORS)));
  const { popped: taken } = OPCODES.get(name)!;
  const isLarge = taken === 3 && random.chance(0.3);
  for (let i = 1; i < taken; i++) {
    if (isLarge) code.push(largeWord(random));
    else if (name === 'EXP' && random.chance(0.4)) code.push(random.pick(EXPONENTS));
    else operand();
  }
  // The top operand: often a bit or byte position, and sometimes equal to the one below.
  if (POSITIONED.has(name) && random.chance(0.7)) code.push(random.pick(POSITIONS));
  else if (isLarge) code.push(largeWord(random));
  else if (taken > 1 && random.chance(0.05)) code.op('DUP1');
  else operand();
  code.op(name);
}

const EXPONENTS = [0, 1, 2, 255, 256, 2n ** 64n - 1n, 2n ** 64n, 2n ** 64n + 1n, 2n ** 128n, 2n ** 192n, 2n ** 255n];
const POSITIONED = new Set(['BYTE', 'SIGNEXTEND', 'SHL', 'SHR', 'SAR']);
const POSITIONS = [0, 1, 7, 8, 15, 16, 29, 30, 31, 32, 33, 63, 64, 128, 254, 255, 256, 257, 2n ** 64n, 2n ** 255n];

const BYTES = [0, 1, 7, 8, 15, 16, 24, 29, 30, 30, 31, 31, 32, 33, 2n ** 64n];

const OPERATORS: Weighted<string[]> = [
  [2, UNARY],
  [8, BINARY],
  [2, TERNARY],
];

/** Combines the top word with a constant of any width: engines may fuse such a pair into one instruction. */
export function constantOperand(writing: Writing): void {
  const { random, code } = writing;
  for (let i = random.between(1, 3); i > 0; i--) {
    const width = random.between(1, 32);
    const name = random.weighted(CONSTANT_OPERATORS);
    // PUSH20 AND masks an address.
    if (random.chance(0.3)) code.push(ADDRESS_MASK - BigInt(random.below(2) * 0xff_ff00), 20).op('AND');
    if (random.chance(0.3)) masked(writing);
    if (random.chance(0.2)) copied(writing);
    code.push(random.chance(0.5) ? 2n ** BigInt(8 * width) - 1n : randomWord(random) >> BigInt(256 - 8 * width), width);
    code.op(name);
  }
}

/**
 * Combines the top word with a mask of the lowest bits, in the forms that compilers emit, or with a masked copy of
 * itself.
 */
function masked({ random, code }: Writing): void {
  if (random.chance(0.5)) code.push(largeWord(random), 32).op('XOR');
  const copy = `DUP${random.chance(0.5) ? 1 : random.between(1, Math.min(code.height, 16))}`;
  if (random.chance(0.3)) code.op(copy);
  const bits = random.chance(0.5) ? 160 : random.pick(MASK_BITS);
  code.push(1).push(1).push(bits, 1).op('SHL', 'SUB');
  if (random.chance(0.4)) code.op(copy);
  code.op(random.chance(0.8) ? 'AND' : 'XOR');
}

/** Combines the top word with another word, after a copy of some word was combined with that. */
function copied({ random, code }: Writing): void {
  code.push(random.chance(0.5) ? largeWord(random) : randomWord(random), 32);
  code.op(`DUP${random.between(1, Math.min(code.height, 16))}`, random.pick(['ADD', 'AND']), 'XOR');
}

const MASK_BITS = [0, 1, 8, 63, 64, 65, 112, 127, 128, 129, 191, 192, 193, 254, 255];

/** Pushes the combined results of shifts and similar operations on one word at many positions. */
export function positions(writing: Writing): void {
  const { random, code } = writing;
  const word = largeWord(random);
  const name = random.pick([...POSITIONED]);
  const edges = name === 'BYTE' || name === 'SIGNEXTEND' ? BYTES : POSITIONS;
  code.push(0);
  for (let i = random.between(4, 10); i > 0; i--) {
    code.push(word, 32).push(random.chance(0.8) ? random.pick(edges) : random.below(260));
    code.op(name, random.pick(['ADD', 'XOR', 'SUB']));
  }
}

const ADDRESS_MASK = 2n ** 160n - 1n;
const CONSTANT_OPERATORS: Weighted<string> = [
  [6, 'ADD'],
  [3, 'AND'],
  [1, 'SUB'],
  [1, 'EQ'],
  [1, 'LT'],
  [1, 'SHR'],
  [1, 'SHL'],
  [1, 'MUL'],
];

/** Pushes the combined results of many operations on many words, so that any wrong one shows. */
export function arithmetic(writing: Writing): void {
  const { random, code } = writing;
  code.push(random.below(256));
  for (let i = random.between(4, 24); i > 0; i--) {
    operation(writing, () => code.push(randomWord(random)));
    code.op(random.pick(['ADD', 'XOR', 'SUB']));
  }
}

/** Pushes the combination of all fields of message and block. */
export function surroundings(writing: Writing): void {
  const { random, code } = writing;
  code.push(0);
  for (let i = random.between(3, 8); i > 0; i--) {
    random.weighted(SURROUNDINGS)(writing);
    code.op(random.pick(['ADD', 'SUB', 'XOR']));
  }
}

/** Pushes an address of the world, rarely with dirty upper bytes. */
export function address({ random, code, addresses }: Writing): void {
  const target = random.chance(0.03) ? BigInt(random.below(0x120)) : random.pick(addresses);
  if (random.chance(0.08)) code.push(target | ((randomWord(random) << 160n) % 2n ** 256n), 32);
  else code.push(target, 20);
}

/** Pushes length, then offset, of a memory region. */
export function region({ random, code }: Writing): void {
  code.push(memoryLength(random)).push(memoryOffset(random));
}

/** Pushes a storage key, rarely a computed one. */
export function slot({ random, code }: Writing): void {
  code.push(random.chance(0.97) ? random.pick(SLOTS) : randomWord(random));
}

const SURROUNDINGS: Weighted<(writing: Writing) => void> = [
  [3, environment],
  [2, blobHash],
  [4, blockHash],
];

const LEAVES: Weighted<(writing: Writing) => void> = [
  [12, ({ random, code }) => code.push(randomWord(random))],
  [1, ({ random, code }) => code.push(BigInt(random.below(1000)), random.between(2, 32))],
  [8, environment],
  [6, duplicate],
  [4, ({ random, code }) => code.push(memoryOffset(random)).op(...random.pick([['MLOAD'], ['DUP1', 'MLOAD', 'XOR']]))],
  [3, (writing) => (slot(writing), writing.code.op('SLOAD'))],
  [2, (writing) => (slot(writing), load(writing))],
  [3, ({ random, code }) => code.push(random.chance(0.9) ? random.below(80) : randomWord(random)).op('CALLDATALOAD')],
  [4, ({ random, code }) => code.push(random.pick(BEFORE_END)).op('CALLDATASIZE', 'SUB', 'CALLDATALOAD')],
  [3, (writing) => (address(writing), writing.code.op(writing.random.pick(OF_ADDRESS)))],
  [2, (writing) => (region(writing), writing.code.op('KECCAK256'))],
  [1, blobHash],
  [1, blockHash],
  [0.1, ({ code }) => code.op('GAS')],
];

/** Distances from the end at which a 32-byte word starts: it is all, partly or not at all there. */
const BEFORE_END = [0, 1, 2, 16, 30, 31, 31, 32, 33, 64];

function leaf(writing: Writing): void {
  writing.random.weighted(LEAVES)(writing);
}

function environment(writing: Writing): void {
  writing.code.op(writing.random.pick(known(writing, ENVIRONMENT)));
}

function duplicate({ random, code }: Writing): void {
  if (code.height <= 0) code.op('CALLVALUE');
  else code.op(`DUP${random.between(1, Math.min(16, code.height))}`);
}

function load(writing: Writing): void {
  writing.code.op(known(writing, ['TLOAD', 'SLOAD'])[0]!);
}

function blobHash(writing: Writing): void {
  const { random, code } = writing;
  code.push(random.chance(0.8) ? random.below(4) : randomWord(random));
  code.op(known(writing, ['BLOBHASH', 'NOT'])[0]!);
}

function blockHash({ random, code }: Writing): void {
  if (random.chance(0.2)) code.push(randomWord(random)).op('BLOCKHASH');
  else {
    code.push(random.pick([0, 1, 2, 8, 255, 256, 257])).op('NUMBER', 'SUB');
    if (random.chance(0.3)) code.push(2n ** 64n).op('ADD');
    code.op('BLOCKHASH');
  }
}
