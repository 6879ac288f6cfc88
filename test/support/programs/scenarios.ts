// Random code that does something and then inspects the result: in a frame that is reverted, in a new contract.
import { act, hotSlot } from './acts.js';
import { CodeWriter, link } from './code.js';
import { returns, smallRuntime } from './small-codes.js';
import { destroy, ending } from './calls.js';
import { note } from './notes.js';
import type { Random, Weighted } from './random.js';
import { known, type Writing } from './writing.js';

const KINDS: Weighted<string> = [
  [4, 'CALL'],
  [2, 'CALLCODE'],
  [3, 'DELEGATECALL'],
  [3, 'STATICCALL'],
];
const GAS_AMOUNTS = [30_000, 60_000, 100_000, 100_000, 200_000, 200_000];

/**
 * Calls itself, with a call data length that marks the inner call, to make a few changes in a frame that mostly fails,
 * or in one called by such a frame; then inspects what is left of them.
 */
export function attempt(writing: Writing): void {
  const { random, code } = writing;
  const sign = random.between(1, 250);
  const [inside, between, over] = [code.newLabel(), code.newLabel(), code.newLabel()];
  const near = { ...writing, addresses: [random.pick(writing.addresses), random.pick(writing.addresses)] };
  const { height } = code;
  code.op('CALLDATASIZE').push(sign).op('EQ').ref(inside).op('JUMPI');
  code
    .op('CALLDATASIZE')
    .push(sign + 1)
    .op('EQ')
    .ref(between)
    .op('JUMPI');
  if (random.chance(0.4)) act(near);
  for (let i = random.between(1, 2); i > 0; i--) {
    callItself(writing, sign + random.below(2));
    inspectSome(near);
  }
  code.ref(over).op('JUMP').place(between);
  callItself(near, sign);
  endAttempt(near);
  code.place(inside);
  if (random.chance(0.5)) inspect(near);
  for (let i = random.between(1, 3); i > 0; i--) act(near);
  endAttempt(near);
  code.place(over).height = height;
}

/** Fills a slot, and calls itself to clear it: the frame that gets the state gas back did not pay it (EIP-8037). */
export function fillAndEmpty(writing: Writing): void {
  const { random, code } = writing;
  const sign = random.between(1, 250);
  const slot = random.between(100, 200);
  const [inside, over] = [code.newLabel(), code.newLabel()];
  const { height } = code;
  code.op('CALLDATASIZE').push(sign).op('EQ').ref(inside).op('JUMPI');
  code.push(random.between(1, 2)).push(slot).op('SSTORE');
  callItself(writing, sign);
  code.ref(over).op('JUMP').place(inside).push(0).push(slot).op('SSTORE');
  code.op(random.chance(0.8) ? 'STOP' : 'INVALID').place(over).height = height;
}

/** Leaves the return data in memory. */
function callItself({ random, code }: Writing, sign: number): void {
  const kind = random.weighted(KINDS);
  code
    .push(random.pick([0, 0, 32]))
    .push(0x100)
    .push(sign)
    .push(0);
  if (kind === 'CALL' || kind === 'CALLCODE') code.push(random.chance(0.7) ? 0 : 1);
  code.op('ADDRESS');
  if (random.chance(0.25)) code.op('GAS');
  else code.push(random.pick(GAS_AMOUNTS));
  code
    .op(kind)
    .push(random.below(8) * 32)
    .op('MSTORE');
}

function endAttempt(writing: Writing): void {
  const { random, code } = writing;
  const kind = random.below(10);
  if (kind < 6)
    code
      .push(random.pick([0, 4, 32]))
      .push(0)
      .op('REVERT');
  else if (kind < 7) code.op('INVALID');
  else if (kind < 8) destroy(writing);
  else
    code
      .push(random.pick([0, 32]))
      .push(0)
      .op('RETURN');
}

/** Inspects a few things. */
function inspectSome(writing: Writing): void {
  for (let i = writing.random.between(2, 4); i > 0; i--) inspect(writing);
}

