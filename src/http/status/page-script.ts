// The status page's script: fetches /metrics and /readyz from the page's own address each second and draws them. It
// loads and sends nothing else. Elements are created once and only their text changes, so that a selection or the focus
// is kept. Runs in the browser, inlined into page.html after metric-math.ts.
import { ScrapedMetrics } from './metric-math.js';

/** The parts of the browser's API that this script uses. */
interface PageElement {
  id: string;
  textContent: string;
  className: string;
  hidden: boolean;
  readonly classList: { toggle(name: string, on: boolean): void };
  append(child: PageElement): void;
  setAttribute(name: string, value: string): void;
}
declare const document: {
  title: string;
  readonly hidden: boolean;
  readonly body: PageElement;
  createElement(name: string): PageElement;
  createElementNS(space: string, name: string): PageElement;
  getElementById(id: string): PageElement | null;
};

/** A line on a card: a label, a text and, if there is one, a CSS class. */
type Line = readonly [label: string, text: string, className?: string];

/**
 * Content of one card: its main value (`figure`), the value that is plotted over the last two minutes, and its lines.
 */
interface Card {
  readonly name: string;
  readonly figure: readonly [text: string, unit: string];
  readonly plot: readonly [name: string, value: number | null, text: (value: number) => string];
  readonly lines: readonly Line[];
}

const EVERY_MS = 1000;
const PATIENCE_MS = 10_000;
/** Number of points of a plot: two minutes with one point a second. */
const POINTS = 120;
const figures = new ScrapedMetrics();
/** Plotted values by the name of the plot. */
const drawn = new Map<string, number[]>();
const made = new Map<string, PageElement>();

function number(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function rate(value: number): string {
  return number(value, value > 0 && value < 10 ? 1 : 0) + ' /s';
}

function time(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 0.0995) return number(ms * 1000, ms < 0.00995 ? 1 : 0) + ' µs';
  if (ms < 999.5) return number(ms, ms < 9.95 ? 2 : ms < 99.5 ? 1 : 0) + ' ms';
  if (ms < 120_000) return number(ms / 1000, 1) + ' s';
  return ms < 7_200_000 ? number(ms / 60_000) + ' min' : number(ms / 3_600_000, 1) + ' h';
}

function bytes(total: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(total, 1)) / 10)));
  const count = total / 1024 ** unit;
  return number(count, unit > 0 && count < 100 ? 1 : 0) + ' ' + units[unit]!;
}

function seconds(name: string): number {
  return figures.value(name) * 1000;
}

/** Returns the element with this key. It is created when it is first used. */
function element(parent: PageElement, key: string, name: string, isShape = false): PageElement {
  const known = made.get(key);
  if (known !== undefined) return known;
  const space = 'http://www.w3.org/2000/svg';
  const fresh = isShape ? document.createElementNS(space, name) : document.createElement(name);
  made.set(key, fresh);
  parent.append(fresh);
  return fresh;
}

/** Sets text and CSS class of an element, only if they have changed. */
function say(target: PageElement, text: string, className = ''): void {
  if (target.textContent !== text) target.textContent = text;
  if (target.className !== className) target.className = className;
}

function byId(id: string): PageElement {
  return document.getElementById(id)!;
}

/** Returns the card with this name. It is created with a title when it is first used. */
function section(name: string): PageElement {
  const card = element(byId('cards'), name, 'section');
  card.id = 'card-' + name.toLowerCase().replaceAll(' ', '-');
  const title = element(card, name + ' title', 'h2');
  title.id = card.id + '-title';
  say(element(title, name + ' name', 'span'), name);
  card.setAttribute('aria-labelledby', title.id);
  return card;
}

function show({ name, figure: [text, unit], plot, lines }: Card): void {
  const card = section(name);
  const line = element(card, name + ' figure', 'p');
  line.className = 'figure';
  say(element(line, name + ' value', 'span'), text);
  say(element(line, name + ' unit', 'small'), ' ' + unit);
  drawPlot(card, ...plot);
  const list = element(card, name + ' list', 'dl');
  for (const [label, value, className] of lines) {
    say(element(list, name + ' label ' + label, 'dt'), label);
    say(element(list, name + ' line ' + label, 'dd'), value, className);
  }
}

