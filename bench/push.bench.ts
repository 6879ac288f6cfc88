// Time from a version's publication to the message at the client, by the number of subscribers; the cost of watched
// calls that change, and of those that do not; and reads with subscribers. The program runs its dev chain; the clock
// starts when the message of the dev chain's feed arrives, which the publisher sends right after the publication.
// Clients are on another thread of this process, on the same cores. Prints one table each.
// Usage: node dist/bench/push.bench.js [seconds per row]; default 8.
import { once } from 'node:events';
import { hrtime } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, TRAFFIC_ACCOUNTS } from '../src/feed/dev/genesis.js';
import { toHex } from '../src/lib/bytes/hex.js';
import { LIMITS } from '../src/limits/index.js';
import { freePort } from '../test/support/free-port.js';
import { type Program, startScript } from './program.js';
import type { Arrivals, Listening } from './push-clients.js';
import { readyLoad } from './support/one-request.js';
import { digits, median, printHead, printRow } from './support/timing.js';

const SUBSCRIBERS = [1, 100, 10_000];
const LISTS = 1000;
const IDLE_CALLS = 10_000;
const LISTENERS = 1000;
const READ_ROUNDS = 5;
const READ_CONNECTIONS = 64;
/** Within this time clients have reported the arrival of the last messages. */
const AFTERMATH_MS = 2500;
const [GOLD, POOL] = [toHex(DEV_GOLD_TOKEN), toHex(DEV_SWAP_POOL)];
const TRADER = toHex(TRAFFIC_ACCOUNTS[0]!);
const CHANGES = ['stateChanges', [POOL]];
const NONCE = `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["${TRADER}","pending"]}`;

/** A running program, and when its increments were published, by chain position. */
interface Bench {
  readonly program: Program;
  readonly publishedMs: ReadonlyMap<string, number>;
}

interface FlashblockMessage {
  readonly index: number;
  readonly metadata: { readonly block_number: number };
}

/** Arrivals and costs of one row. */
interface Row {
  readonly arrivals: readonly Arrivals[];
  readonly versions: number;
  readonly runs: number;
  readonly cpuMs: number;
}

