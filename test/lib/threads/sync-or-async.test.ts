// Steps that are synchronous or asynchronous: their results, their errors, and when they end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenReady, catchNow, finallyNow } from '../../../src/lib/threads/sync-or-async.js';

const FAULT = new Error('a fault');

function failing(): never {
  throw FAULT;
}

void test('a plain value is used at once, a promise when it resolves', async () => {
  assert.equal(
    whenReady(1, (value) => value + 1),
    2,
  );
  assert.equal(await whenReady(Promise.resolve(1), (value) => value + 1), 2);
});

void test('an error is handled whether it is thrown or rejected, and the handler itself may fail', async () => {
  assert.equal(catchNow(failing, String), 'Error: a fault');
  assert.equal(await catchNow(() => Promise.reject(FAULT), String), 'Error: a fault');
  assert.throws(() => catchNow(failing, failing), FAULT);
});

void test('the end callback runs once, after the step has succeeded or failed', async () => {
  const steps: string[] = [];
  const end = (): void => void steps.push('end');
  assert.equal(
    finallyNow(() => steps.push('step'), end),
    1,
  );
  assert.deepEqual(steps.splice(0), ['step', 'end']);
  assert.throws(() => finallyNow(failing, end), FAULT);
  assert.deepEqual(steps.splice(0), ['end']);
  const later = finallyNow(() => Promise.resolve('later'), end);
  assert.deepEqual(steps, []);
  assert.equal(await later, 'later');
  assert.deepEqual(steps.splice(0), ['end']);
  await assert.rejects(async () => finallyNow(() => Promise.reject(FAULT), end), FAULT);
  assert.deepEqual(steps, ['end']);
});
