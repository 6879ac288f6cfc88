// The dashboard, made of src/observe/metrics: a row for each of its groups, a panel for each metric. `npm run
// dashboard` writes dashboard.json anew, a panel a line.
import { readFileSync, writeFileSync } from 'node:fs';
import { METRICS_BY_DASHBOARD_ROW } from '../../src/observe/metrics/metrics.js';

const FILE = new URL('../../../deploy/grafana/dashboard.json', import.meta.url);
const ALERTS = new URL('../../../deploy/alerts.yml', import.meta.url);

const SOURCE = { type: 'prometheus', uid: '${datasource}' };
const WHERE = '{job="prestate",instance=~"$instance"}';
const SPAN = '[$__rate_interval]';
const COLUMNS = 24;
const AUTO_LEGEND = '__auto';

/** A panel before it has its position. */
interface Panel {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly expressions: readonly (readonly [expression: string, legend: string])[];
  /** Bound from which on a value is bad. */
  readonly bound: number | null;
}

/** Row of panels that is looked at first. */
const NOW: readonly Panel[] = [
  own('Up', 'Instances that Prometheus reaches', `up${WHERE}`),
  own('Newest block', 'Block of the newest version: what pending means', `prestate_snapshot_block${WHERE}`),
  own(
    'Blocks behind the node',
    'Not ready above 3',
    `prestate_upstream_head_block${WHERE} - prestate_head_block${WHERE}`,
    4,
  ),
  own('Age of pending', 'Not ready above 4 s with a feed', `prestate_snapshot_age_seconds${WHERE}`, 4, 's'),
  own('Kernel mismatches', 'Above 0 is a bug', `prestate_kernel_mismatches_total${WHERE}`, 1),
  own('Damaged records', 'Of the archive', `prestate_archive_damaged_records_total${WHERE}`, 1),
];

/** Panels of metrics of the process itself, and of more than one metric. */
const PROCESS: readonly Panel[] = [
  own(
    'Main thread, lag',
    'How long a request waits for the main thread',
    `nodejs_eventloop_lag_p99_seconds${WHERE}`,
    0.1,
    's',
  ),
  own('CPU', 'Cores used by all threads', `rate(process_cpu_seconds_total${WHERE}${SPAN})`),
  own('Resident memory', 'Of all threads', `process_resident_memory_bytes${WHERE}`, 0.9 * 8 * 2 ** 30, 'bytes'),
  own('Heap of main', 'JavaScript objects', `nodejs_heap_size_used_bytes${WHERE}`, null, 'bytes'),
  own('File descriptors', 'Of those allowed', `process_open_fds${WHERE} / process_max_fds${WHERE}`, 0.8, 'percentunit'),
  own(
    'Jobs of a task',
    'More when the pool is busy',
    `rate(prestate_task_jobs_total${WHERE}${SPAN}) / (rate(prestate_tasks_total${WHERE}${SPAN}) > 0)`,
  ),
];

const alerts = readFileSync(ALERTS, 'utf8');

function own(
  title: string,
  description: string,
  expression: string,
  bound: number | null = null,
  unit = 'none',
): Panel {
  return { title, description, unit, expressions: [[expression, AUTO_LEGEND]], bound };
}

/** The panel of a metric: a counter by its growth, times by their quantiles. */
function panelOf({ name, help, kind }: (typeof METRICS_BY_DASHBOARD_ROW)[string][number]): Panel {
  const common = { title: help.split(/[;:,]/, 1)[0]!, description: `${name}: ${help}` };
  if (kind === undefined) {
    const quantile = (share: number): string =>
      `histogram_quantile(${share}, sum without (instance) (rate(${name}_bucket${WHERE}${SPAN})))`;
    const expressions = [0.5, 0.99].map((share) => [quantile(share), `p${share * 100} {{method}}{{stage}}`] as const);
    return { ...common, unit: 's', expressions, bound: null };
  }
  const isRate = kind === 'counter';
  const expression = isRate ? `rate(${name}${WHERE}${SPAN})` : `${name}${WHERE}`;
  return { ...common, unit: unitOf(name, isRate), expressions: [[expression, AUTO_LEGEND]], bound: boundOf(name) };
}

