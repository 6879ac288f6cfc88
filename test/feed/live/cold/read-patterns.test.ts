// What is learnt of a code's reads from one transaction is guessed for the next, by other parties and at other accounts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Inputs } from '../../../../src/feed/feed.js';
import { ReadPatterns } from '../../../../src/feed/live/cold/read-patterns.js';
import { fromHex, toHex } from '../../../../src/lib/hex.js';
import { keccak256 } from '../../../../src/lib/keccak.js';
import { toBytes } from '../../../../src/lib/words.js';
import { LIMITS } from '../../../../src/limits.js';
import { NO_WANTS, type Wants } from '../../../../src/state/recording-view.js';
import { assemble } from '../../../support/assembler.js';
import { MemoryView } from '../../../support/memory-view.js';

const address = (n: number): Uint8Array => toBytes(BigInt(n), 20);
const word = (n: number | Uint8Array): Uint8Array =>
  typeof n === 'number' ? toBytes(BigInt(n), 32) : new Uint8Array(Buffer.concat([new Uint8Array(32 - n.length), n]));
const place = (key: number | Uint8Array, base: Uint8Array): Uint8Array => keccak256(Buffer.concat([word(key), base]));
const inputs = (from: number, to: number, ...words: readonly number[]): Inputs => ({
  from: address(from),
  to: address(to),
  data: new Uint8Array(Buffer.concat([Uint8Array.of(1, 2, 3, 4), ...words.map(word)])),
});

const TOKEN = 100;
const LIKE_TOKEN = 101;
const OTHER = 102;
const POOL = 103;

const code = (n: number, last: number): Uint8Array => new Uint8Array(400).fill(n).fill(last, 399);

/** Two tokens that differ in a constant at their end, another contract, and a pool. */
function contracts(): MemoryView {
  const view = new MemoryView();
  view.put(address(TOKEN), { nonce: 1n, code: code(1, 1) });
  view.put(address(LIKE_TOKEN), { nonce: 1n, code: code(1, 2) });
  view.put(address(OTHER), { nonce: 1n, code: code(2, 1) });
  view.put(address(POOL), { nonce: 1n, code: code(3, 1) });
  return view;
}

function names({ slots }: Wants): string[] {
  return slots.map((key) => `${toHex(key.address)} ${toHex(key.slot)}`);
}

const at = (contract: number, slot: Uint8Array): Wants['slots'][number] => ({ address: address(contract), slot });

/** A transferFrom by `spender`: balances at slot 0, allowances at slot 1, a struct of two words at slot 3, a plain slot 7. */
function transferred(token: number, spender: number, owner: number, receiver: number): Wants {
  const slots = [
    place(owner, word(0)),
    place(receiver, word(0)),
    place(spender, place(owner, word(1))),
    toBytes(BigInt(toHex(place(receiver, word(3)))) + 1n, 32),
    word(7),
  ];
  return { accounts: [], slots: slots.map((slot) => at(token, slot)) };
}

test('mappings of parties and of words of the call data are guessed for others', () => {
  const patterns = new ReadPatterns();
  const view = contracts();
  patterns.learn(inputs(1, TOKEN, 2, 3), transferred(TOKEN, 1, 2, 3), view);
  const guess = patterns.guess(inputs(4, TOKEN, 5, 6), NO_WANTS, view);
  assert.deepEqual(names(guess), names(transferred(TOKEN, 4, 5, 6)));
  const alike = patterns.guess(inputs(4, LIKE_TOKEN, 5, 6), NO_WANTS, view);
  assert.deepEqual(names(alike), names(transferred(LIKE_TOKEN, 4, 5, 6)));
  assert.deepEqual(names(patterns.guess(inputs(4, OTHER, 5, 6), NO_WANTS, view)), []);
});

