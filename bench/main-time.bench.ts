// How long does main work on the most expensive bodies, in all and at once? Sequential bodies over one connection;
// processor time of the main thread per body, and the longest delay of its event loop (with a resolution of 10 ms).
// limits.ts bounds these bodies; the times in its comments are measured here.
// Usage: node dist/bench/main-time.bench.js [part of a name]
import { LIMITS } from '../src/limits/index.js';
import { type Program, startScript } from './program.js';
import { printHead, printRow } from './support/timing.js';

const HISTORY_MS = 10_000;
const BODIES = 20;
const POOL = '0x7000000000000000000000000000000000000010';
const NOBODY = '0xb300000000000000000000000000000000000000';

interface RequestBody {
  readonly name: string;
  readonly body: string;
}

function call(method: string, ...params: unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function batch(count: number, one: string): string {
  return `[${Array.from({ length: count }, () => one).join()}]`;
}

function hex(number: number, digits: number): string {
  return `0x${number.toString(16).padStart(digits, '0')}`;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

const WORDS = numbers(LIMITS.storageValuesMax).map((i) => hex(i, 64));
const FEES = call('eth_feeHistory', hex(LIMITS.feeHistoryBlocksMax, 1), 'latest', numbers(100));
const OVERRIDES = Object.fromEntries(numbers(LIMITS.overridesMax).map((i) => [hex(i, 40), { balance: '0x1' }]));
const DATA_BYTES = 2_400_000;

const REQUEST_BODIES: readonly RequestBody[] = [
  { name: 'a nonce', body: call('eth_getTransactionCount', POOL, 'pending') },
  { name: '1,000 nonces', body: batch(1000, call('eth_getTransactionCount', POOL, 'pending')) },
  { name: 'fee history of 128 blocks', body: FEES },
  { name: '100 fee histories', body: batch(100, FEES) },
  { name: 'a full block', body: call('eth_getBlockByNumber', '0x2', true) },
  { name: '1,000 full blocks', body: batch(1000, call('eth_getBlockByNumber', '0x2', true)) },
  { name: '1,024 slots', body: call('eth_getStorageValues', { [POOL]: WORDS }, 'latest') },
  { name: '1,024 slots of an old block', body: call('eth_getStorageValues', { [POOL]: WORDS }, '0x1') },
  { name: '64 times that', body: batch(64, call('eth_getStorageValues', { [POOL]: WORDS }, '0x1')) },
  { name: 'the maximum of overrides', body: call('eth_call', { to: NOBODY }, 'latest', OVERRIDES) },
  { name: 'the maximum of values', body: call('eth_getBalance', numbers(LIMITS.paramsValuesMax - 1)) },
  { name: 'a batch of 330,000 entries', body: batch(330_000, '1') },
  { name: 'a call with 2.4 MB of data', body: call('eth_call', { to: NOBODY, data: `0x${'00'.repeat(DATA_BYTES)}` }) },
  {
    name: 'a call that returns 4.9 MB',
    body: call('eth_call', { to: NOBODY, gas: '0x2faf080' }, 'latest', { [NOBODY]: { code: '0x624ac4006000f3' } }),
  },
];

async function query({ url }: Program, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  await response.arrayBuffer();
}

/** The longest event-loop delay since the last scrape, milliseconds. */
async function maxDelayMs({ url }: Program): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
}

async function measure(program: Program, { name, body }: RequestBody): Promise<void> {
  await query(program, body);
  await maxDelayMs(program);
  const before = program.cpuSeconds();
  for (let i = 0; i < BODIES; i++) await query(program, body);
  const cpuMs = ((program.cpuSeconds() - before) * 1000) / BODIES;
  printRow(name, `${Buffer.byteLength(body)}`, cpuMs.toFixed(1), (await maxDelayMs(program)).toFixed(0));
}

const wanted = process.argv[2] ?? '';
const program = await startScript('src/main.js', '--port', '0', '--dev-traffic', '50');
await new Promise((resolve) => setTimeout(resolve, HISTORY_MS));
printHead('body', 'bytes', 'main, ms of CPU', 'longest delay, ms');
for (const requestBody of REQUEST_BODIES) if (requestBody.name.includes(wanted)) await measure(program, requestBody);
await program.stop();
