// The smallest recent value, compared with a list of all values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as assertProperty, integer, property, tuple } from 'fast-check';
import { RecentMinimum } from '../../../src/pool/queue/recent-minimum.js';

const WITHIN_MS = 100;

void test('a value counts for at least half of the time, and at most for all of it', () => {
  const gapAndValue = tuple(integer({ min: 0, max: 80 }), integer({ min: 0, max: 9 }));
  assertProperty(
    property(array(gapAndValue, { maxLength: 30 }), integer({ min: 0, max: 300 }), (steps, restMs) => {
      const recent = new RecentMinimum(WITHIN_MS);
      const recorded: { atMs: number; value: number }[] = [];
      let nowMs = 5;
      for (const [gapMs, value] of steps) {
        nowMs += gapMs;
        recent.record(value, nowMs);
        recorded.push({ atMs: nowMs, value });
      }
      nowMs += restMs;
      const since = (ms: number): number =>
        Math.min(Infinity, ...recorded.filter(({ atMs }) => nowMs - atMs < ms).map(({ value }) => value));
      const found = recent.at(nowMs);
      assert.ok(since(WITHIN_MS) <= found && found <= since(WITHIN_MS / 2), `${found}`);
    }),
    { seed: 20261129, numRuns: 2000 },
  );
});