function unitOf(name: string, isRate: boolean): string {
  if (name.includes('_bytes')) return isRate ? 'Bps' : 'bytes';
  if (isRate) return 'ops';
  return name.endsWith('_seconds') ? 's' : 'none';
}

/** The bound of the first alert whose expression is this metric alone. */
function boundOf(name: string): number | null {
  const [, bound] = new RegExp(`expr: ${name} >=? ([\\d.]+)$`, 'm').exec(alerts) ?? [];
  return bound === undefined ? null : Number(bound);
}

function drawn({ title, description, unit, expressions, bound }: Panel, isStat: boolean): object {
  const steps = [{ color: 'green', value: null }, ...(bound === null ? [] : [{ color: 'red', value: bound }])];
  const thresholds = { mode: 'absolute', steps };
  const custom = { fillOpacity: 8, showPoints: 'never', thresholdsStyle: { mode: bound === null ? 'off' : 'line' } };
  return {
    type: isStat ? 'stat' : 'timeseries',
    title,
    description,
    datasource: SOURCE,
    fieldConfig: { defaults: { unit, thresholds, ...(isStat ? {} : { min: 0, custom }) }, overrides: [] },
    targets: expressions.map(([expr, legendFormat], i) => {
      return { refId: String.fromCodePoint(65 + i), datasource: SOURCE, expr, legendFormat };
    }),
    options: isStat ? { reduceOptions: { calcs: ['lastNotNull'] } } : { tooltip: { mode: 'multi', sort: 'desc' } },
  };
}

/** Rows one below the other, panels from left to right. */
function placed(): readonly object[] {
  const rows = [
    ['Now', NOW],
    ...Object.entries(METRICS_BY_DASHBOARD_ROW).map(([title, all]) => [title, all.map(panelOf)]),
  ] as const;
  let [id, y] = [0, 0];
  return [...rows, ['Process', PROCESS] as const].flatMap(([title, panels]) => {
    const [w, h] = title === 'Now' ? [4, 4] : [6, 7];
    const row = {
      type: 'row',
      title,
      id: ++id,
      gridPos: { x: 0, y: y++, w: COLUMNS, h: 1 },
      collapsed: false,
      panels: [],
    };
    const all = (panels as readonly Panel[]).map((panel, i) => {
      const gridPos = { x: (i * w) % COLUMNS, y: y + Math.floor((i * w) / COLUMNS) * h, w, h };
      return { id: ++id, gridPos, ...drawn(panel, title === 'Now') };
    });
    y += Math.ceil((all.length * w) / COLUMNS) * h;
    return [row, ...all];
  });
}

/** The text of dashboard.json. */
export function dashboardText(): string {
  const instance = { text: 'All', value: '$__all' };
  const query = { query: 'label_values(up{job="prestate"}, instance)', refId: 'instance' };
  const starts = `changes(process_start_time_seconds${WHERE}[1m]) > 0`;
  const head = JSON.stringify({
    uid: 'prestate',
    title: 'prestate',
    tags: ['prestate'],
    schemaVersion: 39,
    version: 2,
    editable: true,
    refresh: '10s',
    time: { from: 'now-1h', to: 'now' },
    timezone: 'browser',
    graphTooltip: 1,
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Source', current: {}, hide: 0 },
        {
          name: 'instance',
          type: 'query',
          label: 'Instance',
          datasource: SOURCE,
          query,
          refresh: 2,
          includeAll: true,
          multi: true,
          current: instance,
          sort: 1,
        },
      ],
    },
    annotations: {
      list: [
        {
          name: 'Starts',
          datasource: SOURCE,
          enable: true,
          iconColor: 'blue',
          expr: starts,
          titleFormat: 'started {{instance}}',
        },
      ],
    },
  });
  const panels = placed().map((panel) => JSON.stringify(panel));
  return `${head.slice(0, -1)},"panels":[\n${panels.join(',\n')}\n]}\n`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(FILE, dashboardText());
