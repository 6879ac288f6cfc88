// Calling main from another thread, by a bell of its event loop and by Atomics: every call is heard, none without cause.
// Runs on main, with threads that call.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ATOMICS_DOORBELL, type Doorbell, ownDoorbell, ring } from '../../../src/pool/threads/doorbell.js';
import { WAKE } from '../../../src/pool/threads/wake-addon.js';

const WAYS: readonly (readonly [name: string, doorbell: Doorbell])[] = [
  ['Atomics', ATOMICS_DOORBELL],
  ['this process’s way', ownDoorbell()],
];
const TRIPS = 300;
const CALLERS = 3;

function callerOf(workerData: object): Worker {
  return new Worker(new URL('../fixtures/caller.js', import.meta.url), { workerData });
}

/** Has the caller of these words take this trip; a negative one ends it. */
function say(words: Int32Array, trip: number): void {
  Atomics.store(words, 1, trip);
  Atomics.notify(words, 1);
}

for (const [name, doorbell] of WAYS) {
  void test(`${name}: whoever calls is heard, also where several do at once`, async () => {
    const callers = Array.from({ length: CALLERS }, () => new Int32Array(new SharedArrayBuffer(8)));
    const ends = callers.map((words) => once(callerOf({ number: doorbell.number, words, opens: false }), 'exit'));
    for (let trip = 1; trip <= TRIPS; trip++) {
      const heard = callers.map((words) => doorbell.heard(words, 0, trip - 1));
      for (const words of callers) say(words, trip);
      await Promise.all(heard);
      for (const words of callers) assert.equal(Atomics.load(words, 0), trip);
    }
    for (const words of callers) say(words, -1);
    assert.deepEqual(
      await Promise.all(ends),
      callers.map(() => [0]),
    );
  });

  void test(`${name}: what is changed already is heard in a later turn of the event loop`, async () => {
    const words = new Int32Array(new SharedArrayBuffer(8));
    let isHeard = false;
    const heard = doorbell.heard(words, 0, 1).then(() => (isHeard = true));
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(isHeard, false);
    await heard;
  });

  void test(`${name}: a ring for another word wakes nobody`, async () => {
    const [words, others] = [new Int32Array(new SharedArrayBuffer(8)), new Int32Array(new SharedArrayBuffer(8))];
    let isHeard = false;
    const heard = doorbell.heard(words, 0, 0).then(() => (isHeard = true));
    const other = doorbell.heard(others, 1, 0);
    Atomics.store(others, 1, 1);
    ring(doorbell.number, others, 1);
    await other;
    assert.equal(isHeard, false);
    Atomics.store(words, 0, 1);
    ring(doorbell.number, words, 0);
    await heard;
  });
}

void test('a bell is one that is there', { skip: WAKE.addon === null && WAKE.reason }, () => {
  const { open, ring: ringBell, hold } = WAKE.addon!;
  for (const number of [0, 999, 100_000, -1, '1']) {
    assert.throws(() => ringBell(number as number), /no such bell/);
    assert.throws(() => hold(number as number, true), /no such bell/);
  }
  assert.throws(() => hold(ownDoorbell().number, 1 as unknown as boolean), /a bell and a boolean/);
  assert.throws(() => open(1 as unknown as () => void), /open takes a function/);
});

void test(
  'the bell of a thread that has ended is rung in vain',
  { skip: WAKE.addon === null && WAKE.reason },
  async () => {
    const worker = callerOf({ number: 0, words: new Int32Array(1), opens: true });
    const [number] = (await once(worker, 'message')) as [number];
    await once(worker, 'exit');
    assert.notEqual(number, ownDoorbell().number);
    for (let i = 0; i < 3; i++) WAKE.addon!.ring(number);
    assert.throws(() => WAKE.addon!.hold(number, true), /no such bell/);
  },
);
