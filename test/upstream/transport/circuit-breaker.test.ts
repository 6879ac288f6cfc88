// The circuit breaker on its own clock: when it opens, which requests it lets through while open, and when it closes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LIMITS } from '../../../src/limits/index.js';
import { CircuitBreaker } from '../../../src/upstream/transport/circuit-breaker.js';
import { JsonRpcClient } from '../../../src/upstream/transport/json-rpc-client.js';
import { newUpstreamStats } from '../../../src/upstream/transport/upstream-stats.js';
import type { AnswerBounds, PostOutcome, HttpTransport } from '../../../src/upstream/transport/http-transport.js';
import { UPSTREAM_CLIENT_LIMITS } from '../../../src/upstream/transport/upstream-client-limits.js';
import { FakeClock } from '../../feed/recording-sink.js';

test('silence is counted from the first request that has no response', () => {
  let nowMs = 100;
  const breaker = new CircuitBreaker(50, () => nowMs);
  assert.deepEqual([breaker.silentSinceMs, breaker.isOpen, breaker.refuses], [null, false, false]);
  breaker.sent();
  nowMs = 120;
  breaker.sent();
  assert.equal(breaker.silentSinceMs, 100);
  breaker.ended(true);
  assert.equal(breaker.silentSinceMs, 120, 'the other one is still waited for');
  nowMs = 169;
  assert.equal(breaker.isOpen, false);
  nowMs = 170;
  assert.deepEqual([breaker.isOpen, breaker.refuses], [true, true]);
  breaker.ended(false);
  assert.deepEqual([breaker.isOpen, breaker.refuses], [true, false], 'the next one is a probe');
  breaker.sent();
  assert.deepEqual([breaker.silentSinceMs, breaker.refuses], [120, true]);
  breaker.ended(true);
  assert.deepEqual([breaker.silentSinceMs, breaker.isOpen], [null, false]);
});

/** A client whose POSTs end when the test says so. */
class Client {
  readonly clock = new FakeClock(0);
  readonly stats = newUpstreamStats();
  readonly breaker = new CircuitBreaker(UPSTREAM_CLIENT_LIMITS.silenceMs, () => this.clock.now());
  readonly posts: {
    readonly body: string;
    readonly bounds: AnswerBounds;
    readonly end: (outcome: PostOutcome) => void;
  }[] = [];
  readonly rpc: JsonRpcClient;

  constructor() {
    const post: HttpTransport['post'] = (body, bounds) => new Promise((end) => this.posts.push({ body, bounds, end }));
    const transport: HttpTransport = { post, close: () => Promise.resolve() };
    const { clock, stats, breaker } = this;
    this.rpc = new JsonRpcClient(UPSTREAM_CLIENT_LIMITS, {
      transport,
      clock,
      random: () => 1,
      stats,
      breaker,
      redact: (text) => text,
    });
  }

  /** Waits until everything that can proceed has done so. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  }

  answer(at: number): void {
    const { id } = JSON.parse(this.posts[at]!.body) as { id: number };
    const body = JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' });
    this.posts[at]!.end({ kind: 'answer', status: 200, retryAfter: null, body });
  }
}

test('a silent node gets one request at a time, and failed ones are not retried meanwhile', async () => {
  const client = new Client();
  const first = client.rpc.call('eth_getBalance', []);
  await client.settle();
  client.clock.spend(UPSTREAM_CLIENT_LIMITS.silenceMs);
  await assert.rejects(client.rpc.call('eth_getCode', []), /has not answered for 5000 ms/);
  client.posts[0]!.end({ kind: 'timeout' });
  await assert.rejects(first, { kind: 'unreachable' });
  assert.deepEqual([client.posts.length, client.stats.refused, client.stats.retries], [1, 1, 0]);
  const probe = client.rpc.call('eth_getBalance', []);
  await client.settle();
  await assert.rejects(client.rpc.call('eth_getCode', []), { kind: 'unreachable' });
  client.answer(1);
  assert.equal(await probe, '0x1');
  const after = client.rpc.call('eth_getCode', []);
  await client.settle();
  client.answer(2);
  assert.equal(await after, '0x1');
});

test('head polls are sent even while the breaker is open', async () => {
  const client = new Client();
  void client.rpc.call('eth_getBalance', []).catch(() => undefined);
  await client.settle();
  client.clock.spend(UPSTREAM_CLIENT_LIMITS.silenceMs);
  const probe = client.rpc.batch([{ method: 'eth_blockNumber', params: [] }], { isProbe: true });
  await client.settle();
  assert.equal(client.posts.length, 2);
  client.answer(1);
  assert.deepEqual(await probe, [{ ok: true, result: '0x1' }]);
  assert.equal(client.breaker.isOpen, false);
});

test('requests queued when the node falls silent are not sent', async () => {
  const client = new Client();
  const calls = Array.from({ length: UPSTREAM_CLIENT_LIMITS.connectionsMax + 5 }, () =>
    client.rpc.call('eth_getBalance', []),
  );
  const ends = Promise.allSettled(calls);
  await client.settle();
  assert.equal(client.posts.length, UPSTREAM_CLIENT_LIMITS.connectionsMax);
  client.clock.spend(UPSTREAM_CLIENT_LIMITS.silenceMs);
  for (const { end } of client.posts) {
    end({ kind: 'timeout' });
    await client.settle();
  }
  assert.ok((await ends).every(({ status }) => status === 'rejected'));
  assert.equal(client.posts.length, UPSTREAM_CLIENT_LIMITS.connectionsMax);
});

test('429 counts as a response of the node, 5xx does not', async () => {
  for (const [status, isSilent] of [
    [502, true],
    [429, false],
  ] as const) {
    const client = new Client();
    const call = client.rpc.batch([{ method: 'eth_chainId', params: [] }], { triesMax: 1 });
    await client.settle();
    client.posts[0]!.end({ kind: 'answer', status, retryAfter: null, body: 'no' });
    await call;
    assert.equal(client.breaker.silentSinceMs !== null, isSilent, `${status}`);
  }
});

test('a request may last until its deadline, and is not sent after it', async () => {
  const client = new Client();
  const call = client.rpc.call('eth_getLogs', [], 10_000);
  await client.settle();
  assert.deepEqual(client.posts[0]!.bounds, { timeoutMs: 10_000, bytesMax: LIMITS.responseBytesMax });
  client.clock.spend(9950);
  client.breaker.sent();
  client.breaker.ended(true);
  client.posts[0]!.end({ kind: 'timeout' });
  await assert.rejects(call, { kind: 'unreachable' });
  client.clock.spend(50);
  await assert.rejects(client.rpc.call('eth_getLogs', [], 10_000), /in time/);
  assert.equal(client.posts.length, 1);
});

test('a trace has a longer timeout, and a node busy with one does not count as silent', async () => {
  const client = new Client();
  const trace = client.rpc.request('debug_traceBlockByHash', []);
  await client.settle();
  assert.equal(client.posts[0]!.bounds.timeoutMs, UPSTREAM_CLIENT_LIMITS.traceTimeoutMs);
  client.clock.spend(UPSTREAM_CLIENT_LIMITS.silenceMs);
  const read = client.rpc.call('eth_getCode', []);
  await client.settle();
  assert.equal(client.posts[1]!.bounds.timeoutMs, UPSTREAM_CLIENT_LIMITS.timeoutMs);
  client.answer(1);
  assert.equal(await read, '0x1');
  assert.equal(client.breaker.silentSinceMs, null);
  client.answer(0);
  assert.equal(await trace, '0x1');
});
