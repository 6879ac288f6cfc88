// When a large answer may be written: never beside another, and after a rest where its client is not alone. Runs on main.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { LargeAnswers } from '../../../src/rpc/answer/large-answers.js';

const OPTIONS = { largeAnswerBytesPerMs: 10, clientAloneMs: 1000 };

/** Answers of which it is noted who had a turn, and a clock of their own. */
function begin(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const large = new LargeAnswers(OPTIONS, () => now);
  const seen: string[] = [];
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    t.mock.timers.tick(ms);
    await Promise.resolve();
  };
  const ask = (client: string): void => {
    large.arrived({ aborted: false, client });
    void large.turn(client).then(() => seen.push(client));
  };
  const done = async (client: string, bytes: number): Promise<void> => {
    large.done(client, bytes);
    await Promise.resolve();
  };
  return { large, seen, pass, ask, done };
}

void test('one at a time, and clients in turn', async (t) => {
  const { large, seen, pass, ask, done } = begin(t);
  for (const client of ['a', 'a', 'a', 'b']) ask(client);
  await pass(5000);
  assert.deepEqual(seen, ['a']);
  assert.deepEqual([large.isAwaitedBy('a'), large.isAwaitedBy('b'), large.isAwaitedBy('c')], [true, true, false]);
  await done('a', 0);
  await done('a', 0);
  assert.deepEqual(seen, ['a', 'a', 'b']);
  await done('b', 0);
  assert.deepEqual(seen, ['a', 'a', 'b', 'a']);
  assert.equal(large.isAwaitedBy('a'), false);
});

void test('a client that is alone never rests', async (t) => {
  const { seen, ask, done } = begin(t);
  for (let i = 0; i < 3; i++) ask('a');
  await done('a', 1_000_000);
  await done('a', 1_000_000);
  assert.deepEqual(seen, ['a', 'a', 'a']);
});

void test('while others ask, whatever they ask, a client rests by its pace and the others go on', async (t) => {
  const { large, seen, pass, ask, done } = begin(t);
  for (let i = 0; i < 3; i++) ask('a');
  await pass(0);
  large.arrived({ aborted: false, client: 'b' });
  await done('a', 1000);
  await pass(99);
  assert.deepEqual(seen, ['a']);
  ask('b');
  await done('b', 0);
  assert.deepEqual(seen, ['a', 'b']);
  await pass(1);
  assert.deepEqual(seen, ['a', 'b', 'a']);
});

void test('a rest holds for an answer that is asked for later, and nobody rests once the others have been silent', async (t) => {
  const { large, seen, pass, ask, done } = begin(t);
  ask('a');
  large.arrived({ aborted: false, client: 'b' });
  await done('a', 1000);
  ask('a');
  await pass(99);
  assert.deepEqual(seen, ['a']);
  await pass(1);
  assert.deepEqual(seen, ['a', 'a']);
  await pass(OPTIONS.clientAloneMs);
  ask('a');
  await done('a', 1000);
  assert.deepEqual(seen, ['a', 'a', 'a']);
});
