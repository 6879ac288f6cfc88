// The polling interval if the node does not announce heads: it follows the block time, within limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PollInterval } from '../../../src/upstream/heads/poll-interval.js';

/** The interval after polls that find blocks every `blockMs`. */
function pauseAfter(pace: PollInterval, first: number, blockMs: number, blocks = 40): number {
  for (let number = first; number < first + blocks; number++) pace.found(number, number * blockMs);
  return pace.pauseMs;
}

test('polls come every 50 ms for blocks of 200 ms, and every 250 ms for blocks of a second or more', () => {
  assert.equal(pauseAfter(new PollInterval(250), 1, 200), 50);
  assert.equal(pauseAfter(new PollInterval(250), 1, 12_000), 250);
  assert.equal(pauseAfter(new PollInterval(250), 1, 1000), 250);
  assert.equal(pauseAfter(new PollInterval(250), 1, 400), 100);
});

test('one block gives no block time; blocks skipped between two polls are counted', () => {
  const pace = new PollInterval(250);
  assert.equal(pace.pauseMs, 250);
  pace.found(10, 0);
  assert.equal(pace.pauseMs, 250);
  pace.found(12, 400);
  assert.equal(pace.pauseMs, 50);
});

test('an older or repeated block does not change the estimated block time', () => {
  const pace = new PollInterval(250);
  pace.found(10, 0);
  pace.found(11, 400);
  for (const number of [11, 10, 3]) pace.found(number, 500);
  assert.equal(pace.pauseMs, 100);
  pace.found(12, 800);
  assert.equal(pace.pauseMs, 100);
});

test('a maximum interval below the usual minimum is respected', () => {
  assert.equal(pauseAfter(new PollInterval(20), 1, 200), 20);
});
