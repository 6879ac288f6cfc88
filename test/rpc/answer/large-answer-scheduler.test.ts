// Scheduling of large results: one at a time per client, a few in total, and paced while other clients have requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UsageLedger } from '../../../src/fairness/usage-ledger.js';
import { LIMITS } from '../../../src/limits/index.js';
import type { Caller } from '../../../src/rpc/answer/request-response-types.js';
import { LargeAnswerScheduler } from '../../../src/rpc/answer/large-answer-scheduler.js';

function caller(client: string): Caller {
  return { client } as Caller;
}

/** Computing a client's name is expensive: it is only read while large results are in progress. */
const unnamed = {
  get client(): string {
    return assert.fail('its name is read');
  },
} as Caller;

/** Requests a turn for each letter, and records which have started. */
function requestTurns(clients: string) {
  const large = new LargeAnswerScheduler(new UsageLedger());
  const seen: string[] = [];
  for (const client of clients) void large.waitTurn(client).then(() => seen.push(client));
  const done = async (client: string): Promise<string> => {
    large.done(client, 0);
    await nextTurn();
    return seen.join('');
  };
  return { seen, done };
}

void test('a client has one large result at a time, and clients alternate', async () => {
  const { seen, done } = requestTurns('aaab');
  await nextTurn();
  assert.equal(seen.join(''), 'ab');
  assert.equal(await done('a'), 'aba');
  assert.equal(await done('b'), 'aba');
  assert.equal(await done('a'), 'abaa');
});

void test('all clients together have a few, and the longest waiting is next', async () => {
  const first = 'abcdefgh'.slice(0, LIMITS.largeAnswersMax);
  const { seen, done } = requestTurns(`${first}yz${first}`);
  await nextTurn();
  assert.equal(seen.join(''), first);
  assert.equal(await done('b'), `${first}y`);
  assert.equal(await done('a'), `${first}yz`);
  assert.equal(await done('y'), `${first}yza`);
});

void test('a client pauses in proportion to its results while others have requests, and never when it is alone', async () => {
  let nowMs = 0;
  const ledger = new UsageLedger();
  const large = new LargeAnswerScheduler(ledger, () => nowMs);
  const isGranted = async (client: string): Promise<boolean> => {
    let isDone = false;
    void large.waitTurn(client).then(() => (isDone = true));
    await nextTurn();
    return isDone;
  };
  large.arrived(unnamed);
  assert.ok(await isGranted('a'));
  nowMs = LIMITS.clientAloneMs + 1;
  large.done('a', 100 * LIMITS.largeAnswerBytesPerMs);
  assert.ok(await isGranted('a'), 'nobody else has asked for a second');
  large.arrived(caller('b'));
  large.arrived(caller('a'));
  large.done('a', 100 * LIMITS.largeAnswerBytesPerMs);
  nowMs += 99;
  assert.ok(!(await isGranted('a')));
  assert.ok(await isGranted('b'));
  large.done('b', 0);
  nowMs += 1;
  assert.ok(await isGranted('b'));
  large.done('b', 0);
});

void test('a job of another client ends being alone, too', async () => {
  const ledger = new UsageLedger();
  let nowMs = 0;
  const large = new LargeAnswerScheduler(ledger, () => nowMs);
  await large.waitTurn('a');
  nowMs = 2 * LIMITS.clientAloneMs;
  ledger.admit(ledger.of('b'), { bytes: 1, ms: 1 }, nowMs);
  large.done('a', 100 * LIMITS.largeAnswerBytesPerMs);
  assert.equal(ledger.of('a').restsUntilMs, nowMs + 100);
});
