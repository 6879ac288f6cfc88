// Steps that are synchronous or asynchronous: their results, their errors, and when they end. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, attempt, ending } from '../../../src/lib/threads/at-once.js';

const FAULT = new Error('a fault');

function failing(): never {
  throw FAULT;
}

void test('a plain value is used at once, a promise when it resolves', async () => {
  assert.equal(
    after(1, (value) => value + 1),
    2,
  );
  assert.equal(await after(Promise.resolve(1), (value) => value + 1), 2);
});

void test('an error is handled whether it is thrown or rejected, and the handler itself may fail', async () => {
  assert.equal(attempt(failing, String), 'Error: a fault');
  assert.equal(await attempt(() => Promise.reject(FAULT), String), 'Error: a fault');
  assert.throws(() => attempt(failing, failing), FAULT);
});

void test('the end callback runs once, after the step has succeeded or failed', async () => {
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
