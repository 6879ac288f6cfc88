import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BoundedCache } from '../../../src/lib/memory/bounded-cache.js';

const WEIGHT_MAX = 20;

void test('a bounded cache keeps the most recently used entries', () => {
  const step = fc.tuple(fc.nat(8), fc.nat(25), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = new BoundedCache<number, number>(WEIGHT_MAX);
      // Keys from least to most recently used, with their weights.
      let model: [key: number, weight: number][] = [];
      const sum = (): number => model.reduce((all, [, weight]) => all + weight, 0);
      for (const [key, weight, isRead] of steps) {
        const kept = model.find(([known]) => known === key);
        if (isRead) {
          assert.equal(cache.get(key), kept?.[1]);
          if (kept !== undefined) model = [...model.filter((entry) => entry !== kept), kept];
        } else {
          cache.set(key, weight, weight);
          model = model.filter((entry) => entry !== kept);
          if (weight <= WEIGHT_MAX) model.push([key, weight]);
          while (sum() > WEIGHT_MAX) model.shift();
        }
      }
      for (const [key, weight] of model) assert.equal(cache.get(key), weight);
    }),
    { seed: 1 },
  );
});
