// Histograms of durations: the bucket of a duration, and the bounds of the buckets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Histogram } from '../../src/lib/histogram.js';

const anyMs = fc.double({ min: 0, max: 16_000, noNaN: true });

test('a time is counted in the bucket that contains it', () => {
  fc.assert(
    fc.property(anyMs, (ms) => {
      const histogram = new Histogram();
      histogram.record(ms);
      const [bound] = histogram.bounds().find(([, count]) => count === 1)!;
      assert.ok(ms < bound && (bound === 0.001 || ms >= bound / 2), `${bound} for ${ms}`);
    }),
  );
});

test('bucket bounds double from 1 us to 16.8 s, and the last bucket has everything above', () => {
  const histogram = new Histogram();
  for (const ms of [0.0004, 0.0015, 0.003, 7, 1e9, -1]) histogram.record(ms);
  const bounds = histogram.bounds();
  assert.equal(bounds.length, 25);
  assert.deepEqual(bounds.slice(0, 3), [
    [0.001, 2],
    [0.002, 3],
    [0.004, 4],
  ]);
  assert.deepEqual(bounds.at(-1), [2 ** 24 / 1000, 6]);
  assert.equal(histogram.count, 6);
});

test('a weight counts as that many times, also in the sum', () => {
  const histogram = new Histogram();
  histogram.record(2, 16);
  assert.deepEqual([histogram.count, histogram.sumMs], [16, 32]);
});

test('two threads share one histogram', () => {
  const buffer = Histogram.createBuffer();
  Histogram.in(buffer).record(3);
  assert.equal(Histogram.in(buffer).count, 1);
});
