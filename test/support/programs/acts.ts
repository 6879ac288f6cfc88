// Random code that makes single state changes, which static frames refuse and failed frames revert.
import { address } from './expressions.js';
import type { Weighted } from './random.js';
import { smallInit } from './small-codes.js';
import { randomWord } from './values.js';
import { known, type Writing } from './writing.js';

type Act = (writing: Writing) => unknown;

/** Storage keys that state changes and the code that inspects them share: very few, so that they meet. */
const HOT_SLOTS = 2;
/** Lengths of input, output and log data, where their exact value hardly matters. */
const LENGTHS = [0, 0, 1, 31, 32, 33, 64];
const GAS_AMOUNTS = [0, 700, 2300, 30_000, 60_000, 100_000, 300_000];

/** One state change; leaves the stack as it was. */
export function act(writing: Writing): void {
  writing.random.weighted(ACTS)(writing);
}

const ACTS: Weighted<Act> = [
  [3, store],
  [3, storeForNow],
  [2, log],
  [3.5, pay],
  [2.5, make],
  [3, callPlainly],
];

export function hotSlot({ random, code }: Writing): void {
  code.push(random.below(HOT_SLOTS));
}

function store(writing: Writing): void {
  writing.code.push(writing.random.below(3));
  hotSlot(writing);
  writing.code.op('SSTORE');
}

function storeForNow(writing: Writing): void {
  writing.code.push(writing.random.below(3));
  hotSlot(writing);
  writing.code.op(known(writing, ['TSTORE', 'SSTORE'])[0]!);
}

function log({ random, code }: Writing): void {
  const topics = random.below(5);
  for (let i = 0; i < topics; i++) code.push(randomWord(random));
  code.push(random.pick(LENGTHS)).push(random.below(64)).op(`LOG${topics}`);
}

/** Pays somebody, who may run code in response. */
function pay(writing: Writing): void {
  const { random, code } = writing;
  code.push(0).push(0).push(random.pick(LENGTHS)).push(random.below(64));
  if (random.chance(0.15)) code.op('SELFBALANCE');
  else code.push(random.chance(0.9) ? random.between(1, 3) : 0);
  address(writing);
  code.push(random.pick(GAS_AMOUNTS)).op(random.chance(0.85) ? 'CALL' : 'CALLCODE', 'POP');
}

/** A call without value. */
function callPlainly(writing: Writing): void {
  const { random, code } = writing;
  const kind = random.pick(['CALL', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']);
  code.push(random.pick(LENGTHS)).push(random.below(64)).push(random.pick(LENGTHS)).push(random.below(64));
  if (kind === 'CALL' || kind === 'CALLCODE') code.push(0);
  address(writing);
  if (random.chance(0.4)) code.op('GAS');
  else code.push(random.pick(GAS_AMOUNTS));
  code.op(kind, 'POP');
}

/** Creates a contract with very little code, or none. */
function make({ random, code }: Writing): void {
  const init = smallInit(random);
  code.push(init.length).data(init).push(0).op('CODECOPY');
  const isSalted = random.chance(0.5);
  if (isSalted) code.push(random.below(2));
  code.push(init.length).push(0).push(random.below(3));
  code.op(isSalted ? 'CREATE2' : 'CREATE', 'POP');
}
