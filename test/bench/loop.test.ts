// The load loop on a fake clock: an open loop shows that a target stalls, a closed one does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Loop, type Lane } from '../../bench/load/loop.js';
import type { Pace } from '../../bench/load/schedule.js';

const OK = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
const REFUSED = Buffer.from('{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}');
const DURATION_MS = 2000;
const PATIENCE_MS = 1000;

/** When the response to a request sent at this time arrives, and what it is. */
type Target = (sentMs: number, number: number) => { readonly atMs: number; readonly body: Buffer };

/** Runs one round in steps of a millisecond, against a target that is just a function. */
function turn(pace: Pace, connections: number, target: Target, pipelined = 1): Loop {
  const options = { pace, durationMs: DURATION_MS, pipelined, sampleEvery: 10 };
  const loop = new Loop(options, () => ({ body: 'x', calls: 1 }));
  const flights: { lane: Lane; atMs: number; body: Buffer }[] = [];
  let [nowMs, number] = [0, 0];
  for (let i = 0; i < connections; i++) {
    const lane: Lane = loop.join(() => flights.push({ lane, ...target(nowMs, number++) }), 0);
  }
  loop.begin(0);
  for (; !loop.isDone(nowMs) && nowMs < DURATION_MS + PATIENCE_MS; nowMs++) {
    for (const due of flights.filter(({ atMs }) => atMs <= nowMs)) {
      flights.splice(flights.indexOf(due), 1);
      loop.answered(due.lane, 200, due.body, nowMs);
    }
    loop.pump(nowMs);
  }
  return loop;
}

const slow: Target = (sentMs, number) => ({ atMs: sentMs + (number % 100 === 50 ? 300 : 1), body: OK });
const early: Target = (sentMs, number) =>
  number % 10 === 0 ? { atMs: sentMs + 50, body: OK } : { atMs: sentMs, body: REFUSED };
const dead: Target = (sentMs, number) => ({ atMs: number < 100 ? sentMs + 1 : Infinity, body: OK });
const quick: Target = (sentMs) => ({ atMs: sentMs + 1, body: OK });
/** Nothing is answered from 500 to 1500 ms. */
const stalling: Target = (sentMs) => ({ atMs: sentMs >= 500 && sentMs < 1500 ? 1500 : sentMs + 1, body: OK });

test('an open loop shows a stall of a second as clients would see it', () => {
  const { latency, service } = turn({ kind: 'rate', perSecond: 500 }, 8, stalling);
  assert.equal(latency.count, 1000);
  // About 500 requests were scheduled in that second, and wait for the rest of it.
  assert.ok(latency.percentile(99.9) >= 990);
  assert.ok(latency.countFrom(500) >= 250);
  // Measured from when they were sent, only eight have waited: such a measurement omits the others.
  assert.equal(service.countFrom(500), 8);
});

test('a closed loop hides the same stall: as many wait as there are connections', () => {
  const { latency } = turn({ kind: 'closed' }, 8, stalling);
  assert.equal(latency.countFrom(500), 8);
  assert.ok(latency.percentile(99) < 10);
});

test('with every hundredth response late, the 99th percentile shows it', () => {
  const { latency } = turn({ kind: 'rate', perSecond: 1000 }, 100, slow);
  assert.equal(latency.countFrom(299), 20);
  assert.ok(latency.percentile(99.9) >= 299);
  assert.ok(latency.percentile(98) < 10);
});

test('an early error does not count as a fast response; refusals are timed separately', () => {
  const loop = turn({ kind: 'rate', perSecond: 1000 }, 100, early);
  assert.equal(loop.latency.count, 200);
  assert.equal(Math.round(loop.latency.percentile(50)), 50);
  assert.deepEqual(loop.tally.errors, { '-32005': 1800 });
  assert.equal(loop.refusals.count, 1800);
  assert.ok(loop.refusals.percentile(100) < 2);
  assert.equal(loop.tally.succeeded, 200);
});

test('a request that is never answered counts with its waiting time', () => {
  const loop = turn({ kind: 'rate', perSecond: 1000 }, 10, dead);
  const counts = loop.end(DURATION_MS + PATIENCE_MS);
  assert.equal(counts.requests, 100);
  assert.equal(counts.unsent, 2000 - 110);
  assert.deepEqual(loop.tally.errors, { unanswered: 1900 });
  assert.equal(loop.latency.countFrom(1000), 1900);
});

test('all requests of a burst have the same intended start', () => {
  const { latency } = turn({ kind: 'bursts', size: 100, everyMs: 1000 }, 10, quick);
  assert.equal(latency.count, 200);
  // Ten at a time, a millisecond each.
  assert.equal(Math.round(latency.percentile(100)), 10);
  assert.equal(latency.countFrom(10), 20);
});

test('recorded requests start at their recorded times, scaled by the replay speed', () => {
  const startsMs = [0, 100, 100, 5000];
  const loop = turn({ kind: 'recorded', startsMs, speed: 2 }, 4, quick);
  assert.equal(loop.latency.count, 3);
  assert.equal(loop.end(DURATION_MS).unsent, 0);
});

test('one connection has as many requests in flight as are pipelined', () => {
  const sent: number[] = [];
  turn(
    { kind: 'closed' },
    1,
    (sentMs, number) => (sent.push(sentMs), { atMs: number < 16 ? 100 : sentMs + 1000, body: OK }),
    16,
  );
  assert.equal(sent.filter((ms) => ms === 0).length, 16);
  assert.equal(sent.filter((ms) => ms === 100).length, 16);
});

test('requests in flight on a lost connection fail, and other connections continue', () => {
  const loop = new Loop({ pace: { kind: 'closed' }, durationMs: 100, pipelined: 2, sampleEvery: 1 }, () => ({
    body: 'x',
    calls: 3,
  }));
  const lanes = [loop.join(() => undefined, 0), loop.join(() => undefined, 0)];
  loop.begin(0);
  loop.lost(lanes[0]!);
  assert.deepEqual(loop.tally.errors, { lost: 6 });
  assert.equal(lanes[0]!.flights.length, 0);
  assert.equal(lanes[1]!.flights.length, 2);
});
