// The status page's script: draws what the WebSocket beside the page tells once a second. Nothing is loaded, nothing is sent.
// Runs in the browser, inlined into page.html.
import type { StatusMessage, Times } from './message.js';

/** What is used of the browser. */
interface PageElement {
  id: string;
  textContent: string;
  className: string;
  readonly classList: { add(name: string): void; remove(name: string): void };
  append(child: PageElement): void;
  replaceChildren(): void;
  querySelector(selector: string): PageElement | null;
  setAttribute(name: string, value: string): void;
}
interface PageSocket {
  addEventListener(kind: 'message', listener: (event: { readonly data: string }) => void): void;
  addEventListener(kind: 'close', listener: () => void): void;
}
declare const document: {
  title: string;
  readonly body: PageElement;
  createElement(name: string): PageElement;
  createElementNS(space: string, name: string): PageElement;
  getElementById(id: string): PageElement | null;
};
declare const location: { readonly href: string };
declare const WebSocket: new (url: URL) => PageSocket;

/** A label, a text and, where it says something, a class. */
type Line = readonly [label: string, text: string, className?: string];

/** Two minutes. */
const POINTS = 120;
const AGAIN_MS = 2000;
/** Values by the name of their plot. */
const drawn = new Map<string, number[]>();
const cards = byId('cards');
/** Newest quantiles by row: a quiet second has none. */
const latest = new Map<string, Times>();

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
  let count = total;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) {
    count /= 1024;
    unit++;
  }
  return number(count, unit > 0 && count < 100 ? 1 : 0) + ' ' + units[unit]!;
}

function byId(id: string): PageElement {
  return document.getElementById(id)!;
}

function element(parent: PageElement, name: string, text = '', className = ''): PageElement {
  const made = document.createElement(name);
  if (text !== '') made.textContent = text;
  if (className !== '') made.className = className;
  parent.append(made);
  return made;
}

/** The card of this name, emptied but for its plot. */
function card(name: string, isWide = false): PageElement {
  const id = 'card-' + name.toLowerCase().replaceAll(' ', '-');
  let found = document.getElementById(id);
  if (found === null) {
    found = element(cards, 'section', '', isWide ? 'wide' : '');
    found.id = id;
  }
  found.replaceChildren();
  element(found, 'h2', name);
  return found;
}

function figure(parent: PageElement, text: string, unit = ''): void {
  const line = element(parent, 'p', text, 'figure');
  if (unit !== '') element(line, 'small', ' ' + unit);
}

function list(parent: PageElement, rows: readonly Line[]): void {
  const made = element(parent, 'dl');
  for (const [label, text, className] of rows) {
    element(made, 'dt', label);
    element(made, 'dd', text, className ?? '');
  }
}

/** The last two minutes of a value; the scale begins at zero. */
function plot(parent: PageElement, name: string, value: number | null, text: (value: number) => string): void {
  const values = drawn.get(name) ?? [];
  drawn.set(name, values);
  values.push(value ?? 0);
  if (values.length > POINTS) values.shift();
  const most = Math.max(...values, Number.MIN_VALUE);
  const at = (each: number, i: number): string =>
    POINTS - values.length + i + ',' + (41 - (38 * each) / most).toFixed(2);
  const line = values.map(at).join(' ');
  const highest = text(most === Number.MIN_VALUE ? 0 : most);
  element(parent.querySelector('h2')!, 'small', 'up to ' + highest);
  const svg = shape(parent, 'svg', {
    viewBox: '0 0 ' + (POINTS - 1) + ' 42',
    preserveAspectRatio: 'none',
    role: 'img',
  });
  svg.setAttribute('aria-label', name + ' of the last two minutes, up to ' + highest);
  const start = POINTS - values.length;
  shape(svg, 'polygon', { class: 'area', points: start + ',42 ' + line + ' ' + (POINTS - 1) + ',42' });
  shape(svg, 'polyline', { class: 'curve', points: line });
}

function shape(parent: PageElement, name: string, attributes: Readonly<Record<string, string>>): PageElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function showHead({ version, chain, ready, reason, uptimeMs }: StatusMessage): void {
  byId('chain').textContent = chain.name + ' · chain id ' + chain.id;
  byId('version').textContent = version + ' · up ' + time(uptimeMs);
  state(ready ? 'ready' : 'not ready', ready ? 'good' : 'bad');
  byId('reason').textContent = reason;
  document.title = 'prestate · ' + (ready ? 'ready' : 'not ready');
}

function state(text: string, className: string): void {
  const line = byId('state');
  line.textContent = text;
  line.className = className;
}

function showPending({ pending }: StatusMessage): void {
  const parent = card('Pending');
  figure(parent, number(pending.block), 'increment ' + number(pending.index));
  plot(parent, 'Age of pending', pending.ageMs, time);
  list(parent, [
    ['Age', time(pending.ageMs)],
    ['Head', number(pending.head)],
    ['Version', number(pending.version)],
  ]);
}

