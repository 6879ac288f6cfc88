// The pace of looks at a head that nobody tells of: it follows the time between blocks, within its bounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LookPace } from '../../../src/upstream/heads/look-pace.js';

/** The pause after looks at blocks that come every `blockMs`. */
function pauseAfter(pace: LookPace, first: number, blockMs: number, blocks = 40): number {
  for (let number = first; number < first + blocks; number++) pace.found(number, number * blockMs);
  return pace.pauseMs;
}

test('heads are looked for every 50 ms where blocks come every 200 ms, every 250 ms where they take a second or more', () => {
  assert.equal(pauseAfter(new LookPace(250), 1, 200), 50);
  assert.equal(pauseAfter(new LookPace(250), 1, 12_000), 250);
  assert.equal(pauseAfter(new LookPace(250), 1, 1000), 250);
  assert.equal(pauseAfter(new LookPace(250), 1, 400), 100);
});

test('nothing is known of the first block, and a look that passes over blocks counts them', () => {
  const pace = new LookPace(250);
  assert.equal(pace.pauseMs, 250);
  pace.found(10, 0);
  assert.equal(pace.pauseMs, 250);
  pace.found(12, 400);
  assert.equal(pace.pauseMs, 50);
});

test('an older block, or the same one again, says nothing of the time between blocks', () => {
  const pace = new LookPace(250);
  pace.found(10, 0);
  pace.found(11, 400);
  for (const number of [11, 10, 3]) pace.found(number, 500);
  assert.equal(pace.pauseMs, 100);
  pace.found(12, 800);
  assert.equal(pace.pauseMs, 100);
});

test('a longest pause below the shortest one is kept', () => {
  assert.equal(pauseAfter(new LookPace(20), 1, 200), 20);
});
