// Comparisons of rounds: a target compared with itself shows no difference, another one does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomOf } from '../../bench/load/random.js';
import { median, orderOf, ratioOf, spreadOf } from '../../bench/suite/statistics.js';

/** Rounds of a target: normally distributed noise, and a drift that affects both targets of a round. */
function rounds(count: number, mean: number, noise: number, seed: number): { one: number[]; other: number[] } {
  const random = randomOf(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const drift = Array.from({ length: count }, () => 1 + 0.3 * random());
  const values = (): number[] => drift.map((factor) => mean * factor * Math.exp(noise * normal()));
  return { one: values(), other: values() };
}

test('the same target twice: no difference in at least 19 of 20 comparisons, however many rounds and however much noise', () => {
  for (const count of [2, 3, 4, 6, 10])
    for (const noise of [0.01, 0.05, 0.3]) {
      const compared = Array.from({ length: 20 }, (_, seed) => {
        const { one, other } = rounds(count, 1000, noise, 1 + seed + 100 * count);
        return ratioOf(one, other)!;
      });
      assert.ok(compared.filter(({ differs }) => !differs).length >= 19, `${count} rounds, noise ${noise}`);
    }
});

test('a target that is a fifth faster is detected despite noise, with the size of the difference', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { one, other } = rounds(4, 1000, 0.01, seed);
    const ratio = ratioOf(
      one.map((value) => value * 1.2),
      other,
    )!;
    assert.ok(ratio.differs);
    assert.ok(ratio.low < 1.2 && ratio.high > 1.2 * 0.97, `${ratio.low} to ${ratio.high}`);
  }
});

test('one round or none gives no comparison', () => {
  assert.equal(ratioOf([1], [2]), null);
  assert.equal(ratioOf([], []), null);
  assert.equal(ratioOf([0, 1], [1, 1]), null);
});

test('targets are measured in alternating order', () => {
  assert.deepEqual(
    [0, 1, 2].map((round) => orderOf(['a', 'b'], round).join('')),
    ['ab', 'ba', 'ab'],
  );
});

test('medians and spreads', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, low: 1, high: 3 });
});
