// Alerts, dashboard and runbook: every metric, limit and log line they mention exists, and every alert has its section.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { dashboardText } from '../../deploy/grafana/dashboard.js';
import { LIMITS } from '../../src/limits/index.js';
import { METRICS_BY_DASHBOARD_ROW, metricNames } from '../../src/observe/metrics/metrics.js';
import { ALERTS, PANELS, alert, compose, deployed, root, textOf } from './deployed.js';

const MIB = 2 ** 20;

/** Prometheus generates it for every target. */
const PROMETHEUS_OWN = new Set(['up']);

/** Metrics in an expression; a histogram by its base name. */
function metricsIn(expr: string): readonly string[] {
  const bare = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without|on|ignoring) \([^)]*\)/g, '');
  const words = [...bare.matchAll(/[a-z_][a-z0-9_]*\b(?! *\()/gi)].map(([word]) => word);
  const names = words.map((word) => word.replace(/_seconds_(?:bucket|sum|count)$/, '_seconds'));
  return names.filter((word) => !['and', 'or', 'unless', 'sum', 'by', 'without'].includes(word));
}

test('every metric in alerts and dashboard exists', () => {
  const known = new Set(metricNames());
  const expressions = [
    ...ALERTS.map(({ alert: name, expr }) => [name, expr] as const),
    ...PANELS.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ];
  for (const [where, expr] of expressions) {
    const requested = metricsIn(expr);
    assert.ok(requested.length > 0, expr);
    for (const name of requested) assert.ok(known.has(name) || PROMETHEUS_OWN.has(name), `${where}: ${name}`);
  }
});

test('the dashboard is the one that npm run dashboard makes, and shows every metric of our own', () => {
  assert.equal(deployed('grafana/dashboard.json'), dashboardText());
  const shown = new Set(PANELS.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))));
  const ours = metricNames().filter((name) => name.startsWith('prestate_'));
  assert.deepEqual(
    ours.filter((name) => !shown.has(name)),
    [],
  );
  assert.equal(new Set(PANELS.map(({ id }) => id)).size, PANELS.length);
});

test('counters are named as counters, and they alone', () => {
  for (const { name, kind } of Object.values(METRICS_BY_DASHBOARD_ROW).flat())
    assert.equal(name.endsWith('_total'), kind === 'counter', name);
});

/** Unit of an expression's result, from the names in it. */
function unitsIn(expr: string): readonly string[] {
  const isRate = expr.includes('rate(');
  const units = metricsIn(expr).map((name) => {
    if (name.includes('_bytes')) return isRate ? 'Bps' : 'bytes';
    if (name.endsWith('_seconds')) return 's';
    return isRate && name.endsWith('_total') ? 'ops' : 'none';
  });
  // A ratio, or cores (seconds per second), has no unit.
  return / \/ |cpu_seconds_total/.test(expr) ? ['none'] : units;
}

test('a panel has one unit on its axis, that of every metric in it', () => {
  for (const { title, targets = [], fieldConfig } of PANELS) {
    const units = new Set(targets.flatMap(({ expr }) => unitsIn(expr)));
    const said = fieldConfig?.defaults.unit;
    assert.ok(units.size <= 1, `${title}: ${[...units].join()}`);
    for (const unit of units) assert.equal(said === 'percentunit' ? 'none' : said, unit, title);
  }
});

