// The monotonic clock is the same for all threads.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { monotonicMs, systemClock } from '../../src/lib/clock.js';

test('another thread reads the same monotonic clock', async () => {
  const clock = new URL('../../src/lib/clock.js', import.meta.url);
  const program = `
    import { parentPort } from 'node:worker_threads';
    import { monotonicMs } from ${JSON.stringify(clock.href)};
    parentPort.postMessage(monotonicMs());`;
  const beforeMs = monotonicMs();
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  const thereMs = await new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  assert.ok(Number.isInteger(thereMs) && beforeMs <= thereMs && thereMs <= monotonicMs());
});

test('a sleeper wakes at its time by the monotonic clock, not earlier', async () => {
  const untilMs = monotonicMs() + 20;
  await systemClock.sleepUntil(untilMs, new AbortController().signal);
  assert.ok(monotonicMs() >= untilMs);
});

test('setting the wall clock does not delay a sleeper', async (t) => {
  const untilMs = monotonicMs() + 20;
  const wall = Date.now();
  t.mock.method(Date, 'now', () => wall - 3_600_000);
  await systemClock.sleepUntil(untilMs, new AbortController().signal);
  assert.equal(systemClock.wall(), wall - 3_600_000);
});
