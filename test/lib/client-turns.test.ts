// Clients take turns with their work. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientTurns } from '../../src/lib/client-turns.js';

void test('a client that was served is the last one, and is gone with its last work', () => {
  const turns = new ClientTurns<number>();
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
  assert.deepEqual([turns.has('a'), turns.has(undefined)], [false, false]);
});