/** Inspects one thing that state changes affect. */
export function inspect(writing: Writing): void {
  writing.random.weighted(INSPECTIONS)(writing);
  note(writing);
}

const INSPECTIONS: Weighted<(writing: Writing) => unknown> = [
  [3, (writing) => (hotSlot(writing), writing.code.op('SLOAD'))],
  [5, (writing) => (hotSlot(writing), writing.code.op(known(writing, ['TLOAD', 'SLOAD'])[0]!))],
  [
    3,
    ({ random, code }) =>
      code.op(random.pick(['SELFBALANCE', 'CALLER', 'CALLVALUE', 'CALLVALUE', 'CALLVALUE', 'ADDRESS'])),
  ],
  [
    3,
    ({ random, code, addresses }) =>
      code.push(random.pick(addresses), 20).op(random.pick(['BALANCE', 'BALANCE', 'EXTCODEHASH', 'EXTCODESIZE'])),
  ],
];

/** Creates a contract that has something to lose, calls it, and inspects what is left of it. */
export function watchCreated(writing: Writing): void {
  const { random, code } = writing;
  const init = watchedInit(writing);
  const isSalted = random.chance(0.5);
  code.push(init.length).data(init).push(0).op('CODECOPY');
  if (isSalted) code.push(random.below(2));
  code.push(init.length).push(0).push(random.below(4));
  code.op(isSalted ? 'CREATE2' : 'CREATE');
  for (let i = random.between(1, 3); i > 0; i--) {
    if (random.chance(0.6)) callWatched(random, code);
    code.op('DUP1', random.pick(['BALANCE', 'BALANCE', 'BALANCE', 'EXTCODEHASH', 'EXTCODESIZE']));
    note(writing);
  }
  note(writing);
}

/** Init code that may change something, and destroys itself at once or deploys code that may do so. */
function watchedInit(writing: Writing): Uint8Array {
  const { random } = writing;
  const code = new CodeWriter();
  const inside = { ...writing, code, nesting: writing.nesting + 1 };
  code.begin();
  if (random.chance(0.4)) act(inside);
  if (random.chance(0.25)) destroy(inside);
  else returns(code, random.chance(0.6) ? smallRuntime(random) : actor(inside));
  return link(code.statements);
}

/** Calls the address on top of the stack. */
function callWatched(random: Random, code: CodeWriter): void {
  const kind = random.weighted(KINDS);
  const pays = kind === 'CALL' || kind === 'CALLCODE';
  code
    .push(32)
    .push(random.below(64))
    .push(random.pick([0, 32]))
    .push(0);
  if (pays) code.push(random.below(2));
  code
    .op(pays ? 'DUP6' : 'DUP5')
    .push(random.pick(GAS_AMOUNTS))
    .op(kind, 'POP');
}

/** Code that first inspects or changes the state and does hardly anything else. */
function actor(writing: Writing): Uint8Array {
  const code = new CodeWriter();
  writeActor({ ...writing, code });
  return link(code.statements);
}

/** Writes such a code into statements of the writer. */
export function writeActor(writing: Writing): void {
  const { random, code } = writing;
  for (let i = random.between(1, 2); i > 0; i--) {
    code.begin();
    random.weighted(FIRST_ACTS)(writing);
  }
  code.begin();
  ending(writing);
}

const FIRST_ACTS: Weighted<(writing: Writing) => void> = [
  [6, act],
  [3, inspect],
  [2, destroy],
];

/** Forwards its call to others, in every kind of call frame, and records the results. */
export function writeRelay(writing: Writing): void {
  const { random, code, addresses } = writing;
  for (let i = random.between(1, 2); i > 0; i--) {
    const kind = random.weighted(KINDS);
    code.begin();
    code
      .push(random.pick([0, 32]))
      .push(0x20)
      .op('CALLDATASIZE')
      .push(0);
    if (kind === 'CALL' || kind === 'CALLCODE') code.push(random.chance(0.6) ? 0 : 1);
    code.push(random.pick(addresses), 20).op('GAS', kind);
    code.push(i * 32).op('MSTORE');
  }
  code.begin();
  ending(writing);
}
