// Histograms as Prometheus reads them: bounds in seconds, counts that add up. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram } from '../src/lib/histogram.js';
import { createMetrics, type MetricSources } from '../src/metrics.js';
import { JobTimes } from '../src/pool/estimator/job-times.js';
import { Latency } from '../src/rpc/latency.js';

const NAMES = ['prestate_request_seconds', 'prestate_stage_seconds', 'prestate_feed_to_visible_seconds'];

async function textOf(sources: Partial<MetricSources>): Promise<string> {
  const registry = createMetrics(sources as MetricSources);
  const texts = NAMES.map((name) => registry.getSingleMetricAsString(name));
  return (await Promise.all(texts)).join('\n');
}

test('times are shown by method and by stage', async () => {
  const latency = new Latency();
  const visible = new Histogram();
  const times = new JobTimes();
  latency.of('eth_call').record(0.0015, 2);
  latency.of('eth_call').record(20_000);
  times.record(1, { beganMs: 3, tookMs: 4 }, 8);
  visible.record(2);
  const text = await textOf({ latency, visible, pool: () => ({ times }) as ReturnType<MetricSources['pool']> });
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
    assert.ok(text.includes(`${line}\n`) || text.endsWith(line), `${line}\n${text}`);
});
