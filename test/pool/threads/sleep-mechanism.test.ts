// Sleeping on a word and waking the sleeper, by futex and by Atomics: nobody oversleeps or wakes without cause. Runs on
// the main thread, with a thread that sleeps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { PATIENCE_MS } from '../../support/patience.js';
import {
  ATOMICS_SLEEP,
  SLEEP_MECHANISM,
  SLEEP_MECHANISM_NAME,
  type SleepMechanism,
} from '../../../src/pool/threads/sleep-mechanism.js';

const WAYS: readonly (readonly [name: string, sleep: SleepMechanism])[] = [
  ['Atomics', ATOMICS_SLEEP],
  ['this process’s way', SLEEP_MECHANISM],
];
const TRIPS = 300;
const NOT_READY = -2;

for (const [name, sleep] of WAYS) {
  void test(`${name}: a thread is woken whenever its word has changed`, async () => {
    const words = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { words, byAtomics: sleep === ATOMICS_SLEEP };
    Atomics.store(words, 1, NOT_READY);
    const worker = new Worker(new URL('../fixtures/sleeper.js', import.meta.url), { workerData });
    Atomics.wait(words, 1, NOT_READY);
    for (let trip = 1; trip <= TRIPS; trip++) {
      Atomics.store(words, 0, trip);
      sleep.wake(words, 0);
      // A pending notification of the previous round trip may end a wait.
      while (Atomics.wait(words, 1, trip - 1, PATIENCE_MS) === 'ok');
      assert.equal(Atomics.load(words, 1), trip, 'the thread was woken');
    }
    const ended = once(worker, 'exit');
    Atomics.store(words, 0, -1);
    sleep.wake(words, 0);
    assert.deepEqual(await ended, [0]);
  });

  void test(`${name}: a thread does not sleep if the word has another value, nor longer than its timeout`, () => {
    const words = new Int32Array(new SharedArrayBuffer(8));
    sleep.wait(words, 1, 1, 1e9);
    for (const ms of [0, 0.5, 2]) sleep.wait(words, 1, 0, ms);
    sleep.wake(words, 1);
  });
}

void test(
  'the futex refuses an index outside the array',
  { skip: SLEEP_MECHANISM === ATOMICS_SLEEP && SLEEP_MECHANISM_NAME },
  () => {
    const { wait, wake } = SLEEP_MECHANISM;
    const words = new Int32Array(new SharedArrayBuffer(8));
    assert.throws(() => wake(words, 2), /no such word/);
    assert.throws(() => wait(words, 2, 0, 1), /no such word/);
    assert.throws(() => wake(new Uint32Array(words.buffer) as unknown as Int32Array, 0), /no such word/);
    assert.throws(() => wait(words, 0, 0, '1' as unknown as number), /milliseconds/);
  },
);
