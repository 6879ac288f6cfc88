// What the status page is told: rates and quantiles of the time between two texts. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KernelCounters } from '../src/evm/kernel/shared-counters.js';
import { Histogram } from '../src/lib/histogram.js';
import { LIMITS } from '../src/limits.js';
import { JobTimes } from '../src/pool/estimator/job-times.js';
import { Latency } from '../src/rpc/latency.js';
import { Status, type StatusSources } from '../src/status.js';

interface Shown {
  readonly ready: boolean;
  readonly live: { readonly feedAgeMs: number; readonly visible: { readonly p50Ms: number | null } } | null;
  readonly traffic: {
    readonly requestsPerSecond: number;
    readonly callsPerSecond: number;
    readonly p99Ms: number | null;
  };
  readonly methods: readonly { readonly name: string; readonly perSecond: number; readonly p50Ms: number | null }[];
  readonly stages: readonly { readonly name: string }[];
}

function start() {
  const now = { ms: 1000, calls: 0 };
  const latency = new Latency();
  const visible = new Histogram();
  const pool = {
    times: new JobTimes(),
    refused: { full: 0 },
    completed: 0,
    queued: 1,
    running: 2,
    crashes: 0,
    kills: 0,
  };
  const usage = { accounts: 1, slots: 2, evictions: 3 };
  const live = { counts: {}, feedAtMs: 500, headAtMs: 0, upstreamSilentSinceMs: null };
  const sources = {
    version: '1',
    chain: { id: '1', name: 'Ethereum' },
    workers: 2,
    readiness: () => ({ ready: true, reason: 'at block 1' }),
    uptimeMs: () => 5,
    memory: () => ({ rss: 1, heapUsed: 2 }),
    latency,
    visible,
    calls: () => new Map([['eth_call', now.calls]]),
    errors: () => new Map(),
    pool: () => pool,
    snapshot: () => ({ version: 1, block: 2, index: 3, head: 1, ageMs: 4, tableBytes: 5, misses: 6, usage }),
    http: () => ({ inFlight: 1, socketsOpen: 2 }),
    kernel: new KernelCounters(),
    live: () => live,
    nowMs: () => now.ms,
  } as unknown as StatusSources;
  const status = new Status(sources);
  return { now, latency, visible, text: (): Shown => JSON.parse(status.text()) as Shown };
}

test('a first text tells where things stand, and no rates', () => {
  const { latency, text } = start();
  latency.of('eth_call').record(1);
  const { ready, traffic, live, methods, stages } = text();
  assert.ok(ready);
  assert.deepEqual([traffic.requestsPerSecond, traffic.p99Ms, live!.feedAgeMs], [0, null, 500]);
  assert.deepEqual(methods, [{ name: 'eth_call', perSecond: 0, p50Ms: null, p99Ms: null, p999Ms: null }]);
  assert.deepEqual(
    stages.map(({ name }) => name),
    ['decode', 'read', 'queue', 'execution', 'return', 'answer'],
  );
});

test('the next one tells of what came since, at its pace', () => {
  const { now, latency, visible, text } = start();
  latency.of('eth_call').record(5000, 10);
  text();
  now.ms += 2000;
  now.calls += 30;
  latency.of('eth_call').record(1, 4);
  latency.of('eth_chainId').record(100, 4);
  visible.record(3);
  const { traffic, methods, live } = text();
  assert.deepEqual([traffic.requestsPerSecond, traffic.callsPerSecond], [4, 15]);
  assert.ok(traffic.p99Ms! >= 100 && traffic.p99Ms! < 113);
  assert.deepEqual(
    methods.map(({ name, perSecond }) => [name, perSecond]),
    [
      ['eth_call', 2],
      ['eth_chainId', 2],
    ],
  );
  assert.ok(methods[0]!.p50Ms! < 1.2 && live!.visible.p50Ms! >= 3);
  assert.equal(text().methods[0]!.p50Ms, null);
});

test('after a long rest nothing is averaged over it', () => {
  const { now, latency, text } = start();
  text();
  now.ms += LIMITS.statusSpanMsMax + 1;
  latency.of('eth_call').record(1);
  assert.equal(text().traffic.requestsPerSecond, 0);
});
