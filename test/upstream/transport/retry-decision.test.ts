// Retries and their delays: the decision as a table, and whole requests on their own clock.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import type { Clock } from '../../../src/lib/clock.js';
import { backoffPauseMs, parseRetryAfterMs } from '../../../src/upstream/transport/back-off.js';
import { CircuitBreaker } from '../../../src/upstream/transport/circuit-breaker.js';
import { JsonRpcClient } from '../../../src/upstream/transport/json-rpc-client.js';
import {
  decideRetry,
  type RetryInput,
  type RetryDecision,
  type RequestFailure,
} from '../../../src/upstream/transport/retry-decision.js';
import { newUpstreamStats, type UpstreamStats } from '../../../src/upstream/transport/upstream-stats.js';
import type { PostOutcome, HttpTransport } from '../../../src/upstream/transport/http-transport.js';
import {
  UPSTREAM_CLIENT_LIMITS,
  type UpstreamClientLimits,
} from '../../../src/upstream/transport/upstream-client-limits.js';
import { UpstreamError, type UpstreamErrorKind } from '../../../src/upstream/upstream.js';

const bare = (text: string): string => text;
const FIRST: RetryInput = { tries: 1, triesMax: 4, repeatable: true, leftMs: Infinity, random: 1 };
const RULES = { retryMs: 100, retryAfterMsMax: 20_000 };
const rpc = { code: -32005, message: 'slow down' };
const status = (code: number, after: number | null = null): RequestFailure => ({
  kind: 'status',
  status: code,
  retryAfterMs: after,
});

const DECISIONS: readonly (readonly [
  name: string,
  failure: RequestFailure,
  attempt: Partial<RetryInput>,
  number | UpstreamErrorKind,
])[] = [
  ['a timeout', { kind: 'timeout' }, {}, 100],
  ['a lost connection', { kind: 'lost', reason: 'reset' }, {}, 100],
  ['429', status(429), {}, 100],
  ['429 with Retry-After', status(429, 7000), {}, 7000],
  ['a Retry-After shorter than our own delay', status(429, 10), {}, 100],
  ['a Retry-After that is too long', status(429, 20_001), {}, 'unreachable'],
  ['408', status(408), {}, 100],
  ['500', status(500), {}, 100],
  ['503 with Retry-After', status(503, 1500), {}, 1500],
  ['-32005', { kind: 'limited', rpc }, {}, 100],
  ['the second try', { kind: 'timeout' }, { tries: 2 }, 200],
  ['the third try', { kind: 'timeout' }, { tries: 3 }, 400],
  ['least jitter', { kind: 'timeout' }, { tries: 3, random: 0 }, 200],
  ['the last try', { kind: 'timeout' }, { tries: 4 }, 'unreachable'],
  ['a timeout with time left', { kind: 'timeout' }, { leftMs: 101 }, 100],
  ['a timeout without time for the delay', { kind: 'timeout' }, { leftMs: 100 }, 'unreachable'],
  ['the last try, rate-limited', { kind: 'limited', rpc }, { tries: 4 }, 'unreachable'],
  ['401', status(401), {}, 'refused'],
  ['404', status(404), {}, 'refused'],
  ['a transaction that timed out', { kind: 'timeout' }, { repeatable: false }, 'unreachable'],
  ['a transaction whose connection was lost', { kind: 'lost', reason: '' }, { repeatable: false }, 'unreachable'],
  ['a transaction and 500', status(500), { repeatable: false }, 'unreachable'],
  ['a transaction and 429', status(429), { repeatable: false }, 100],
  ['a transaction and 503', status(503), { repeatable: false }, 100],
  ['a transaction and -32005', { kind: 'limited', rpc }, { repeatable: false }, 100],
];

for (const [name, failure, attempt, expected] of DECISIONS) {
  test(`after ${name}: ${expected}`, () =>
    assert.equal(shown(decideRetry(failure, { ...FIRST, ...attempt }, RULES)), expected));
}

function shown(decision: RetryDecision): number | UpstreamErrorKind {
  return decision.kind === 'again' ? decision.afterMs : decision.error.kind;
}

test('retry delays double up to a maximum, with jitter down to half', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 2000].map((failures) => backoffPauseMs(failures, 1000, 20_000, 1)),
    [1000, 2000, 4000, 8000, 16_000, 20_000, 20_000, 20_000],
  );
  assert.equal(backoffPauseMs(0, 1000, 20_000, 0), 500);
  assert.equal(backoffPauseMs(9, 1000, 20_000, 0.5), 15_000);
});