function word(value: number | string): string {
  return (typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0');
}

/** A quote that every trade changes; each list has a different one. */
function quoteList(index: number): readonly unknown[] {
  const data = `0xf3e6ea8a${word(GOLD)}${word(0xffff + index)}${word(0)}${word(TRADER)}`;
  return ['watch', { calls: [{ method: 'eth_call', params: [{ from: TRADER, to: POOL, data }, 'pending'] }] }];
}

/** Balances of accounts that never change. */
function idleList(index: number): readonly unknown[] {
  const first = index * LIMITS.watchedCallsPerSocketMax;
  const count = Math.min(LIMITS.watchedCallsPerSocketMax, IDLE_CALLS - first);
  const calls = Array.from({ length: count }, (_, i) => {
    return { method: 'eth_call', params: [{ to: GOLD, data: `0x70a08231${word(1_000_000 + first + i)}` }, 'pending'] };
  });
  return ['watch', { calls }];
}

async function start(): Promise<Bench> {
  const port = await freePort();
  const program = await startScript('src/main.js', '--port', '0', '--dev-traffic', '50', '--dev-feed-port', port);
  const feed = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await once(feed, 'open');
  const publishedMs = new Map<string, number>();
  feed.on('message', (data: Buffer) => {
    const nowMs = Number(hrtime.bigint()) / 1e6;
    const { index, metadata } = JSON.parse(brotliDecompressSync(data).toString()) as FlashblockMessage;
    publishedMs.set(`${metadata.block_number} ${index}`, nowMs);
  });
  return { program, publishedMs };
}

async function listen(url: string, topics: Listening['topics']): Promise<Worker> {
  const workerData: Listening = { url: url.replace('http', 'ws'), topics };
  const worker = new Worker(new URL('./push-clients.js', import.meta.url), { workerData });
  await once(worker, 'message');
  return worker;
}

async function metric({ url }: Program, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^prestate_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Measures some seconds of messages, after the initial ones. */
async function row({ program }: Bench, topics: Listening['topics'], seconds: number): Promise<Row> {
  const worker = await listen(program.url, topics);
  await sleep(AFTERMATH_MS);
  const arrivals: Arrivals[] = [];
  worker.on('message', (reported: Arrivals) => arrivals.push(reported));
  const of = (): Promise<number[]> =>
    Promise.all([metric(program, 'snapshot_version'), metric(program, 'watch_runs_total')]);
  const [cpuBefore, [version, runs]] = [program.cpuSeconds(), await of()];
  await sleep(seconds * 1000);
  const [laterVersion, laterRuns] = await of();
  const cpuMs = (program.cpuSeconds() - cpuBefore) * 1000;
  await sleep(AFTERMATH_MS);
  await worker.terminate();
  return { arrivals, versions: laterVersion! - version!, runs: laterRuns! - runs!, cpuMs };
}

/** Medians over the positions that all clients received. */
function delays({ publishedMs }: Bench, { arrivals }: Row): string[] {
  const known = arrivals.filter(({ position }) => publishedMs.has(position));
  const delay = (of: 'firstMs' | 'middleMs' | 'lastMs'): string =>
    known.length === 0 ? '-' : digits(median(known.map((each) => each[of] - publishedMs.get(each.position)!)));
  return [delay('firstMs'), delay('middleMs'), delay('lastMs')];
}

async function subscribers(bench: Bench, seconds: number): Promise<void> {
  printHead('subscribers of one topic', 'first, ms', 'middle, ms', 'last, ms', "main's CPU a version, ms");
  for (const count of SUBSCRIBERS) {
    const seen = await row(
      bench,
      Array.from({ length: count }, () => CHANGES),
      seconds,
    );
    printRow(`${count}`, ...delays(bench, seen), digits(seen.cpuMs / seen.versions));
  }
}

async function watches(bench: Bench, seconds: number): Promise<void> {
  const rows = [
    { name: `${LISTS} lists, a quote each`, topics: Array.from({ length: LISTS }, (_, i) => quoteList(i)) },
    { name: `${LISTS} times the same list`, topics: Array.from({ length: LISTS }, () => quoteList(0)) },
    {
      name: `${IDLE_CALLS} idle calls`,
      topics: Array.from({ length: Math.ceil(IDLE_CALLS / LIMITS.watchedCallsPerSocketMax) }, (_, i) => idleList(i)),
    },
  ];
  printHead('watched', 'first, ms', 'middle, ms', 'last, ms', 'versions', 'runs', "main's CPU a version, ms");
  for (const { name, topics } of rows) {
    const seen = await row(bench, topics, seconds);
    printRow(name, ...delays(bench, seen), `${seen.versions}`, `${seen.runs}`, digits(seen.cpuMs / seen.versions));
  }
}

/** Alternating, so that other load on the machine affects both. */
async function reads({ program }: Bench, seconds: number): Promise<void> {
  const results: Record<'alone' | 'listened', { perSecond: number[]; cpuUs: number[] }> = {
    alone: { perSecond: [], cpuUs: [] },
    listened: { perSecond: [], cpuUs: [] },
  };
  for (let round = 0; round < READ_ROUNDS; round++) {
    for (const who of ['alone', 'listened'] as const) {
      const worker =
        who === 'listened'
          ? await listen(
              program.url,
              Array.from({ length: LISTENERS }, () => CHANGES),
            )
          : null;
      const load = await readyLoad(program.url, NONCE, { connections: READ_CONNECTIONS, seconds });
      const before = program.cpuSeconds();
      const { requests, requestsPerSecond } = await load.run();
      results[who].perSecond.push(requestsPerSecond);
      results[who].cpuUs.push(((program.cpuSeconds() - before) * 1e6) / requests);
      await worker?.terminate();
    }
  }
  printHead('nonce reads', 'requests/s', "main's CPU us/request");
  for (const [name, who] of [['no subscribers', 'alone'] as const, [`${LISTENERS} subscribers`, 'listened'] as const])
    printRow(name, median(results[who].perSecond).toFixed(0), digits(median(results[who].cpuUs)));
}

const seconds = Number(process.argv[2] ?? 8);
const bench = await start();
await subscribers(bench, seconds);
await watches(bench, seconds);
await reads(bench, Math.ceil(seconds / 4));
await bench.program.stop();
process.exit();
