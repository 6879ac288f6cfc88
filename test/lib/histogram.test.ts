// Counts of times: where a time is counted, what the bounds and quantiles say of it. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Histogram } from '../../src/lib/histogram.js';

const anyMs = fc.double({ min: 0, max: 16_000, noNaN: true });

test('a quantile is at most an eighth, or an eighth of a microsecond, above the time itself', () => {
  fc.assert(
    fc.property(
      fc.array(anyMs, { minLength: 1, maxLength: 50 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (times, share) => {
        const histogram = new Histogram();
        for (const ms of times) histogram.record(ms);
        const exact = times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * times.length) - 1)]!;
        const told = histogram.quantileMs(share)!;
        assert.ok(told >= exact && told <= exact * 1.125 + 0.000_125 + 1e-9, `${told} for ${exact}`);
      },
    ),
  );
});

test('bounds double from 1 us to 16.8 s, and the last has everything', () => {
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

test('a weight counts as so many, the sum included', () => {
  const histogram = new Histogram();
  histogram.record(2, 16);
  assert.deepEqual([histogram.count, histogram.sumMs], [16, 32]);
});

test('what was counted since a copy stands alone', () => {
  const histogram = new Histogram();
  histogram.record(1);
  const before = histogram.copy();
  histogram.record(100);
  const since = histogram.since(before);
  assert.deepEqual([before.count, since.count, since.sumMs], [1, 1, 100]);
  assert.ok(since.quantileMs(0)! >= 100);
  assert.equal(before.since(before).quantileMs(0.5), null);
});

test('two threads know the same one', () => {
  const buffer = Histogram.createBuffer();
  Histogram.in(buffer).record(3);
  assert.equal(Histogram.in(buffer).count, 1);
});
