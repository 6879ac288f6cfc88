// What do two front ends on one port cost a request: two threads over one table, or two processes, beside one thread? Raw
// uWebSockets.js and our nonces the same ways, loaded in turns by wrk. Processor time is that of the front-end threads. On two
// cores wrk and two front ends share what one needs for itself: rates say little, processor time a request is what counts.
// Usage: node dist/bench/front-ends.bench.js [seconds a turn, rounds]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { toHex } from '../src/lib/hex.js';
import { addressOf } from '../test/state/diffs.js';
import { freePort } from '../test/support/free-port.js';
import type { FrontEnds, FrontEndsReady } from './front-end-process.js';
import { nonceCall } from './scenarios/calls.js';
import { taskCpuMs } from './suite/process-usage.js';
import { median, orderOf, ratioOf } from './suite/statistics.js';
import { digits, printHead, printRow } from './support/timing.js';
import { hasWrk, wrk } from './wrk.js';

const PROGRAM = fileURLToPath(new URL('./front-end-process.js', import.meta.url));
const SECONDS = 1;
const ROUNDS = 10;
const WARM_UPS = 2;
const CONNECTIONS = 64;
/** Accounts that are asked for; each has a nonce. */
const ASKED = 100;
/** What a proxy keeps open to a server, and how many such proxies are looked at. */
const PROXY_CONNECTIONS = 8;
const PROXIES = 50;

const BODIES = Array.from({ length: ASKED }, (_, index) => nonceCall(toHex(addressOf(index)), 'pending'));

/** Ways to put front ends behind a port; the first one is what others are compared with. */
const WAYS: readonly (Pick<FrontEnds, 'threads' | 'way'> & { readonly name: string; readonly processes: number })[] = [
  { name: 'one thread', processes: 1, threads: 1, way: 'shared port' },
  { name: 'two threads', processes: 1, threads: 2, way: 'shared port' },
  { name: 'two threads, connections handed out', processes: 1, threads: 2, way: 'handed out' },
  { name: 'two processes', processes: 2, threads: 1, way: 'shared port' },
];

interface Running {
  readonly child: ChildProcess;
  readonly tasks: readonly number[];
}

/** One way of one kind. */
interface Target {
  readonly name: string;
  readonly kind: FrontEnds['kind'];
  readonly running: readonly Running[];
  readonly url: string;
  /** Of each round. */
  readonly cpuUs: number[];
  readonly perSecond: number[];
}

function startProcess(options: FrontEnds): Promise<Running> {
  // Threads collect as those of the program do.
  const child = fork(PROGRAM, [JSON.stringify(options)], { execArgv: ['--no-parallel-scavenge'] });
  return new Promise((resolve, reject) => {
    child.once('message', ({ tasks }: FrontEndsReady) => resolve({ child, tasks }));
    child.once('exit', (code, signal) => reject(new Error(`a process with front ends ended: ${code ?? signal}`)));
  });
}

async function start(
  kind: FrontEnds['kind'],
  { name, processes, threads, way }: (typeof WAYS)[number],
): Promise<Target> {
  const port = Number(await freePort());
  const running: Running[] = [];
  for (let count = 0; count < processes; count++) running.push(await startProcess({ kind, threads, way, port }));
  return { name, kind, running, url: `http://127.0.0.1:${port}`, cpuUs: [], perSecond: [] };
}

/** Processor time of the front ends so far. */
function cpuMsOf({ running }: Target): number {
  const all = running.flatMap(({ child, tasks }) => tasks.map((task) => taskCpuMs(child.pid!, `${task}`)));
  return all.reduce((sum, ms) => sum + ms, 0);
}

async function turn(target: Target, seconds: number): Promise<void> {
  const before = cpuMsOf(target);
  const load = { url: target.url, bodies: BODIES, connections: CONNECTIONS, seconds, checked: false };
  const { requests, requestsPerSecond, failures } = await wrk(load);
  if (failures > 0) throw new Error(`${target.name}: ${failures} answers were not right`);
  target.cpuUs.push(((cpuMsOf(target) - before) * 1000) / requests);
  target.perSecond.push(requestsPerSecond);
}

/** One request on a connection of its own. */
async function ask({ url }: Target): Promise<void> {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const text = await (await fetch(url, { method: 'POST', body: BODIES[0]!, headers })).text();
  if (!text.includes('"result"')) throw new Error(text);
}

/** Connections that each front end has had. */
async function connectionsOf({ running }: Target): Promise<number[]> {
  const told = running.map(async ({ child }) => {
    child.send('connections');
    const [counts] = (await once(child, 'message')) as [number[]];
    return counts;
  });
  return (await Promise.all(told)).flat();
}

/** The most connections that one front end gets of those of a proxy: of each proxy. */
async function busiest(target: Target): Promise<number[]> {
  const most: number[] = [];
  for (let proxy = 0; proxy < PROXIES; proxy++) {
    const before = await connectionsOf(target);
    for (let count = 0; count < PROXY_CONNECTIONS; count++) await ask(target);
    const after = await connectionsOf(target);
    most.push(Math.max(...after.map((count, index) => count - before[index]!)));
  }
  return most;
}

/** Of processor time to that of another target, with its interval. */
function ratioText(target: Target, other: Target): string {
  if (target === other) return '1';
  const { ratio, low, high } = ratioOf(target.cpuUs, other.cpuUs)!;
  return `${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

async function report(targets: readonly Target[]): Promise<void> {
  const most = `of ${PROXY_CONNECTIONS} connections at one, mean`;
  printHead('', 'CPU us/request', 'times one thread', 'times raw, the same way', 'requests/s', most, 'at the most');
  for (const target of targets) {
    const { name, kind, cpuUs, perSecond } = target;
    const one = targets.find((other) => other.kind === kind)!;
    const raw = targets.find((other) => other.kind === 'raw' && other.name === name)!;
    const counts = await busiest(target);
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const spread = [mean.toFixed(1), `${Math.max(...counts)}`];
    const rate = median(perSecond).toFixed(0);
    const title = `${kind === 'raw' ? 'raw uWebSockets.js' : 'nonce'}, ${name}`;
    printRow(title, digits(median(cpuUs)), ratioText(target, one), ratioText(target, raw), rate, ...spread);
  }
}

async function main(seconds: number, rounds: number): Promise<void> {
  const targets: Target[] = [];
  try {
    for (const kind of ['raw', 'ours'] as const) for (const way of WAYS) targets.push(await start(kind, way));
    for (const target of targets) for (let count = 0; count < WARM_UPS; count++) await turn(target, seconds);
    for (const { cpuUs, perSecond } of targets) cpuUs.length = perSecond.length = 0;
    for (let round = 0; round < rounds; round++) {
      for (const target of orderOf(targets, round)) await turn(target, seconds);
    }
    await report(targets);
  } finally {
    for (const { child } of targets.flatMap(({ running }) => running)) child.kill();
  }
}

if (!hasWrk()) throw new Error('this bench needs wrk on the path');
await main(Number(process.argv[2] ?? SECONDS), Number(process.argv[3] ?? ROUNDS));
