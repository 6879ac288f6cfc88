// Seeds of the fuzzers: every 64-bit number is a seed, and each yields a different world.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random, nextSeed, parseSeed } from './random.js';
import { createWorld } from './world.js';

const LAST = 2n ** 64n - 1n;

test('seeds are 64-bit numbers', () => {
  assert.equal(parseSeed('18446744073709551615'), LAST);
  assert.equal(parseSeed('0xffffffffffffffff'), LAST);
  for (const text of ['18446744073709551616', '-1']) assert.throws(() => parseSeed(text), /64 bits/);
});

test('the first seed follows the last', () => {
  assert.equal(nextSeed(LAST, 1), 0n);
  assert.equal(nextSeed(LAST - 3n, 2), LAST - 1n);
});

test('all 64 bits count, and a number is the same seed as the equal bigint', () => {
  const first = [0n, 1n, 2n ** 32n, 2n ** 63n, LAST - 1n, LAST].map((seed) => new Random(seed).next());
  assert.equal(new Set(first).size, first.length);
  assert.equal(new Random(2 ** 40 + 7).next(), new Random(2n ** 40n + 7n).next());
});

test('the largest seed gives a world', () => {
  assert.equal(createWorld(LAST).seed, LAST);
});
