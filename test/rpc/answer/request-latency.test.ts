// Request latency: which requests are sampled, how many each sample stands for, and under which name it is counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/limits/index.js';
import { RequestLatency } from '../../../src/rpc/answer/request-latency.js';
import { rpcError } from '../../../src/rpc-errors.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { CONTRACT, serveTable } from '../table-service.js';

const SLOW = { name: 'test_slow', paramsMax: 0, run: () => Promise.resolve('1') } as const;
const FULL = { name: 'test_full', paramsMax: 0, run: () => rpcError('overload') } as const;

/** Latencies on a clock that advances by `stepMs` with every request; random draws return their mean. */
function paced(stepMs: number): { readonly latency: RequestLatency; readonly come: (requests: number) => number[] } {
  let nowMs = 1e6;
  const latency = new RequestLatency({ nowMs: () => nowMs, random: () => 0.5 });
  const come = (requests: number): number[] => {
    const timed: number[] = [];
    for (let request = 0; request < requests; request++) {
      nowMs += stepMs;
      const timing = latency.begin();
      timing?.finish();
      if (timing !== null) timed.push(request);
    }
    return timed;
  };
  return { latency, come };
}

/** Answers bodies one after the other, and consumes the responses as a transport does. */
async function answered(latency: RequestLatency, bodies: readonly unknown[]): Promise<void> {
  const { service } = serveTable({ latency, methods: [SLOW, FULL] });
  for (const body of bodies) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const { timing } = await service.answer(Buffer.from(text), { aborted: false });
    timing!.finish();
  }
}

const call = (method: string, ...params: readonly unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
const NONCE = call('eth_getTransactionCount', toHex(CONTRACT), 'latest');

test('slow traffic is timed completely', () => {
  const { latency, come } = paced(1);
  assert.equal(come(100).length, 100);
  assert.equal(latency.of('other').count, 100);
});

test('fast traffic is sampled up to the limit, and the samples stand for all', () => {
  const perSecond = LIMITS.timedRequestsMax * 10;
  const { latency, come } = paced(1000 / perSecond);
  const timed = come(perSecond).length;
  assert.ok(Math.abs(timed - LIMITS.timedRequestsMax) < LIMITS.timedRequestsMax / 100, `${timed}`);
  assert.ok(Math.abs(latency.of('other').count - perSecond) <= 10);
});

test('one sample stands for at most the maximum step, however fast requests come', () => {
  const { come } = paced(1e-6);
  const timed = come(10_000);
  const steps = timed.slice(1).map((request, i) => request - timed[i]!);
  assert.equal(Math.max(...steps), LIMITS.timingStepMax);
});

test('requests are counted by method, and batches and unknown methods under names of their own', async () => {
  const latency = new RequestLatency({ nowMs: () => performance.now(), random: () => 0 });
  await answered(latency, [NONCE, NONCE, [NONCE, NONCE], SLOW_CALL, call('no_such'), call('test_full'), '{', '[]']);
  const counts = Object.fromEntries([...latency.requests].map(([name, times]) => [name, times.count]));
  assert.deepEqual(counts, {
    eth_getTransactionCount: 2,
    batch: 2,
    test_slow: 1,
    other: 2,
    refused: 1,
  });
  for (const stage of ['read', 'answer'] as const) assert.equal(latency.stages[stage].count, 8, stage);
  // With the addon, plain reads are decoded where they are read.
  assert.ok(latency.stages.decode.count >= 5);
});

test('stages follow one another, and waiting is in none of them', async () => {
  let nowMs = 0;
  const latency = new RequestLatency({ nowMs: () => (nowMs += 1), random: () => 0 });
  await answered(latency, [SLOW_CALL]);
  const { decode, read, answer } = latency.stages;
  assert.deepEqual([decode.sumMs, read.sumMs, answer.sumMs], [1, 1, 1]);
  assert.equal(latency.of('test_slow').sumMs, 4);
});

const SLOW_CALL = call('test_slow');

test('errors are counted by name', async () => {
  const { service } = serveTable({ methods: [SLOW, FULL] });
  const query = async (body: unknown): Promise<unknown> =>
    service.answer(Buffer.from(JSON.stringify(body)), { aborted: false });
  await query([call('no_such'), call('test_full'), call('test_full'), SLOW_CALL]);
  await query(call('test_full'));
  await query([]);
  assert.deepEqual(Object.fromEntries(service.errors), { methodNotFound: 1, overload: 3, emptyBatch: 1 });
});