function showLive({ live }: StatusMessage): void {
  if (live === null) return;
  cards.className = 'live';
  const parent = card('Feed and node');
  const { visible, feedAgeMs, headAgeMs, silentMs, upstreamHead, head } = live;
  figure(parent, feedAgeMs === null ? 'no feed' : time(feedAgeMs), feedAgeMs === null ? '' : 'since the last frame');
  plot(parent, 'Frame to visible, p99', visible.p99Ms, time);
  list(parent, [
    ['Frame to visible, p50 / p99', time(visible.p50Ms) + ' / ' + time(visible.p99Ms)],
    ["Node's head", number(upstreamHead) + (upstreamHead > head ? ' (' + (upstreamHead - head) + ' ahead)' : '')],
    ['Since its last head', time(headAgeMs)],
    ['Node', silentMs > 0 ? 'silent for ' + time(silentMs) : 'answers', silentMs > 0 ? 'bad' : ''],
    ['Gaps, reorgs, begun anew', [live.gaps, live.reorgs, live.restarts].map((each) => number(each)).join(' · ')],
    ['Results unlike the chain’s', number(live.mismatches), live.mismatches > 0 ? 'bad' : ''],
  ]);
}

function showTraffic({ traffic }: StatusMessage): void {
  const parent = card('Requests');
  figure(parent, number(traffic.requestsPerSecond), 'a second');
  plot(parent, 'Requests a second', traffic.requestsPerSecond, rate);
  list(parent, [
    ['Calls', rate(traffic.callsPerSecond)],
    ['Errors', rate(traffic.errorsPerSecond)],
    ['In flight', number(traffic.inFlight)],
    ['WebSockets', number(traffic.websockets)],
  ]);
}

function showLatency({ traffic }: StatusMessage): void {
  const parent = card('Latency');
  figure(parent, time(traffic.p99Ms), 'p99');
  plot(parent, 'Latency, p99', traffic.p99Ms, time);
  list(parent, [
    ['p50', time(traffic.p50Ms)],
    ['p99.9', time(traffic.p999Ms)],
  ]);
}

function showPool({ pool }: StatusMessage): void {
  const parent = card('Estimators');
  figure(parent, number(pool.running), 'running, ' + number(pool.queued) + ' waiting');
  plot(parent, 'Estimates and calls waiting', pool.queued, (value) => number(value));
  const refused = Object.entries(pool.refused).filter(([, count]) => count > 0);
  list(parent, [
    ['Threads', number(pool.workers)],
    ['Answered', rate(pool.completedPerSecond)],
    ['Refused', rate(pool.refusedPerSecond), pool.refusedPerSecond > 0 ? 'bad' : ''],
    ...refused.map(([reason, count]): Line => ['Refused, ' + reason + ', in all', number(count)]),
    ['Died, killed', number(pool.crashes) + ' · ' + number(pool.kills), pool.crashes + pool.kills > 0 ? 'bad' : ''],
  ]);
}

function showMemory({ memory, table }: StatusMessage): void {
  const parent = card('Memory');
  figure(parent, bytes(memory.residentBytes), 'resident');
  plot(parent, 'Resident memory', memory.residentBytes, bytes);
  list(parent, [
    ['Heap of main', bytes(memory.heapBytes)],
    ['Table', bytes(table.bytes)],
    ['Accounts', number(table.accounts)],
    ['Slots', number(table.slots)],
    ['Evicted', number(table.evictions)],
    ['Read and not held', number(table.misses)],
  ]);
}

function showKernel({ kernel }: StatusMessage): void {
  const parent = card('Kernel');
  figure(parent, number(kernel.executionsPerSecond), 'executions a second');
  plot(parent, 'Executions a second', kernel.executionsPerSecond, rate);
  list(parent, [
    ['Left to the reference', number(kernel.fallbacks)],
    ['Checked against it', number(kernel.checks)],
    ['Mismatches', number(kernel.mismatches), kernel.mismatches > 0 ? 'bad' : 'good'],
    ['Codes taken off', number(kernel.distrusted), kernel.distrusted > 0 ? 'bad' : ''],
  ]);
}

function showTimes(name: string, first: string, rows: readonly Times[]): void {
  const parent = card(name, true);
  const made = element(parent, 'table');
  const head = element(element(made, 'thead'), 'tr');
  for (const title of [first, 'per second', 'p50', 'p99', 'p99.9']) element(head, 'th', title);
  const body = element(made, 'tbody');
  for (const row of rows) {
    const key = name + ' ' + row.name;
    const isStill = row.p50Ms === null;
    if (!isStill) latest.set(key, row);
    const known = latest.get(key) ?? row;
    const line = element(body, 'tr', '', isStill ? 'still' : '');
    const cells = [row.name, number(row.perSecond), time(known.p50Ms), time(known.p99Ms), time(known.p999Ms)];
    for (const text of cells) element(line, 'td', text);
  }
}

function byName(one: Times, other: Times): number {
  return one.name < other.name ? -1 : 1;
}

function show(status: StatusMessage): void {
  showHead(status);
  showPending(status);
  showLive(status);
  showTraffic(status);
  showLatency(status);
  showPool(status);
  showMemory(status);
  showKernel(status);
  if (status.methods.length > 0) showTimes('Requests by method', 'method', status.methods.toSorted(byName));
  showTimes('Stages of a request', 'stage', status.stages);
}

function connect(): void {
  const url = new URL('status', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url);
  socket.addEventListener('message', ({ data }) => {
    document.body.classList.remove('lost');
    show(JSON.parse(data) as StatusMessage);
  });
  socket.addEventListener('close', () => {
    document.body.classList.add('lost');
    state('no figures from here; trying again', 'bad');
    setTimeout(connect, AGAIN_MS);
  });
}

connect();