/** Plots the last two minutes of a value; the scale starts at zero. */
function drawPlot(card: PageElement, name: string, value: number | null, text: (value: number) => string): void {
  const values = [...(drawn.get(name) ?? []), value ?? 0].slice(-POINTS);
  drawn.set(name, values);
  const most = Math.max(...values, Number.MIN_VALUE);
  const start = POINTS - values.length;
  const line = values.map((each, i) => start + i + ',' + (41 - (38 * each) / most).toFixed(2)).join(' ');
  const highest = text(most === Number.MIN_VALUE ? 0 : most);
  say(element(byId(card.id + '-title'), name + ' most', 'small'), 'up to ' + highest);
  const svg = element(card, name + ' plot', 'svg', true);
  svg.setAttribute('viewBox', '0 0 ' + (POINTS - 1) + ' 42');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', name + ' of the last two minutes, up to ' + highest);
  const area = element(svg, name + ' area', 'polygon', true);
  area.setAttribute('class', 'area');
  area.setAttribute('points', start + ',42 ' + line + ' ' + (POINTS - 1) + ',42');
  const curve = element(svg, name + ' curve', 'polyline', true);
  curve.setAttribute('class', 'curve');
  curve.setAttribute('points', line);
}

/**
 * Shows a card with a table that has one row for each value of a metric's label. If the table is wider than the window,
 * it can be scrolled by keyboard.
 */
function showTimes(name: string, metric: string, label: string): void {
  const rows = figures.labels(metric + '_count', label);
  if (rows.length === 0) return;
  const card = section(name);
  card.className = 'wide';
  const box = element(card, name + ' box', 'div');
  box.setAttribute('tabindex', '0');
  box.setAttribute('role', 'region');
  box.setAttribute('aria-labelledby', card.id + '-title');
  const table = element(box, name + ' table', 'table');
  const head = element(element(table, name + ' head', 'thead'), name + ' titles', 'tr');
  for (const title of [label, '/s', 'p50', 'p99', 'p99.9']) {
    const cell = element(head, name + ' title ' + title, 'th');
    cell.setAttribute('scope', 'col');
    say(cell, title);
  }
  const body = element(table, name + ' body', 'tbody');
  for (const row of rows) showRow(body, name, row, figures.times(metric, { [label]: row }));
}

function showRow(body: PageElement, name: string, row: string, times: ReturnType<ScrapedMetrics['times']>): void {
  const line = element(body, name + ' row ' + row, 'tr');
  line.className = times.p50 === null ? 'still' : '';
  const cells = [row, number(times.perSecond, 1), time(times.p50), time(times.p99), time(times.p999)];
  cells.forEach((text, i) => say(element(line, name + ' cell ' + row + ' ' + i, i === 0 ? 'th' : 'td'), text));
}

function about(label: string): string {
  return figures.labels('prestate_info', label)[0] ?? '';
}

function showHead({ ready, reason }: { readonly ready: boolean; readonly reason: string }): void {
  const upMs = Date.now() - seconds('process_start_time_seconds');
  say(byId('chain'), about('chain') + ' · chain id ' + about('chain_id'));
  say(byId('version'), about('version') + ' · up ' + time(Math.max(0, upMs)), 'dim');
  say(byId('state'), ready ? 'ready' : 'not ready', ready ? 'good' : 'bad');
  say(byId('reason'), reason);
  document.title = 'prestate · ' + (ready ? 'ready' : 'not ready');
}

function bad(value: number): string {
  return value > 0 ? 'bad' : '';
}

/** Returns a line with a count of faults since the start, shown in red unless it is zero. */
function fault(label: string, name: string): Line {
  const value = figures.value(name);
  return [label, number(value), bad(value)];
}

function pendingCard(): Card {
  const ageMs = seconds('prestate_snapshot_age_seconds');
  return {
    name: 'Pending',
    figure: [
      number(figures.value('prestate_snapshot_block')),
      'increment ' + number(figures.value('prestate_snapshot_increment')),
    ],
    plot: ['Age of pending', ageMs, time],
    lines: [
      ['Age', time(ageMs)],
      ['Head', number(figures.value('prestate_snapshot_head_block'))],
      ['Version', number(figures.value('prestate_snapshot_version'))],
    ],
  };
}

