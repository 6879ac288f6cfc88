// When a large answer may be written: beside none of its client, and beside few of others. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '../../../src/limits/index.js';
import { LargeAnswers } from '../../../src/rpc/answer/large-answers.js';

/** Asks for a turn for each letter, and notes who had one. */
function begin(clients: string) {
  const large = new LargeAnswers();
  const seen: string[] = [];
  for (const client of clients) void large.turn(client).then(() => seen.push(client));
  const done = async (client: string): Promise<string> => {
    large.done(client);
    await nextTurn();
    return seen.join('');
  };
  return { seen, done };
}

void test('a client has one at a time, and clients take turns', async () => {
  const { seen, done } = begin('aaab');
  await nextTurn();
  assert.equal(seen.join(''), 'ab');
  assert.equal(await done('a'), 'aba');
  assert.equal(await done('b'), 'aba');
  assert.equal(await done('a'), 'abaa');
});

void test('all together have a few, and whoever waited longest is next', async () => {
  const first = 'abcdefgh'.slice(0, LIMITS.largeAnswersMax);
  const { seen, done } = begin(`${first}yz${first}`);
  await nextTurn();
  assert.equal(seen.join(''), first);
  assert.equal(await done('b'), `${first}y`);
  assert.equal(await done('a'), `${first}yz`);
  assert.equal(await done('y'), `${first}yza`);
});