test('Retry-After is parsed as seconds and as a date, and ignored otherwise', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  assert.equal(parseRetryAfterMs('3', now), 3000);
  assert.equal(parseRetryAfterMs('Wed, 21 Oct 2026 07:28:05 GMT', now), 5000);
  assert.equal(parseRetryAfterMs('Wed, 21 Oct 2026 07:27:05 GMT', now), 0);
  for (const nonsense of ['soon', '', '-', null, undefined]) assert.equal(parseRetryAfterMs(nonsense, now), null);
});

/** A clock that only advances by sleeping, and records the pauses. */
class SleepClock implements Clock {
  readonly pauses: number[] = [];
  #nowMs = 0;

  now(): number {
    return this.#nowMs;
  }

  wall(): number {
    return this.#nowMs;
  }

  async sleepUntil(timeMs: number): Promise<void> {
    await Promise.resolve();
    this.pauses.push(timeMs - this.#nowMs);
    this.#nowMs = timeMs;
  }
}

type Script = (requests: readonly { readonly id: number; readonly method: string }[]) => PostOutcome | object;

/** A client whose POSTs are answered by `scripts` in turn, and by the last one forever. */
function scripted(
  scripts: readonly Script[],
  tuning: Partial<UpstreamClientLimits> = {},
): { rpc: JsonRpcClient; clock: SleepClock; stats: UpstreamStats; sizes: number[] } {
  const clock = new SleepClock();
  const stats = newUpstreamStats();
  const sizes: number[] = [];
  const transport: HttpTransport = {
    post(body) {
      const json = JSON.parse(body) as { id: number; method: string } | { id: number; method: string }[];
      const requests = Array.isArray(json) ? json : [json];
      const script = scripts[Math.min(sizes.length, scripts.length - 1)]!;
      sizes.push(requests.length);
      const outcome = script(requests);
      if ('kind' in outcome) return Promise.resolve(outcome);
      const text = JSON.stringify(Array.isArray(json) || !Array.isArray(outcome) ? outcome : outcome[0]);
      return Promise.resolve({ kind: 'answer', status: 200, retryAfter: null, body: text });
    },
    close: () => Promise.resolve(),
  };
  const rules = { ...UPSTREAM_CLIENT_LIMITS, retryMs: 100, ...tuning };
  const breaker = new CircuitBreaker(rules.silenceMs, () => clock.now());
  return {
    rpc: new JsonRpcClient(rules, { transport, clock, random: () => 1, stats, breaker, redact: bare }),
    clock,
    stats,
    sizes,
  };
}

const fine: Script = (requests) => requests.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method }));
const http =
  (code: number, retryAfter: string | null = null, body = ''): Script =>
  () => ({ kind: 'answer', status: code, retryAfter, body });
const lost: Script = () => ({ kind: 'lost', reason: 'reset' });
const timeout: Script = () => ({ kind: 'timeout' });
const whole =
  (code: number, message: string): Script =>
  () => ({ jsonrpc: '2.0', id: null, error: { code, message } });
/** Accepts at most `max` requests at once; otherwise responds with an error. */
const taking =
  (max: number): Script =>
  (requests) =>
    requests.length <= max ? fine(requests) : whole(-32600, 'batch too large')(requests);
/** Responds with an error to requests for one of `methods`. */
const failing =
  (methods: readonly string[], code: number): Script =>
  (requests) =>
    requests.map(({ id, method }) =>
      methods.includes(method) ? { id, error: { code, message: 'no' } } : { id, result: method },
    );

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `m${i}`);
const requested = (count: number) => names(count).map((method) => ({ method, params: [] }));
const results = async (rpcClient: JsonRpcClient, count: number): Promise<unknown[]> =>
  (await rpcClient.batch(requested(count))).map((answer) => (answer.ok ? answer.result : answer.error.kind));

test('a read is retried with growing delays until it gets a response', async () => {
  const { rpc: client, clock, stats } = scripted([lost, timeout, http(502), fine]);
  assert.equal(await client.call('eth_getBalance', []), 'eth_getBalance');
  assert.deepEqual(clock.pauses, [100, 200, 400]);
  assert.deepEqual([stats.roundTrips, stats.retries, stats.failures], [4, 3, 0]);
});

test('a read fails after the last retry', async () => {
  const { rpc: client, stats, sizes } = scripted([lost]);
  await assert.rejects(client.call('eth_getBalance', []), { kind: 'unreachable' });
  assert.deepEqual([sizes.length, stats.failures], [UPSTREAM_CLIENT_LIMITS.triesMax, 1]);
});

