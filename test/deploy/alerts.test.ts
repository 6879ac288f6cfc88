// Evaluates every alert on the metrics of healthy programs, where none fires, and of unhealthy ones, where the right
// one does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricSources } from '../../src/observe/metrics/metric-definition.js';
import { createMetrics } from '../../src/observe/metrics/metrics.js';
import { JobTimeHistograms } from '../../src/pool/pool-counters.js';
import { LEADER, LIVE, NOW_MS, REPLICA, metricSources } from '../support/metric-sources.js';
import { ALERTS } from './deployed.js';
import { type Series, evaluate, seriesOf } from './promql.js';

/** Instances by name, with their metric sources. */
type Instances = Readonly<Record<string, Partial<MetricSources>>>;

const PLAIN: Instances = { plain: {} };
const ONE_LIVE: Instances = { live: { live: () => LIVE } };
const GROUP: Instances = {
  leader: { live: () => LIVE, replication: () => LEADER },
  standby: { replication: () => REPLICA },
  replica: { replication: () => REPLICA },
};

/** Series of the instances as Prometheus scrapes them, except for the test's own busy main thread. */
async function scraped(instances: Instances): Promise<readonly Series[]> {
  const all = Object.entries(instances).map(async ([instance, given]) => {
    const page = await createMetrics(metricSources(given))();
    const idle = page.replace(/^(nodejs_eventloop_lag_p99_seconds) .*$/m, '$1 0.01');
    return seriesOf(`${idle}up 1\n`, { job: 'prestate', instance });
  });
  return (await Promise.all(all)).flat();
}

/** Names of the alerts that fire five minutes after `earlier`. */
async function firing(instances: Instances, earlier: Instances = instances): Promise<readonly string[]> {
  const history = { earlier: await scraped(earlier), now: await scraped(instances) };
  return ALERTS.filter(({ expr }) => evaluate(expr, history).length > 0).map(({ alert }) => alert);
}

for (const [name, instances] of Object.entries({ plain: PLAIN, live: ONE_LIVE, 'executors and replicas': GROUP })) {
  test(`no alert fires while all is well: ${name}`, async () => {
    assert.deepEqual(await firing(instances), []);
  });
}

function live(changed: Partial<typeof LIVE>): Instances {
  return { live: { live: () => ({ ...LIVE, ...changed }) } };
}

test('each failure fires its alerts and no others', async () => {
  const counted = (changed: Partial<typeof LIVE.counts>): Instances => live({ counts: { ...LIVE.counts, ...changed } });
  const sources = metricSources();
  const slow = new JobTimeHistograms();
  slow.record(0, { startedMs: 2000, tookMs: 1 }, 2001);
  const pool = (changed: object): Instances => ({ plain: { pool: () => ({ ...sources.pool(), ...changed }) } });
  const gone = { ...REPLICA, isConnected: false };
  const cases: readonly (readonly [what: string, Instances, Instances | undefined, readonly string[]])[] = [
    ['nobody leads', { replica: { replication: () => REPLICA } }, undefined, ['PrestateNoLeader']],
    ['NATS', { ...GROUP, replica: { replication: () => gone } }, undefined, ['PrestateNatsGone']],
    ['node', live({ upstreamSilentSinceMs: NOW_MS - 6000 }), undefined, ['PrestateNotReady', 'PrestateUpstreamSilent']],
    ['feed', live({ feedAtMs: NOW_MS - 9000 }), undefined, ['PrestateNotReady', 'PrestateFeedSilent']],
    ['no feed', live({ feedAtMs: null }), undefined, []],
    ['heads', live({ upstreamHead: 9 }), undefined, ['PrestateNotReady', 'PrestateHeadLag']],
    ['gaps', counted({ gaps: 6 }), ONE_LIVE, ['PrestateGaps']],
    ['rules', counted({ unknownRules: 1 }), ONE_LIVE, ['PrestateUnknownRules']],
    ['refusals', pool({ refused: { full: 100, closed: 0 } }), PLAIN, ['PrestateRefusals']],
    ['closing', pool({ refused: { full: 0, closed: 100 } }), PLAIN, []],
    ['queue', pool({ times: slow }), PLAIN, ['PrestateQueueSlow']],
    ['workers', pool({ kills: 1 }), PLAIN, ['PrestateWorkerRestarts']],
    ['disk', { plain: { damagedRecords: () => 1 } }, undefined, ['PrestateArchiveDamaged']],
    ['answers', { plain: { answerBytes: () => 2 ** 26 } }, undefined, ['PrestateAnswerMemoryHigh']],
  ];
  for (const [what, now, earlier, alerts] of cases) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    assert.deepEqual(await firing(now, earlier ?? now), alerts, what);
  }
});

test('an expression that is not understood is an error', () => {
  const nothing = { earlier: [], now: [] };
  for (const expression of ['a b', 'avg(up)', 'up{a!~"b"}', 'rate(up)', '(up'])
    assert.throws(() => evaluate(expression, nothing), /not understood|no /, expression);
});
