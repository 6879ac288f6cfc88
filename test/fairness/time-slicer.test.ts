import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TimeSlicer } from '../../src/fairness/time-slicer.js';
import { cpuBoundClocks } from '../support/slice-clocks.js';

void test('a time slice begins with the first check in a tick and ends after its time', () => {
  let now = 100;
  const slices = new TimeSlicer(
    5,
    cpuBoundClocks(() => now),
  );
  assert.equal(slices.isOver(), false);
  now = 104;
  assert.equal(slices.isOver(), false);
  now = 105;
  assert.equal(slices.isOver(), true);
});

void test('the next tick of the event loop has a new time slice', async () => {
  let now = 0;
  const slices = new TimeSlicer(
    5,
    cpuBoundClocks(() => now),
  );
  slices.isOver();
  now = 50;
  assert.equal(slices.isOver(), true);
  await nextTurn();
  assert.equal(slices.isOver(), false);
});

void test('waiting tasks get one tick of the event loop each, in order', async () => {
  const slices = new TimeSlicer(
    5,
    cpuBoundClocks(() => 0),
  );
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

void test('clients alternate, however much work one of them has waiting', async () => {
  const slices = new TimeSlicer(
    5,
    cpuBoundClocks(() => 0),
  );
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

/** Whether work that requested a slice has had it within three event-loop ticks. */
async function hadTurn(slices: TimeSlicer): Promise<() => boolean> {
  let isDone = false;
  void slices.turn().then(() => (isDone = true));
  for (let turns = 0; turns < 3; turns++) await nextTurn();
  return () => isDone;
}

void test('long work pauses three times as long as it worked while requests arrive', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const slices = new TimeSlicer(
    5,
    cpuBoundClocks(() => now),
  );
  for (const workedMs of [5, 8]) {
    slices.isOver();
    now += workedMs;
    assert.equal(slices.isOver(), true);
    slices.arrived();
    const isDone = await hadTurn(slices);
    assert.equal(isDone(), false);
    assert.equal(slices.isOver(), true);
    t.mock.timers.tick(3 * workedMs - 1);
    await nextTurn();
    assert.equal(isDone(), false);
    t.mock.timers.tick(1);
    await nextTurn();
    assert.ok(isDone());
    await nextTurn();
  }
});

void test('work does not pause if nothing arrives or if it took less than a time slice', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const slices = new TimeSlicer(
    5,
    cpuBoundClocks(() => now),
  );
  for (const [workedMs, isAlone] of [
    [8, true],
    [4, false],
  ] as const) {
    slices.isOver();
    now += workedMs;
    assert.equal(slices.isOver(), isAlone);
    if (!isAlone) slices.arrived();
    assert.ok((await hadTurn(slices))());
  }
});

void test('each body that arrives has a time slice, and a tick is busy when all together have used one', () => {
  let now = 0;
  const slices = new TimeSlicer(
    5,
    cpuBoundClocks(() => now),
  );
  for (const isBusy of [false, true, true]) {
    slices.arrived();
    assert.equal(slices.isOver(), false);
    now += 4;
    assert.equal(slices.isOver(), false);
    assert.equal(slices.isBusy(), isBusy);
  }
});

void test('time a thread waits for a processor does not count towards its time slice or pause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let [nowMs, cpuMs] = [0, 0];
  const slices = new TimeSlicer(5, { nowMs: () => nowMs, cpuMs: () => cpuMs });
  slices.isOver();
  [nowMs, cpuMs] = [100, 3];
  assert.equal(slices.isOver(), false);
  slices.arrived();
  assert.ok((await hadTurn(slices))());
  slices.isOver();
  [nowMs, cpuMs] = [1000, 9];
  assert.equal(slices.isOver(), true);
  slices.arrived();
  const isDone = await hadTurn(slices);
  t.mock.timers.tick(17);
  await nextTurn();
  assert.equal(isDone(), false);
  t.mock.timers.tick(1);
  await nextTurn();
  assert.ok(isDone());
});
