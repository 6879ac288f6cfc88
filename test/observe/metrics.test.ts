// The output of /metrics: histograms in seconds with consistent counts, and metrics of the enabled features.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram } from '../../src/lib/histogram.js';
import { LIMITS } from '../../src/limits/index.js';
import type { MetricSources } from '../../src/observe/metrics/metric-definition.js';
import { METRICS_CONTENT_TYPE, createMetrics, metricNames } from '../../src/observe/metrics/metrics.js';
import type { SubmittedTransactionTracker } from '../../src/rpc/call/submitted-transaction-tracker.js';
import { JobTimeHistograms } from '../../src/pool/pool-counters.js';
import { RequestLatency } from '../../src/rpc/answer/request-latency.js';
import { LEADER, LIVE, metricSources, REPLICA } from '../support/metric-sources.js';

test('request times are shown by method and by stage', async () => {
  const latency = new RequestLatency();
  const visible = new Histogram();
  const times = new JobTimeHistograms();
  latency.of('eth_call').record(0.0015, 2);
  latency.of('eth_call').record(20_000);
  times.record(1, { startedMs: 3, tookMs: 4 }, 8);
  visible.record(2);
  const sources = metricSources();
  const pool = { ...sources.pool(), times };
  const text = await createMetrics({ ...sources, latency, visible, pool: () => pool })();
  for (const line of [
    '# TYPE prestate_request_seconds histogram',
    'prestate_request_seconds_bucket{method="eth_call",le="0.000001"} 0',
    'prestate_request_seconds_bucket{method="eth_call",le="0.000002"} 2',
    'prestate_request_seconds_bucket{method="eth_call",le="+Inf"} 3',
    'prestate_request_seconds_count{method="eth_call"} 3',
    'prestate_request_seconds_sum{method="eth_call"} 20.000003',
    'prestate_stage_seconds_sum{stage="queue"} 0.002',
    'prestate_stage_seconds_sum{stage="execution"} 0.004',
    'prestate_stage_seconds_sum{stage="return"} 0.001',
    'prestate_stage_seconds_count{stage="decode"} 0',
    'prestate_feed_to_visible_seconds_count 1',
  ])
    assert.ok(text.includes(`${line}\n`), `${line}\n${text}`);
});

/** Names of the metric families on a page, each of which needs a help and a type line. */
async function families(sources: MetricSources): Promise<readonly string[]> {
  const text = await createMetrics(sources)();
  const names = [...text.matchAll(/^# HELP (\w+) .+\n# TYPE \1 \w+$/gm)].map(([, name]) => name!);
  assert.equal(names.length, [...text.matchAll(/^# TYPE/gm)].length);
  return names;
}

test('what is named a total is a counter, also among the metrics of the process', async () => {
  const text = await createMetrics(metricSources())();
  const kinds = [...text.matchAll(/^# TYPE \w+_total (\w+)$/gm)].map(([, kind]) => kind);
  assert.ok(kinds.length > 20);
  assert.deepEqual(new Set(kinds), new Set(['counter']));
});

test('a metric family is shown only if its feature is on', async () => {
  const plain = await families(metricSources());
  const counts = { accepted: 2, included: 0, expired: 0 };
  const ownSends = (): Pick<SubmittedTransactionTracker, 'counts' | 'size' | 'times'> => {
    return { counts, times: new Histogram(), size: 2 };
  };
  const all = await families(metricSources({ live: () => LIVE, replication: () => LEADER, ownSends }));
  const shown = await createMetrics(metricSources({ ownSends }))();
  assert.match(shown, /^prestate_sends_total\{status="accepted"\} 2$/m);
  assert.match(shown, /^prestate_sends_on_the_way 2$/m);
  assert.deepEqual(
    plain.filter((name) => /replication|upstream|feed_age|head_age|gaps|send_|sends/.test(name)),
    [],
  );
  for (const name of ['prestate_replication_leads', 'prestate_gaps_total']) assert.ok(all.includes(name), name);
  const known = new Set(metricNames());
  for (const name of all) assert.ok(known.has(name), name);
});

test('label values are escaped', async () => {
  const about = { version: '1"2\\3\n4', chain: 'dev', chainId: '1' };
  const text = await createMetrics(metricSources({ about }))();
  assert.ok(text.includes(String.raw`prestate_info{version="1\"2\\3\n4",chain="dev",chain_id="1"} 1`));
  assert.match(METRICS_CONTENT_TYPE, /^text\/plain; version=0\.0\.4/);
});

test('a replica that does not hear of its executor does not report a lag', async () => {
  const silent = { ...REPLICA, heardAtMs: REPLICA.heardAtMs! - LIMITS.replicationSilenceMsMax };
  for (const [status, waiting, lag] of [
    [{ ...REPLICA, waiting: 3, lagMs: 40 }, 3, 0.04],
    [silent, -1, -1],
    [{ ...LEADER, waiting: 2 }, 2, 0],
  ] as const) {
    const text = await createMetrics(metricSources({ replication: () => status }))();
    assert.match(text, new RegExp(`^prestate_replication_waiting_versions ${waiting}$`, 'm'));
    assert.match(text, new RegExp(`^prestate_replication_lag_seconds ${lag}$`, 'm'));
  }
});