function liveCard(): Card {
  const [feedMs, silentMs] = [seconds('prestate_feed_age_seconds'), seconds('prestate_upstream_silence_seconds')];
  const { p50, p99 } = figures.times('prestate_feed_to_visible_seconds');
  const upstream = figures.value('prestate_upstream_head_block');
  const ahead = upstream - figures.value('prestate_head_block');
  const counts = ['gaps', 'reorgs', 'state_restarts'].map((each) => figures.value('prestate_' + each + '_total'));
  return {
    name: 'Feed and node',
    figure: feedMs < 0 ? ['no feed', ''] : [time(feedMs), 'since the last frame'],
    plot: ['Received to visible, p99', p99, time],
    lines: [
      ['Received to visible, p50 / p99', time(p50) + ' / ' + time(p99)],
      ["Node's head", number(upstream) + (ahead > 0 ? ' (' + number(ahead) + ' ahead)' : '')],
      ['Since its last head', time(seconds('prestate_head_age_seconds'))],
      ['Node', silentMs > 0 ? 'silent for ' + time(silentMs) : 'answers', bad(silentMs)],
      ['Gaps, reorgs, state resets', counts.map((each) => number(each)).join(' · ')],
      fault('Results unlike the chain’s', 'prestate_mismatches_total'),
    ],
  };
}

function replicationCard(): Card {
  const isConnected = figures.value('prestate_replication_connected') === 1;
  const lagMs = seconds('prestate_replication_lag_seconds');
  const waiting = figures.value('prestate_replication_waiting_versions');
  const versions = figures.rate('prestate_replication_versions_total');
  return {
    name: 'Replication',
    figure: [number(versions, 1), 'versions a second'],
    plot: ['Replication lag', lagMs < 0 ? null : lagMs, time],
    lines: [
      ['NATS server', isConnected ? 'connected' : 'not connected', isConnected ? '' : 'bad'],
      ['Leads', figures.value('prestate_replication_leads') === 1 ? 'yes' : 'no'],
      ['Epoch', number(figures.value('prestate_replication_epoch'))],
      ['Lag', lagMs < 0 ? 'unknown' : time(lagMs), bad(-lagMs)],
      ['Versions waiting', waiting < 0 ? 'unknown' : number(waiting), bad(-waiting)],
      ['Caught up', number(figures.value('prestate_replication_catch_ups_total'))],
      fault('Damaged', 'prestate_replication_damaged_total'),
    ],
  };
}

function trafficCard(): Card {
  const requests = figures.rate('prestate_request_seconds_count');
  return {
    name: 'Requests',
    figure: [number(requests), 'a second'],
    plot: ['Requests a second', requests, rate],
    lines: [
      ['Calls', rate(figures.rate('prestate_calls_total'))],
      ['Errors', rate(figures.rate('prestate_errors_total'))],
      ['In flight', number(figures.value('prestate_requests_in_flight'))],
      ['WebSockets', number(figures.value('prestate_websockets'))],
    ],
  };
}

function latencyCard(): Card {
  const { p50, p99, p999 } = figures.times('prestate_request_seconds');
  return {
    name: 'Latency',
    figure: [time(p99), 'p99'],
    plot: ['Latency, p99', p99, time],
    lines: [
      ['p50', time(p50)],
      ['p99.9', time(p999)],
    ],
  };
}

function subscriptionsCard(): Card {
  const pushed = figures.rate('prestate_pushed_messages_total');
  const topics = figures.labels('prestate_subscriptions', 'topic').map((topic): Line => {
    return [topic, number(figures.value('prestate_subscriptions', { topic }))];
  });
  return {
    name: 'Subscriptions',
    figure: [number(figures.value('prestate_subscriptions')), 'open'],
    plot: ['Messages a second', pushed, rate],
    lines: [
      ['Messages', rate(pushed)],
      ['Left out for slow readers', rate(figures.rate('prestate_skipped_messages_total'))],
      ['Filters', number(figures.value('prestate_filters'))],
      ...topics,
    ],
  };
}

