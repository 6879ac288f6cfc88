// What threads tell each other of the kernel: counts add up, distrusted code is distrusted on all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KernelBoard } from '../../../src/evm/kernel/board.js';
import { LIMITS } from '../../../src/limits.js';

const hash = (number: number): Uint8Array => new Uint8Array(32).fill(0xee).fill(number, 31);

test('counts of several threads add up', () => {
  const main = new KernelBoard();
  const others = [new KernelBoard(main.buffer), new KernelBoard(main.buffer)];
  for (const other of others) other.add('executions');
  assert.equal(main.add('executions'), 3);
  others[0]!.add('moved-precompile');
  assert.equal(main.count('executions'), 3);
  assert.deepEqual(Object.fromEntries(main.fallbacks()), {
    fork: 0,
    bounds: 0,
    'moved-precompile': 1,
    distrusted: 0,
    full: 0,
    trap: 0,
  });
  assert.deepEqual([main.count('checks'), main.count('skipped'), main.count('mismatches')], [0, 0, 0]);
});

test('code is distrusted by its whole hash, once, on every thread', () => {
  const main = new KernelBoard();
  const other = new KernelBoard(main.buffer);
  assert.ok(!other.isDistrusted(hash(0)));
  for (const number of [1, 2, 1]) main.distrust(hash(number));
  assert.equal(other.distrusted, 2);
  assert.ok(other.isDistrusted(hash(1)) && other.isDistrusted(hash(2)));
  assert.ok(!other.isDistrusted(hash(3)));
  assert.ok(!other.isDistrusted(new Uint8Array(32)));
});

test('when the board is full, all code is distrusted', () => {
  const board = new KernelBoard();
  for (let number = 0; number < LIMITS.distrustedCodesMax; number++) board.distrust(hash(number));
  assert.ok(!board.isDistrusted(hash(200)));
  board.distrust(hash(200));
  assert.ok(board.isDistrusted(hash(200)) && board.isDistrusted(hash(201)));
  board.distrust(hash(202));
  assert.equal(board.distrusted, LIMITS.distrustedCodesMax);
});
