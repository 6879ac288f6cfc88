// Turns of large answers: beside none of its client, beside few of others, and at a pace while others ask. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '../../../src/limits/index.js';
import type { Asker } from '../../../src/rpc/answer/answer.js';
import { LargeAnswers } from '../../../src/rpc/answer/large-answers.js';

function asker(client: string): Asker {
  return { client } as Asker;
}

/** Asks for a turn for each letter, and notes who had one. */
function begin(clients: string) {
  const large = new LargeAnswers();
  const seen: string[] = [];
  for (const client of clients) void large.turn(client).then(() => seen.push(client));
  const done = async (client: string): Promise<string> => {
    large.done(client, 0);
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

void test('a client rests by its pace while others ask, and never when it is alone', async () => {
  let nowMs = 0;
  const large = new LargeAnswers(() => nowMs);
  const isGiven = async (client: string): Promise<boolean> => {
    let given = false;
    void large.turn(client).then(() => (given = true));
    await nextTurn();
    return given;
  };
  large.arrived(asker('b'));
  assert.ok(await isGiven('a'));
  large.done('a', 100 * LIMITS.largeAnswerBytesPerMs);
  assert.ok(await isGiven('a'), 'nobody else has asked since large answers are about');
  large.arrived(asker('b'));
  large.arrived(asker('a'));
  large.done('a', 100 * LIMITS.largeAnswerBytesPerMs);
  nowMs = 99;
  assert.ok(!(await isGiven('a')));
  assert.ok(await isGiven('b'));
  large.done('b', 0);
  nowMs = 100;
  assert.ok(await isGiven('b'));
  large.done('b', 0);
});
