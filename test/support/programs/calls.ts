// Random code that calls and creates.
import { link, CodeWriter } from './code.js';
import { address, region } from './expressions.js';
import { precompileInput } from './precompile-inputs.js';
import type { Random, Weighted } from './random.js';
import { returns, smallRuntime } from './small-codes.js';
import { gather, program } from './statements.js';
import { HUGE, memoryOffset, randomWord, slotValue } from './values.js';
import type { Writing } from './writing.js';

const KINDS: Weighted<string> = [
  [6, 'CALL'],
  [3, 'CALLCODE'],
  [5, 'DELEGATECALL'],
  [3, 'STATICCALL'],
];
const AMOUNTS = [0, 1, 100, 700, 2299, 2300, 2301, 5000, 9000, 30_000, 50_000, 100_000, 300_000];

/** A call to an account of the world. */
export function call(writing: Writing): void {
  region(writing);
  region(writing);
  callTo(writing, () => {
    if (writing.random.chance(0.1)) writing.code.op(writing.random.pick(['ADDRESS', 'CALLER', 'ORIGIN']));
    else address(writing);
  });
}

/** A call to itself or to its caller, unless the transaction has already done this a few times. */
export function reenter(writing: Writing): void {
  const { random, code, fork } = writing;
  const [load, store] = fork === 'shanghai' ? ['SLOAD', 'SSTORE'] : ['TLOAD', 'TSTORE'];
  const over = code.newLabel();
  code.push(random.between(1, 4)).push(0xcc).op(load, 'LT', 'ISZERO').ref(over).op('JUMPI');
  code.push(0xcc).op(load).push(1).op('ADD').push(0xcc).op(store);
  region(writing);
  region(writing);
  const { height } = code;
  callTo(writing, () => code.op(random.pick(['ADDRESS', 'CALLER'])), false);
  code.height = height - 4;
  code.place(over);
}

/** Calls itself until gas or call depth runs out. */
export function recurse({ random, code }: Writing): void {
  code.push(0).push(0).push(0).push(0);
  const kind = random.weighted(KINDS);
  if (kind === 'CALL' || kind === 'CALLCODE') code.push(0);
  code.op('ADDRESS', 'GAS', kind, 'POP');
}

/** Copies an input that is stored after the code to memory and calls a precompile with it. */
export function callPrecompile(writing: Writing): void {
  const { random, code, fork } = writing;
  const { address: target, input } = precompileInput(random, fork);
  const place = random.below(0x100);
  code.push(input.length).data(input).push(place).op('CODECOPY');
  region(writing);
  code.push(input.length).push(place);
  callTo(writing, () => code.push(target));
}

/** Expects output and input regions on the stack; uses the result in some way. */
function callTo(writing: Writing, target: () => void, keep = true): void {
  const { random, code } = writing;
  const kind = random.weighted(KINDS);
  if (kind === 'CALL' || kind === 'CALLCODE') value(writing);
  target();
  gas(writing);
  code.op(kind);
  if (keep) result(writing);
  else code.op('POP');
}

function value({ random, code }: Writing): void {
  const kind = random.below(100);
  if (kind < 60) code.push(0);
  else if (kind < 90) code.push(random.below(4));
  else if (kind < 95) code.op('CALLVALUE');
  else if (kind < 97) code.op('SELFBALANCE');
  else code.push(randomWord(random));
}

function gas({ random, code }: Writing): void {
  const kind = random.below(100);
  if (kind < 50) code.op('GAS');
  else if (kind < 60) code.push(random.pick([2n ** 32n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 256n - 1n]));
  else if (kind < 70) code.push(10_000_000);
  else if (kind < 98) code.push(random.pick(AMOUNTS));
  else code.push(random.between(1, 4)).op('GAS', 'DIV');
}

