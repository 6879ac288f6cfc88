// Lent bytes are their own until the turn of the event loop is over, and as long as they are held.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hold, isLent, lend, lentBytes, release } from '../../../src/lib/memory/lent-bytes.js';
import { LIMITS } from '../../../src/limits/index.js';

const LENGTH = LIMITS.lentBytesMin;

function bytesOf(value: number): Uint8Array {
  return new Uint8Array(LENGTH).fill(value);
}

void test('the memory is used again in a later turn, not in this one', async () => {
  const first = lend(bytesOf(1));
  const second = lend(bytesOf(2));
  await Promise.resolve();
  assert.deepEqual(first, bytesOf(1));
  assert.notEqual(first.buffer, second.buffer);
  await nextTurn();
  await nextTurn();
  assert.ok([first.buffer, second.buffer].includes(lend(bytesOf(3)).buffer));
});

void test('held bytes stay until every hold is given up', async () => {
  const lent = lend(bytesOf(1));
  hold(lent);
  hold(lent);
  await nextTurn();
  release(lent);
  for (let i = 0; i < 10; i++) {
    assert.notEqual(lend(bytesOf(2)).buffer, lent.buffer);
    await nextTurn();
  }
  assert.deepEqual(lent, bytesOf(1));
  release(lent);
  const taken = Array.from({ length: 100 }, () => lend(bytesOf(3)).buffer);
  assert.ok(taken.includes(lent.buffer));
});

void test('lent bytes are counted once, until they are given back', async () => {
  await nextTurn();
  const before = lentBytes();
  const lent = lend(bytesOf(1));
  hold(lent);
  assert.deepEqual([lentBytes() - before, isLent(lent), isLent(bytesOf(1))], [LENGTH, true, false]);
  await nextTurn();
  assert.equal(lentBytes() - before, LENGTH);
  release(lent);
  assert.deepEqual([lentBytes(), isLent(lent)], [before, false]);
});

void test('short bytes and those that are not lent are left alone', async () => {
  const short = lend(new Uint8Array(10).fill(7));
  const own = bytesOf(5);
  hold(own);
  release(own);
  release(own);
  release(short);
  await nextTurn();
  lend(bytesOf(6));
  assert.deepEqual([short, own], [new Uint8Array(10).fill(7), bytesOf(5)]);
});
