// A fair queue: clients alternate.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientRoundRobin } from '../../src/fairness/client-round-robin.js';

void test('work added as first goes before other work of its client', () => {
  const turns = new ClientRoundRobin<number>();
  turns.add('a', 1);
  turns.add('a', 2, true);
  assert.deepEqual([turns.take('a'), turns.take('a')], [2, 1]);
});

void test('a client that was served moves to the end of the queue, and leaves it with its last work', () => {
  const turns = new ClientRoundRobin<number>();
  for (const [client, work] of [
    ['a', 1],
    ['a', 2],
    [undefined, 3],
  ] as const)
    turns.add(client, work);
  assert.deepEqual([...turns.clients], ['a', undefined]);
  assert.equal(turns.take('a'), 1);
  assert.deepEqual([...turns.clients], [undefined, 'a']);
  assert.equal(turns.take('a'), 2);
  assert.equal(turns.take(undefined), 3);
  assert.deepEqual([...turns.clients], []);
});