for (const method of ['eth_fillTransaction', 'debug_getRawBlock', 'base_meterBundle', 'trace_block']) {
  test(`${method} is retried, as it only reads`, async () => {
    const { rpc: client, sizes } = scripted([timeout, fine]);
    assert.equal(await client.call(method, []), method);
    assert.equal(sizes.length, 2);
  });
}

for (const method of ['eth_sendRawTransaction', 'txpool_content', 'personal_unlockAccount']) {
  test(`${method} is not retried when its outcome is unknown`, async () => {
    const { rpc: client, sizes } = scripted([timeout, fine]);
    await assert.rejects(client.call(method, []), { kind: 'unreachable' });
    assert.equal(sizes.length, 1);
  });
}

test('no request is sent before a Retry-After has passed', async () => {
  const { rpc: client, clock } = scripted([http(429, '3'), fine]);
  await Promise.all([client.call('eth_chainId', []), client.call('eth_sendRawTransaction', [])]);
  assert.equal(clock.now(), 3000);
});

test('a Retry-After that is too long fails the request at once, and all others until then', async () => {
  const { rpc: client, clock, sizes } = scripted([http(429, '3600'), fine]);
  await assert.rejects(client.call('eth_chainId', []), { kind: 'unreachable' });
  await assert.rejects(client.call('eth_chainId', []), /wants no requests for 3600 s/);
  assert.deepEqual([sizes.length, clock.pauses], [1, []]);
  await clock.sleepUntil(3_590_000);
  assert.equal(await client.call('eth_chainId', []), 'eth_chainId');
});

test('only the rate-limited requests of a batch are retried', async () => {
  const { rpc: client, sizes } = scripted([failing(['m1', 'm3'], -32005), failing(['m3'], -32005), fine]);
  assert.deepEqual(await results(client, 5), names(5));
  assert.deepEqual(sizes, [5, 2, 1]);
});

test('requests that stay rate-limited fail as unreachable, the others of the batch get their results', async () => {
  const { rpc: client } = scripted([failing(['m1'], -32005)]);
  assert.deepEqual(await results(client, 3), ['m0', 'unreachable', 'm2']);
});

test('a large read is split into several batches', async () => {
  const { rpc: client, sizes, stats } = scripted([fine], { batchMax: 10 });
  assert.deepEqual(await results(client, 25), names(25));
  assert.deepEqual(sizes, [10, 10, 5]);
  assert.deepEqual([stats.requests, stats.batches, stats.roundTrips], [25, 3, 3]);
});

for (const [name, script] of [
  ['one error for the batch', taking(5)],
  ['status 413', (requests) => (requests.length <= 5 ? fine(requests) : http(413)(requests))],
  ['an answer that is too long', (requests) => (requests.length <= 5 ? fine(requests) : { kind: 'oversized' })],
] as readonly (readonly [string, Script])[]) {
  test(`the batch size that the node accepts is found by halving and remembered: ${name}`, async () => {
    const { rpc: client, sizes } = scripted([script], { batchMax: 64 });
    assert.deepEqual(await results(client, 64), names(64));
    const refusals = sizes.filter((size) => size > 5).length;
    assert.equal(refusals, 4);
    sizes.length = 0;
    assert.deepEqual(await results(client, 20), names(20));
    assert.deepEqual(sizes, [4, 4, 4, 4, 4]);
  });
}

test('a node that accepts no batches gets single requests', async () => {
  const { rpc: client, sizes } = scripted([taking(1)], { batchMax: 1000 });
  assert.deepEqual(await results(client, 1000), names(1000));
  assert.equal(sizes.filter((size) => size > 1).length, 10);
});

test('results omitted because the response was too long are requested again', async () => {
  const { rpc: client, sizes } = scripted([failing(['m2', 'm3'], -32003), fine]);
  assert.deepEqual(await results(client, 4), names(4));
  assert.deepEqual(sizes, [4, 2]);
});

test('a single result that is too long ends in an error', async () => {
  const { rpc: client } = scripted([() => ({ kind: 'oversized' })]);
  await assert.rejects(client.call('eth_getLogs', []), { kind: 'rpc' });
});