test('no panels of the dashboard overlap', () => {
  const cells = PANELS.flatMap(({ id, gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => ({ id, cell: `${x + (at % w)}, ${y + Math.floor(at / w)}` })),
  );
  const taken = new Map(cells.map(({ id, cell }) => [cell, id]));
  for (const { id, cell } of cells) assert.equal(taken.get(cell), id, `panels ${id} and ${taken.get(cell)} at ${cell}`);
});

test('every alert has severity, summary and a runbook section, and every section has an alert', () => {
  const manual = deployed('README.md');
  const sections = [...manual.matchAll(/^### (Prestate\w+)$/gm)].map(([, name]) => name!);
  assert.deepEqual(
    sections,
    ALERTS.map(({ alert: name }) => name),
  );
  for (const { alert: name, labels, annotations } of ALERTS) {
    assert.match(labels.severity, /^(critical|warning)$/, name);
    assert.ok(annotations.summary.includes('$labels.instance'), name);
    assert.equal(annotations.runbook_url, `deploy/README.md#${name.toLowerCase()}`);
    const section = manual.split(`\n### ${name}\n`)[1]!.split('\n### ')[0]!;
    for (const part of ['**Means**', '**Look at**', '**Do**']) assert.ok(section.includes(part), `${name}: ${part}`);
  }
});

test('alerts name the current limits', () => {
  const { upstreamSilenceMsMax, headSilenceMsMax, feedSilenceMsMax, pendingAgeMsMax, headLagBlocksMax } = LIMITS;
  for (const [name, bound] of [
    ['PrestateUpstreamSilent', `prestate_upstream_silence_seconds >= ${upstreamSilenceMsMax / 1000}`],
    ['PrestateHeadsSilent', `prestate_head_age_seconds > ${headSilenceMsMax / 1000}`],
    ['PrestateFeedSilent', `prestate_feed_age_seconds > ${feedSilenceMsMax / 1000}`],
    ['PrestatePendingStale', `prestate_snapshot_age_seconds > ${pendingAgeMsMax / 1000}`],
  ] as const) {
    for (const other of [name, 'PrestateNotReady']) assert.ok(alert(other).expr.includes(bound), `${other}: ${bound}`);
  }
  for (const name of ['PrestateHeadLag', 'PrestateNotReady'])
    assert.match(alert(name).expr, new RegExp(`> ${headLagBlocksMax}$`, 'm'));
  const [lag, silence] = [LIMITS.replicationLagMsMax / 1000, LIMITS.replicationSilenceMsMax / 1000];
  assert.equal(alert('PrestateReplicationLag').expr, `prestate_replication_lag_seconds > ${lag}`);
  for (const bound of [`lag_seconds > ${lag} and`, `silence_seconds > ${silence}\n`])
    assert.ok(alert('PrestateNotReady').expr.includes(`prestate_replication_${bound}`), bound);
  assert.match(alert('PrestateOldPin').expr, new RegExp(`> ${LIMITS.pinAgeMsMax / 1000}$`));
  const { expr } = alert('PrestateAnswerMemoryHigh');
  assert.ok(expr.includes(`prestate_answer_bytes > 0.8 * ${LIMITS.answersBytesMax / MIB} * 2^20`));
  assert.ok(expr.includes(`prestate_unsent_bytes > 0.8 * ${LIMITS.unsentBytesMax / MIB} * 2^20`));
});

test('files that Prometheus and Grafana load exist', () => {
  const prometheus = parse(deployed('prometheus.yml')) as {
    rule_files: string[];
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
  };
  assert.deepEqual(prometheus.rule_files, ['alerts.yml']);
  const [job] = prometheus.scrape_configs;
  assert.equal(job!.job_name, 'prestate');
  const [service] = job!.static_configs[0]!.targets[0]!.split(':');
  assert.ok(Object.hasOwn(compose.services, service!));
  const provider = parse(deployed('grafana/provider.yml')) as { providers: { options: { path: string } }[] };
  const mounts = compose.services['grafana']!.volumes.map((volume) => volume.split(':')[1]!);
  assert.ok(mounts.some((mount) => mount.startsWith(`${provider.providers[0]!.options.path}/`)));
  const source = parse(deployed('grafana/datasource.yml')) as { datasources: { url: string }[] };
  assert.ok(new URL(source.datasources[0]!.url).hostname in compose.services);
});

test('limits and log lines that the manual names exist', () => {
  const manual = deployed('README.md');
  for (const [, name] of manual.matchAll(/`([a-z]+[A-Z]\w*(?:Max|PerWorker))`/g))
    assert.ok(Object.hasOwn(LIMITS, name!), name);
  const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => textOf(`src/${file}`))
    .join('\n');
  const rows = [...manual.matchAll(/^\| (`[^|]+`) \| \d\d \|/gm)].map(([, cell]) => cell!);
  assert.ok(rows.length > 5);
  // Log lines about a lost dependency contain its name; the source has the rest of the line separately.
  const lines = rows.flatMap((cell) => cell.split('`, `')).map((line) => line.replaceAll('`', ''));
  const parts = lines.flatMap((line) => line.replace(/ is lost$/, '… is lost').split('…'));
  for (const part of parts) assert.ok(sources.includes(part.trim()), part);
});
