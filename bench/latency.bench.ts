// Cost of timing requests. Nonces read through the whole front end, over a service that times nobody, one that times as
// the program does, and one that times every request; all in one process, loaded in turns. Says processor time a
// request, which other load on the machine hardly moves. Runs on main. Usage: node dist/bench/latency.bench.js [seconds
// a turn]
import { preciseMs } from '../src/lib/clock.js';
import { toHex } from '../src/lib/bytes/hex.js';
import { Latency } from '../src/rpc/answer/latency.js';
import { CONTRACT, serveTable } from '../test/rpc/table-service.js';
import { bareFrontEnd } from '../test/support/bare-front-end.js';
import { readyLoad } from './support/one-request.js';

const ROUNDS = 9;
const CONNECTIONS = 64;
const NONCE = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount', params: [toHex(CONTRACT), 'pending'] };

interface Way {
  readonly name: string;
  readonly latency: Latency | null;
}

const WAYS: readonly Way[] = [
  { name: 'not timed', latency: null },
  { name: 'as the program does', latency: new Latency() },
  // Draws of zero: one of one.
  { name: 'every request', latency: new Latency({ nowMs: preciseMs, random: () => 0 }) },
];

async function serve({ latency }: Way): Promise<string> {
  const server = bareFrontEnd(serveTable(latency === null ? {} : { latency }).service);
  const outcome = await server.listen('127.0.0.1', 0);
  if (!outcome.ok) throw new Error(outcome.reason);
  return `http://127.0.0.1:${outcome.port}`;
}

/** Nanoseconds of this process a request. */
async function turn(url: string, seconds: number): Promise<number> {
  const load = await readyLoad(url, JSON.stringify(NONCE), { connections: CONNECTIONS, seconds });
  const before = process.cpuUsage();
  const { requests } = await load.run();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / requests;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

const seconds = Number(process.argv[2] ?? 2);
const urls = await Promise.all(WAYS.map(serve));
const costs = WAYS.map((): number[] => []);
for (let round = 0; round < ROUNDS; round++)
  for (const [i, url] of urls.entries()) costs[i]!.push(await turn(url, seconds));
const bare = median(costs[0]!);
process.stdout.write('| requests timed | CPU ns/request | more than without |\n| --- | --- | --- |\n');
for (const [i, { name }] of WAYS.entries()) {
  // Turns of one round lie side by side: their differences move less than they themselves.
  const more = median(costs[i]!.map((cost, round) => cost - costs[0]![round]!));
  process.stdout.write(
    `| ${name} | ${(bare + more).toFixed(0)} | ${more.toFixed(0)} ns, ${((100 * more) / bare).toFixed(1)} % |\n`,
  );
}
process.exit();
