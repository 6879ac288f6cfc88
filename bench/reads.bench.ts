// Cost of a read beside a server that does nothing. Nonces and storage words, one by one and in batches of 100, against
// raw uWebSockets.js that answers a constant; loaded in turns by wrk, one run, ratios of medians. Usage: node
// dist/bench/reads.bench.js [seconds a turn]
import { DEV_ACCOUNTS, DEV_POOL } from '../src/feed/dev/genesis.js';
import { toHex } from '../src/lib/bytes/hex.js';
import { type Program, startScript } from './program.js';
import { hasWrk, wrk } from './wrk.js';

const ROUNDS = 5;
const CONNECTIONS = 64;
const BATCH_CALLS = 100;

function call(id: number, method: string, ...params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

const nonces = DEV_ACCOUNTS.map((address, i) => call(i, 'eth_getTransactionCount', toHex(address), 'pending'));
const slots = Array.from({ length: 10 }, (_, i) => call(i, 'eth_getStorageAt', toHex(DEV_POOL), `0x${i}`, 'pending'));
const batchOf = (calls: readonly string[]): string =>
  `[${Array.from({ length: BATCH_CALLS }, (_, i) => calls[i % calls.length]!).join(',')}]`;

interface Turn {
  readonly name: string;
  readonly program: Program;
  readonly bodies: readonly string[];
  /** Calls in one request. */
  readonly calls: number;
}

interface Result {
  readonly perSecond: number;
  readonly cpuUs: number;
}

async function main(): Promise<void> {
  if (!hasWrk()) throw new Error('this bench needs wrk on the path');
  const seconds = Number(process.argv[2] ?? 2);
  const raw = await startScript('bench/raw-handler.js');
  const ours = await startScript('src/main.js', '--port', '0', '--log-level', 'info');
  try {
    await compare(seconds, [
      { name: 'raw uWebSockets.js, constant answer', program: raw, bodies: nonces, calls: 1 },
      { name: 'nonce', program: ours, bodies: nonces, calls: 1 },
      { name: 'storage word', program: ours, bodies: slots, calls: 1 },
      { name: 'raw uWebSockets.js, bodies of 100 calls', program: raw, bodies: [batchOf(nonces)], calls: BATCH_CALLS },
      { name: 'nonces in batches of 100', program: ours, bodies: [batchOf(nonces)], calls: BATCH_CALLS },
      { name: 'storage words in batches of 100', program: ours, bodies: [batchOf(slots)], calls: BATCH_CALLS },
    ]);
  } finally {
    await raw.stop();
    await ours.stop();
  }
}

async function compare(seconds: number, turns: readonly Turn[]): Promise<void> {
  const results = turns.map((): Result[] => []);
  for (const { program, bodies, name } of turns) await check(name, program, bodies);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { program, bodies }] of turns.entries()) {
      const before = program.cpuSeconds();
      const result = await wrk({ url: program.url, bodies, connections: CONNECTIONS, seconds, checked: false });
      const cpuUs = ((program.cpuSeconds() - before) * 1e6) / result.requests;
      if (result.failures > 0) throw new Error(`${turns[i]!.name}: ${result.failures} answers were not right`);
      results[i]!.push({ perSecond: result.requestsPerSecond, cpuUs });
    }
  }
  report(turns, results);
}

/** Once before the load, so that what is measured are answers and not errors. */
async function check(name: string, program: Program, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' };
    const text = await (await fetch(program.url, { method: 'POST', body, headers })).text();
    if (!text.includes('"result"') || text.includes('"error"')) throw new Error(`${name}: ${text.slice(0, 200)}`);
  }
}

/** Two shares of raw: by requests a second, and by processor time of the main thread, which other load hardly moves. */
function report(turns: readonly Turn[], results: readonly Result[][]): void {
  process.stdout.write('| | requests/s | calls/s | share of raw | CPU us/request | share of raw by CPU |\n');
  process.stdout.write('| --- | --- | --- | --- | --- | --- |\n');
  let raw = { perSecond: 0, cpuUs: 0 };
  for (const [i, { name, calls }] of turns.entries()) {
    const perSecond = median(results[i]!.map((result) => result.perSecond));
    const cpuUs = median(results[i]!.map((result) => result.cpuUs));
    if (name.startsWith('raw')) raw = { perSecond, cpuUs };
    const shares = [percent(perSecond / raw.perSecond), percent(raw.cpuUs / cpuUs)];
    const rates = `${perSecond.toFixed(0)} | ${(perSecond * calls).toFixed(0)}`;
    process.stdout.write(`| ${name} | ${rates} | ${shares[0]} | ${cpuUs.toFixed(2)} | ${shares[1]} |\n`);
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

await main();
