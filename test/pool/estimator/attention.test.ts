// How long and how often main waits for an answer, counted in looks. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/limits.js';
import { Attention } from '../../../src/pool/estimator/attention.js';

/** A worker that answers at a look, and what main has done. */
function worker(answersAt: number) {
  const seen = { looks: 0, attended: 0, left: 0 };
  return {
    seen,
    attend: () => void seen.attended++,
    leave: () => void seen.left++,
    get hasAnswer(): boolean {
      return ++seen.looks >= answersAt;
    },
  };
}

/** Looks at the end of each of so many turns with one job in flight. */
function looksOf(turns: number, answersAt: number): number[] {
  const one = worker(answersAt);
  const attention = new Attention([one], { count: 1 });
  return Array.from({ length: turns }, () => {
    one.seen.looks = 0;
    attention.begin();
    attention.end();
    return one.seen.looks;
  });
}

void test('main attends to every worker until the end of the turn', () => {
  const workers = [worker(1), worker(1)];
  const attention = new Attention(workers, { count: 5 });
  attention.begin();
  for (const { seen } of workers) assert.deepEqual(seen, { looks: 0, attended: 1, left: 0 });
  attention.end();
  for (const { seen } of workers) assert.deepEqual(seen, { looks: 0, attended: 1, left: 1 });
});

void test('it waits for the only job until the answer is there', () => {
  assert.deepEqual(looksOf(5, 10), [10, 10, 10, 10, 10]);
});

void test('it waits for a bounded number of looks, and after waits in vain for one job in 2, 4, up to 256', () => {
  const waited = looksOf(2000, Infinity);
  assert.ok(waited.every((looks) => looks === 0 || looks === LIMITS.answerLooksMax));
  const turns = [...waited.keys()].filter((turn) => waited[turn] !== 0);
  const steps = turns.slice(1).map((turn, i) => turn - turns[i]!);
  assert.deepEqual(steps, [2, 4, 8, 16, 32, 64, 128, 256, 256, 256, 256, 256, 256]);
});

void test('after an answer in time it waits for every job again', () => {
  const one = worker(Infinity);
  let answersAt = Infinity;
  const changing = { ...one, attend: one.attend, leave: one.leave };
  Object.defineProperty(changing, 'hasAnswer', { get: () => ++one.seen.looks >= answersAt });
  const attention = new Attention([changing], { count: 1 });
  const turn = (): number => {
    one.seen.looks = 0;
    attention.end();
    return one.seen.looks;
  };
  assert.deepEqual([turn(), turn()], [LIMITS.answerLooksMax, 0]);
  answersAt = 3;
  assert.deepEqual([turn(), turn(), turn()], [3, 3, 3]);
});