/** The outcome of one POST's response. */
const BODIES: readonly (readonly [name: string, script: Script, kinds: readonly string[]])[] = [
  ['results in reverse order', (requests) => (fine(requests) as object[]).toReversed(), ['m0', 'm1']],
  ['a missing result', (requests) => (fine(requests) as object[]).slice(1), ['malformed', 'm1']],
  ['unknown ids', (requests) => requests.map(() => ({ id: 'x', result: '0x1' })), ['malformed', 'malformed']],
  [
    'ids as strings',
    (requests) => requests.map(({ id }) => ({ id: String(id), result: '0x1' })),
    ['malformed', 'malformed'],
  ],
  ['nulls only', () => [null, null], ['malformed', 'malformed']],
  ['neither result nor error', (requests) => requests.map(({ id }) => ({ id })), ['malformed', 'malformed']],
  ['an empty list', () => [], ['malformed', 'malformed']],
  ['HTML instead of JSON', http(200, null, '<html>'), ['malformed', 'malformed']],
  ['an empty body', http(200), ['malformed', 'malformed']],
  ['an unsupported method', failing(['m1'], -32601), ['m0', 'refused']],
  ['an error without code', (requests) => requests.map(({ id }) => ({ id, error: {} })), ['rpc', 'rpc']],
  ['status 401', http(401, null, 'who are you'), ['refused', 'refused']],
];

for (const [name, script, kinds] of BODIES) {
  test(`a batch response with ${name} is handled`, async () =>
    assert.deepEqual(await results(scripted([script]).rpc, 2), kinds));
}

test('a JSON-RPC response with HTTP status 400 is read', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32602, message: 'bad', data: '0x01' } });
  const { rpc: client } = scripted([http(400, null, body)]);
  await assert.rejects(client.call('eth_getBalance', []), (error: unknown) => {
    assert.ok(error instanceof UpstreamError);
    assert.deepEqual(error.rpc, { code: -32602, message: 'bad', data: '0x01' });
    return true;
  });
});

/** Error messages of real nodes. */
const ERRORS: readonly (readonly [code: number, message: string, kind: UpstreamErrorKind])[] = [
  [-32601, 'the method debug_traceBlockByHash does not exist/is not available', 'refused'],
  [-32601, 'Method not found', 'refused'],
  [-32004, 'This request method is not supported', 'refused'],
  [-32600, 'method not allowed', 'refused'],
  [-32000, 'header for hash not found', 'notFound'],
  [-32000, 'header not found', 'notFound'],
  [-32000, 'missing trie node 1234abcd (path ) state 0x12 is not available', 'notFound'],
  [-32000, 'historical state 1234 is not available', 'notFound'],
  [-32001, 'block not found: hash 0x12', 'notFound'],
  [-32603, 'state at block #12 is pruned', 'notFound'],
  [-32000, 'No state available for block 0x12', 'notFound'],
  [-32000, 'World state unavailable', 'notFound'],
  [-39001, 'Unknown block', 'notFound'],
  [3, 'execution reverted', 'rpc'],
  [-32602, 'invalid argument 0', 'rpc'],
  [-32000, 'nonce too low', 'rpc'],
];

for (const [code, message, kind] of ERRORS) {
  test(`${code} ${message} is an error of kind ${kind}`, async () => {
    const { rpc: client } = scripted([(requests) => requests.map(({ id }) => ({ id, error: { code, message } }))]);
    await assert.rejects(client.call('eth_getBalance', []), { kind, rpc: { code, message } });
  });
}

test('requests beyond the queue bound are refused', async () => {
  const end = new EventEmitter();
  const post = (): Promise<PostOutcome> => once(end, 'end').then(() => ({ kind: 'timeout' }));
  const transport: HttpTransport = { post, close: () => Promise.resolve() };
  const tuning = { ...UPSTREAM_CLIENT_LIMITS, connectionsMax: 2, waitingMax: 3, triesMax: 1 };
  const clock = new SleepClock();
  const breaker = new CircuitBreaker(tuning.silenceMs, () => clock.now());
  const parts = { transport, clock, random: () => 0, stats: newUpstreamStats(), breaker, redact: bare };
  const client = new JsonRpcClient(tuning, parts);
  const calls = Array.from({ length: 6 }, () => client.call('eth_chainId', []));
  const settled = Promise.allSettled(calls);
  await assert.rejects(calls[5]!, /too many requests wait/);
  assert.equal(parts.stats.roundTrips, 2);
  end.emit('end');
  // Those that replaced the first two.
  const rest = setInterval(() => end.emit('end'));
  assert.equal((await settled).filter(({ status: how }) => how === 'rejected').length, 6);
  clearInterval(rest);
  assert.equal(parts.stats.roundTrips, 5);
});
