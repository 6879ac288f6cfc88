// Figures of the status page, computed from successive texts of /metrics: values, rates and quantiles. Runs in the
// browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScrapedMetrics } from '../../src/http/status/metric-math.js';
import { createMetrics } from '../../src/observe/metrics/metrics.js';
import { RequestLatency } from '../../src/rpc/answer/request-latency.js';
import { metricSources } from '../support/metric-sources.js';

function start() {
  const latency = new RequestLatency();
  const calls = new Map([['eth_call', 0]]);
  const text = createMetrics(metricSources({ latency, calls: () => calls }));
  const figures = new ScrapedMetrics();
  return { latency, calls, figures, take: async (atMs: number) => figures.take(await text(), atMs) };
}

test('the first scrape gives values and no rates', async () => {
  const { latency, figures, take } = start();
  latency.of('eth_call').record(1);
  await take(1000);
  assert.equal(figures.value('prestate_snapshot_block'), 2);
  assert.deepEqual(figures.labels('prestate_info', 'chain'), ['dev chain']);
  assert.ok(figures.has('prestate_workers') && !figures.has('prestate_replication_leads'));
  assert.deepEqual(figures.times('prestate_request_seconds'), { perSecond: 0, p50: null, p99: null, p999: null });
});

test('later scrapes give rates and quantiles since the one before', async () => {
  const { latency, calls, figures, take } = start();
  latency.of('eth_call').record(5000, 10);
  latency.of('eth_chainId').record(5000, 10);
  await take(1000);
  calls.set('eth_call', 30);
  latency.of('eth_call').record(1, 4);
  latency.of('eth_chainId').record(100, 4);
  await take(3000);
  assert.equal(figures.rate('prestate_calls_total'), 15);
  const call = figures.times('prestate_request_seconds', { method: 'eth_call' });
  assert.equal(call.perSecond, 2);
  assert.ok(call.p50! > 0.5 && call.p50! <= 1.024, `${call.p50}`);
  const all = figures.times('prestate_request_seconds');
  assert.equal(all.perSecond, 4);
  assert.ok(all.p99! > 65 && all.p99! <= 131.072, `${all.p99}`);
});

test('rates cover ten seconds; after a pause or a restart of the program there are none', async () => {
  const { calls, figures, take } = start();
  for (let second = 1; second <= 30; second++) {
    calls.set('eth_call', second < 20 ? 0 : (second - 19) * 100);
    await take(second * 1000);
  }
  assert.equal(figures.rate('prestate_calls_total'), 100);
  await take(100_000);
  assert.equal(figures.rate('prestate_calls_total'), 0);
  figures.take('process_start_time_seconds 7\nprestate_calls_total{method="a\\"b"} 5\n', 101_000);
  assert.equal(figures.rate('prestate_calls_total'), 0);
  assert.deepEqual(figures.labels('prestate_calls_total', 'method'), ['a"b']);
});