test('a contract that the recipient calls is guessed with its slots', () => {
  const patterns = new ReadPatterns();
  const view = contracts();
  const lacked = { accounts: [address(POOL)], slots: [at(POOL, word(8)), at(TOKEN, place(1, word(0)))] };
  patterns.learn(inputs(1, OTHER, TOKEN), lacked, view);
  const guess = patterns.guess(inputs(4, OTHER, LIKE_TOKEN), NO_WANTS, view);
  assert.deepEqual(
    guess.accounts.map(toHex),
    [OTHER, POOL, LIKE_TOKEN].map((n) => toHex(address(n))),
  );
  assert.deepEqual(
    names(guess),
    names({ accounts: [], slots: [at(POOL, word(8)), at(LIKE_TOKEN, place(4, word(0)))] }),
  );
});

test('what is found lacking leads to what its code reads elsewhere', () => {
  const patterns = new ReadPatterns();
  const view = contracts();
  patterns.learn(inputs(1, TOKEN, 2, 3), transferred(TOKEN, 1, 2, 3), view);
  const lacked = { accounts: [], slots: [at(LIKE_TOKEN, word(7))] };
  const guess = patterns.guess(inputs(4, OTHER, 5, 6), lacked, view);
  assert.deepEqual(names(guess), names(transferred(LIKE_TOKEN, 4, 5, 6)));
});

test('of one code no more is kept than LIMITS says, and accounts without code teach nothing', () => {
  const patterns = new ReadPatterns();
  const view = contracts();
  for (let lesson = 0; lesson < 3; lesson++) {
    const slots = Array.from({ length: 50 }, (_, i) => at(TOKEN, keccak256(word(lesson * 50 + i))));
    patterns.learn(inputs(1, TOKEN), { accounts: [], slots }, view);
  }
  assert.equal(patterns.guess(inputs(1, TOKEN), NO_WANTS, view).slots.length, LIMITS.patternsPerCodeMax);
  const many = [OTHER, LIKE_TOKEN, POOL].map((n) => at(n, word(1)));
  for (let lesson = 0; lesson < 3; lesson++) {
    const slots = Array.from({ length: 50 }, (_, i) => at(POOL, keccak256(word(lesson * 50 + i))));
    patterns.learn(inputs(1, POOL), { accounts: [], slots }, view);
    patterns.learn(inputs(1, OTHER), { accounts: [], slots: slots.map(({ slot }) => at(OTHER, slot)) }, view);
  }
  const guess = patterns.guess(inputs(1, TOKEN), { accounts: [], slots: many }, view);
  assert.equal(guess.slots.length, LIMITS.guessesMax);
  patterns.learn(inputs(1, 7), { accounts: [], slots: [at(7, word(1))] }, view);
  assert.deepEqual(patterns.guess(inputs(1, 7), NO_WANTS, view).slots, []);
});

/** What a transfer of either party needs. */
function balance(owner: number): Wants {
  return { accounts: [], slots: [at(TOKEN, place(owner, word(0)))] };
}

test('what is known already is no lesson: a slot that is found later is still learnt', () => {
  const patterns = new ReadPatterns();
  const view = contracts();
  for (let from = 1; from <= 2 * LIMITS.patternLessonsMax; from++)
    patterns.learn(inputs(from, TOKEN, 50), balance(from), view);
  patterns.learn(inputs(1, TOKEN, 50), balance(50), view);
  const guess = patterns.guess(inputs(4, TOKEN, 60), NO_WANTS, view);
  assert.deepEqual(names(guess), [...names(balance(4)), ...names(balance(60))]);
});

test('what code names is wanted at the account that runs it, at a proxy too', () => {
  const implementationSlot = fromHex('0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc');
  const view = new MemoryView();
  view.put(address(POOL), { nonce: 1n, code: assemble(`PUSH ${toHex(implementationSlot)}; SLOAD; STOP`) });
  view.setSlot(address(POOL), implementationSlot, word(address(TOKEN)));
  view.put(address(TOKEN), { nonce: 1n, code: `${assemble('PUSH 8; SLOAD')}73${'ab'.repeat(20)}` });
  const { accounts, slots } = new ReadPatterns().named([address(POOL), address(1)], view);
  assert.deepEqual(accounts.map(toHex), [`0x${'ab'.repeat(20)}`]);
  assert.deepEqual(
    names({ accounts, slots }),
    names({ accounts: [], slots: [at(POOL, implementationSlot), at(POOL, word(8))] }),
  );
});
