import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TimeSlices } from '../../src/clients/slices.js';

void test('a slice begins with the first question of a turn and is over when its time is', () => {
  let now = 100;
  const slices = new TimeSlices(5, () => now);
  assert.equal(slices.isOver(), false);
  now = 104;
  assert.equal(slices.isOver(), false);
  now = 105;
  assert.equal(slices.isOver(), true);
});

void test('the next turn of the event loop has a slice of its own', async () => {
  let now = 0;
  const slices = new TimeSlices(5, () => now);
  slices.isOver();
  now = 50;
  assert.equal(slices.isOver(), true);
  await nextTurn();
  assert.equal(slices.isOver(), false);
});

void test('waiting tasks get one turn of the event loop each, in order', async () => {
  const slices = new TimeSlices(5, () => 0);
  const seen: string[] = [];
  let turns = 0;
  const work = async (name: string): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await slices.turn();
      seen.push(`${name}${turns}`);
    }
  };
  const all = Promise.all(['a', 'b', 'c'].map(work));
  for (; seen.length < 9; turns++) await nextTurn();
  await all;
  assert.deepEqual(
    seen.map((entry) => entry[0]),
    ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'],
  );
  assert.equal(new Set(seen.map((entry) => entry.slice(1))).size, 9);
});

void test('clients take turns, however much work one of them has waiting', async () => {
  const slices = new TimeSlices(5, () => 0);
  const seen: string[] = [];
  const work = (client: string | undefined, name: string): Promise<unknown> =>
    slices.turn(client).then(() => seen.push(name));
  await Promise.all([
    work('a', 'a1'),
    work('a', 'a2'),
    work('a', 'a3'),
    work('b', 'b1'),
    work('b', 'b2'),
    work(undefined, 'ours'),
  ]);
  assert.deepEqual(seen, ['a1', 'b1', 'ours', 'a2', 'b2', 'a3']);
});

void test('long work rests three times as long as it worked while requests come in, and not otherwise', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const slices = new TimeSlices(5, () => now);
  const hadTurn = async (): Promise<() => boolean> => {
    let isDone = false;
    void slices.turn().then(() => (isDone = true));
    for (let turns = 0; turns < 3; turns++) await nextTurn();
    return () => isDone;
  };
  assert.ok((await hadTurn())());
  for (const workedMs of [0, 5, 8]) {
    slices.isOver();
    slices.arrived();
    now += workedMs;
    const isDone = await hadTurn();
    assert.equal(isDone(), false);
    t.mock.timers.tick(3 * Math.max(5, workedMs) - 1);
    await nextTurn();
    assert.equal(isDone(), false);
    t.mock.timers.tick(1);
    await nextTurn();
    assert.ok(isDone());
    await nextTurn();
  }
});