/** What to do with the success flag of a call. */
function result(writing: Writing): void {
  const { random, code } = writing;
  switch (random.below(8)) {
    case 0:
    case 1:
      code.push(random.below(8) * 32).op('MSTORE');
      break;
    case 2:
      code.push(random.below(5)).op('SSTORE');
      break;
    case 3:
      unless(writing);
      break;
    case 4:
      if (code.height < 16) break;
      code.op('POP');
      break;
    default:
      code.op('POP');
  }
  if (random.chance(0.3)) copyReturned(writing);
}

/** If the call failed, reverts, mostly with the callee's return data. */
function unless({ random, code }: Writing): void {
  const over = code.newLabel();
  code.ref(over).op('JUMPI');
  if (random.chance(0.6)) code.op('RETURNDATASIZE').push(0).push(0).op('RETURNDATACOPY').op('RETURNDATASIZE').push(0);
  else code.push(random.below(64)).push(0);
  code.op('REVERT').place(over);
}

function copyReturned({ random, code }: Writing): void {
  if (random.chance(0.97)) code.op('RETURNDATASIZE').push(0);
  else if (random.chance(0.7)) code.push(random.below(3)).push(random.below(2));
  else code.push(random.pick(HUGE)).push(random.pick(HUGE));
  code.push(memoryOffset(random)).op('RETURNDATACOPY');
}

/** Warms an account, then calls it from init code that fails, so that all effects are reverted. */
export function tryOut(writing: Writing): void {
  const { random, code, addresses } = writing;
  const target = random.pick(addresses);
  code.push(target, 20).op('BALANCE', 'POP');
  const init = new CodeWriter();
  init.begin();
  for (let i = random.between(1, 2); i > 0; i--) callPlainly(random, init, target);
  if (random.chance(0.9)) init.push(random.below(40)).push(0).op('REVERT');
  else init.op('INVALID');
  const bytes = link(init.statements);
  code.push(bytes.length).data(bytes).push(0).op('CODECOPY');
  code.push(bytes.length).push(0).push(random.below(2)).op('CREATE', 'POP');
  if (random.chance(0.5)) callPlainly(random, code, target);
  else code.push(random.pick(writing.firstMade), 20).op('BALANCE', 'POP');
}

function callPlainly(random: Random, code: CodeWriter, target: bigint): void {
  const kind = random.weighted(KINDS);
  code.push(32).push(0).push(random.below(64)).push(0);
  if (kind === 'CALL' || kind === 'CALLCODE') code.push(random.below(2));
  code
    .push(target, 20)
    .push(random.pick([50_000, 100_000, 1_000_000]))
    .op(kind, 'POP');
}

/** Creates a contract, and calls it half the time. */
export function create(writing: Writing): void {
  const { random, code } = writing;
  const init = initCode(writing);
  const kind = random.pick(['CREATE', 'CREATE2']);
  const place = random.below(0x80);
  const again = code.newLabel();
  const times = random.chance(0.1) ? 2 : 1;
  // A second creation with the same salt collides with the first.
  if (times > 1) code.push(times).place(again);
  code.push(init.length).data(init).push(place).op('CODECOPY');
  if (kind === 'CREATE2') code.push(random.below(2));
  code.push(random.chance(0.005) ? 49_153 : init.length).push(place);
  code.push(random.chance(0.7) ? 0 : random.chance(0.9) ? random.below(4) : randomWord(random)).op(kind);
  if (random.chance(0.6)) callCreated(writing);
  if (times === 1) return result(writing);
  code.op('POP').push(1).op('SWAP1', 'SUB', 'DUP1').ref(again).op('JUMPI', 'POP');
}

/** Calls the address on top of the stack and keeps it there. */
function callCreated(writing: Writing): void {
  const { random, code } = writing;
  region(writing);
  region(writing);
  const kind = random.weighted(KINDS);
  const pays = kind === 'CALL' || kind === 'CALLCODE';
  if (pays) code.push(random.below(2));
  code.op(pays ? 'DUP6' : 'DUP5');
  gas(writing);
  code.op(kind, 'POP');
  if (random.chance(0.4))
    code
      .op('DUP1', random.pick(['BALANCE', 'EXTCODEHASH']))
      .push(random.below(8) * 32)
      .op('MSTORE');
}

