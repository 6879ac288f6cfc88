// Steps that are done at once or later: what they answer, what they throw, and when they end. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, attempt, ending } from '../../../src/lib/threads/at-once.js';

const FAULT = new Error('a fault');

function failing(): never {
  throw FAULT;
}

void test('what is there is used at once, what is not when it is', async () => {
  assert.equal(
    after(1, (value) => value + 1),
    2,
  );
  assert.equal(await after(Promise.resolve(1), (value) => value + 1), 2);
});

void test('a failure is handled whether it is thrown or rejected; a handler may fail, too', async () => {
  assert.equal(attempt(failing, String), 'Error: a fault');
  assert.equal(await attempt(() => Promise.reject(FAULT), String), 'Error: a fault');
  assert.throws(() => attempt(failing, failing), FAULT);
});

void test('a step ends once, after its result is there, even where that is a failure', async () => {
  const steps: string[] = [];
  const end = (): void => void steps.push('end');
  assert.equal(
    ending(() => steps.push('step'), end),
    1,
  );
  assert.deepEqual(steps.splice(0), ['step', 'end']);
  assert.throws(() => ending(failing, end), FAULT);
  assert.deepEqual(steps.splice(0), ['end']);
  const later = ending(() => Promise.resolve('later'), end);
  assert.deepEqual(steps, []);
  assert.equal(await later, 'later');
  assert.deepEqual(steps.splice(0), ['end']);
  await assert.rejects(async () => ending(() => Promise.reject(FAULT), end), FAULT);
  assert.deepEqual(steps, ['end']);
});