function poolCard(): Card {
  const queued = figures.value('prestate_jobs_queued');
  const refused = figures.rate('prestate_jobs_refused_total');
  const reasons = figures.labels('prestate_jobs_refused_total', 'reason').map((reason): [string, number] => {
    return [reason, figures.value('prestate_jobs_refused_total', { reason })];
  });
  return {
    name: 'Estimators',
    figure: [number(figures.value('prestate_jobs_running')), 'running, ' + number(queued) + ' waiting'],
    plot: ['Estimates and calls waiting', queued, (value) => number(value)],
    lines: [
      ['Threads', number(figures.value('prestate_workers'))],
      ['Answered', rate(figures.rate('prestate_jobs_completed_total'))],
      ['Refused', rate(refused), bad(refused)],
      fault('Died', 'prestate_worker_crashes_total'),
      fault('Killed', 'prestate_worker_kills_total'),
      ...reasons
        .filter(([, count]) => count > 0)
        .map(([reason, count]): Line => ['Refused, ' + reason + ', in all', number(count)]),
    ],
  };
}

function memoryCard(): Card {
  const resident = figures.value('process_resident_memory_bytes');
  const entries = (kind: string): string => number(figures.value('prestate_table_entries', { kind }));
  return {
    name: 'Memory',
    figure: [bytes(resident), 'resident'],
    plot: ['Resident memory', resident, bytes],
    lines: [
      ['Heap of main', bytes(figures.value('nodejs_heap_size_used_bytes'))],
      ['Table', bytes(figures.value('prestate_table_bytes'))],
      ['Accounts', entries('account')],
      ['Slots', entries('slot')],
      ['Evicted', rate(figures.rate('prestate_table_evictions_total'))],
      ['Cache misses', rate(figures.rate('prestate_table_misses_total'))],
    ],
  };
}

function kernelCard(): Card {
  const executions = figures.rate('prestate_kernel_executions_total');
  return {
    name: 'Kernel',
    figure: [number(executions), 'executions a second'],
    plot: ['Executions a second', executions, rate],
    lines: [
      ['Left to the reference', rate(figures.rate('prestate_kernel_fallbacks_total'))],
      ['Checked against it', rate(figures.rate('prestate_kernel_checks_total'))],
      fault('Mismatches', 'prestate_kernel_mismatches_total'),
      fault('Denylisted codes', 'prestate_kernel_distrusted_codes'),
    ],
  };
}

/** Shows the card of a feature. The card of a disabled feature keeps its position but is hidden. */
function showWhere(isOn: boolean, card: () => Card): void {
  const shown = card();
  section(shown.name).hidden = !isOn;
  if (isOn) show(shown);
}

function showAll(): void {
  const isSubscribed = ['subscriptions', 'filters', 'pushed_messages_total'].some((each) => {
    return figures.value('prestate_' + each) > 0;
  });
  show(pendingCard());
  showWhere(figures.has('prestate_upstream_head_block'), liveCard);
  showWhere(figures.has('prestate_replication_connected'), replicationCard);
  for (const card of [trafficCard, latencyCard]) show(card());
  showWhere(isSubscribed, subscriptionsCard);
  for (const card of [poolCard, memoryCard, kernelCard]) show(card());
  showTimes('Stages of a request', 'prestate_stage_seconds', 'stage');
  showTimes('Requests by method', 'prestate_request_seconds', 'method');
}

async function read(): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const [metrics, ready] = await Promise.all([fetch('metrics', { signal }), fetch('readyz', { signal })]);
  const [text, readiness] = [await metrics.text(), (await ready.json()) as { ready: boolean; reason: string }];
  if (!metrics.ok) throw new Error(text);
  figures.take(text, Date.now());
  showHead(readiness);
  showAll();
}

async function follow(): Promise<void> {
  try {
    if (!document.hidden) await read();
    document.body.classList.toggle('lost', false);
  } catch {
    document.body.classList.toggle('lost', true);
    say(byId('state'), 'no figures from here; trying again', 'bad');
  }
  setTimeout(() => void follow(), EVERY_MS);
}

void follow();