/** Mostly destroys the contract, for an account of the world, itself or its caller. */
export function destroy(writing: Writing): void {
  const { random, code, addresses } = writing;
  if (random.chance(0.35)) code.op(random.pick(['ADDRESS', 'ADDRESS', 'CALLER', 'ORIGIN', 'COINBASE']));
  // The last few are mostly empty accounts.
  else if (random.chance(0.45)) code.push(random.pick(addresses.slice(random.pick([-4, -2]))), 20);
  else address(writing);
  code.op('SELFDESTRUCT');
}

type Creation = (writing: Writing, code: CodeWriter) => void;

/** How init code ends. */
const CREATIONS: Weighted<Creation> = [
  [8, (writing, code) => returns(code, runtime(writing))],
  [2, (writing, code) => returns(code, smallRuntime(writing.random))],
  [1, (_, code) => code.op('STOP')],
  [1, ({ random }, code) => code.push(random.below(64)).push(0).op('RETURN')],
  [0.8, (_, code) => returns(code, Uint8Array.of(0xef, 1))],
  [
    0.1,
    ({ random }, code) =>
      code
        .push(random.pick([24_575, 24_576, 24_577]))
        .push(0)
        .op('RETURN'),
  ],
  [1, ({ random }, code) => code.push(random.below(64)).push(0).op('REVERT')],
  [0.5, (_, code) => code.op('INVALID')],
  [1, (writing, code) => destroy({ ...writing, code })],
  [0.5, ({ random }, code) => code.raw(random.bytes(random.below(30)))],
];

/** Code that creates a contract, rarely empty. */
export function initCode(writing: Writing): Uint8Array {
  const { random } = writing;
  if (random.chance(0.04)) return new Uint8Array(0);
  const code = new CodeWriter();
  code.begin();
  if (random.chance(0.3)) code.push(slotValue(random)).push(random.below(4)).op('SSTORE');
  // Init code has no call data: its size is 0.
  if (random.chance(0.1)) code.op('CALLDATASIZE').push(random.below(4)).op('SSTORE');
  if (random.chance(0.2)) program({ ...writing, code, nesting: writing.nesting + 1 }, random.between(1, 2));
  code.begin();
  random.weighted(CREATIONS)(writing, code);
  return link(code.statements);
}

function runtime(writing: Writing): Uint8Array {
  const code = new CodeWriter();
  program({ ...writing, code, nesting: writing.nesting + 1 }, writing.random.between(1, 3));
  code.begin();
  ending({ ...writing, code });
  return link(code.statements);
}

/** The end of a code. */
export function ending(writing: Writing): void {
  const { random, code } = writing;
  gather(writing, random.below(3));
  // A log makes the memory visible to the comparison.
  if (random.chance(0.3)) code.push(0x200).push(0).op('LOG0');
  random.weighted(ENDINGS)(writing);
}

const ENDINGS: Weighted<(writing: Writing) => void> = [
  [
    10,
    ({ random, code }) =>
      code
        .push(random.pick([0, 1, 32, 0x200, 0x200, 0x200, 0x220]))
        .push(random.below(3))
        .op('RETURN'),
  ],
  [3, ({ code }) => code.op('STOP')],
  [
    2,
    ({ random, code }) =>
      code
        .push(random.pick([0, 4, 32, 0x200, 0x200]))
        .push(random.below(3))
        .op('REVERT'),
  ],
  [1, destroy],
  // Runs off the end of the code, possibly in the middle of a PUSH's data.
  [1, ({ random, code }) => code.raw(Uint8Array.of(0x60 + random.below(32)))],
  [0.3, ({ code }) => code.op('INVALID')],
  [0.3, ({ random, code }) => region({ random, code } as Writing)],
  [0.2, ({ random, code }) => code.push(randomWord(random)).op('JUMP')],
];

export function randomCode(random: Random): Uint8Array {
  const code = random.bytes(random.below(120));
  // Codes with this prefix have formats of their own, which are not tested here.
  if (code[0] === 0xef) code[0] = 0x5b;
  return code;
}
