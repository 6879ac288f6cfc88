// How much of raw uWebSockets.js is left behind the front end? A handler that reads a body and answers a constant,
// against the whole front end over a service that answers the same constant; both in one process, loaded in turns by
// wrk. Says requests a second, and processor time a request, which other load on the machine hardly moves.
// Runs on main. Usage: node dist/bench/http.bench.js [seconds a turn]
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backend, listen } from '../src/http/backend.js';
import { LIMITS } from '../src/limits.js';
import { bareFrontEnd } from '../test/support/bare-front-end.js';

const ROUNDS = 5;
const CONNECTIONS = 32;
const PIPELINED = 16;
const REQUEST =
  '{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","pending"]}';
const ANSWER = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"0x1f"}');

/** wrk sends `PIPELINED` or one request at a time. */
const script = (pipelined: number): string => `
init = function()
  local one = wrk.format('POST', '/', {['Content-Type'] = 'application/json'}, '${REQUEST}')
  text = string.rep(one, ${pipelined})
end
request = function() return text end
`;

interface Turn {
  readonly perSecond: number;
  readonly cpuNs: number;
}

async function listenRaw(): Promise<number> {
  const app = backend.createApp(LIMITS.connectionIdleSMax).post('/', (response) => {
    response.onAborted(() => undefined);
    response.onData((chunk, isLast) => {
      if (isLast && new Uint8Array(chunk)[0] === REQUEST.charCodeAt(0)) response.end(ANSWER);
    });
  });
  const listening = await listen(backend, app, '127.0.0.1', 0);
  return listening.token === null ? 0 : listening.port;
}

async function listenWhole(): Promise<number> {
  const position = { block: 23_456_789, index: 4, publishedAtMs: Date.now() };
  const answer = { status: 200, bytes: ANSWER, position } as const;
  const server = bareFrontEnd({ answer: () => answer });
  const outcome = await server.listen('127.0.0.1', 0);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.port;
}

function load(port: number, file: string, seconds: number): Promise<Turn> {
  return new Promise((resolve, reject) => {
    const before = process.cpuUsage();
    const url = `http://127.0.0.1:${port}/`;
    const wrk = spawn('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', file, url]);
    let text = '';
    wrk.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
    wrk.once('error', reject);
    wrk.once('close', () => {
      const { user, system } = process.cpuUsage(before);
      const requests = Number(/(\d+) requests in/.exec(text)?.[1]);
      const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
      resolve({ perSecond, cpuNs: ((user + system) * 1000) / requests });
    });
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function percent(ratio: number): string {
  return `${(100 * ratio).toFixed(1)} %`;
}

function report(name: string, raw: readonly Turn[], whole: readonly Turn[]): void {
  const perSecond = [raw, whole].map((turns) => median(turns.map((turn) => turn.perSecond)));
  const cpuNs = [raw, whole].map((turns) => median(turns.map((turn) => turn.cpuNs)));
  const [rawRate = 0, wholeRate = 0, rawNs = 0, wholeNs = 0] = [...perSecond, ...cpuNs];
  console.log(
    `${name}: raw ${rawRate.toFixed(0)}/s, front end ${wholeRate.toFixed(0)}/s = ${percent(wholeRate / rawRate)}`,
  );
  console.log(
    `  processor time: raw ${rawNs.toFixed(0)} ns, front end ${wholeNs.toFixed(0)} ns a request = ${percent(rawNs / wholeNs)}`,
  );
}

async function compare(name: string, ports: readonly [number, number], file: string, seconds: number): Promise<void> {
  const [raw, whole]: [Turn[], Turn[]] = [[], []];
  await Array.from({ length: ROUNDS }).reduce<Promise<void>>(async (before) => {
    await before;
    raw.push(await load(ports[0], file, seconds));
    whole.push(await load(ports[1], file, seconds));
  }, Promise.resolve());
  report(name, raw, whole);
}

async function main(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'http-bench-'));
  const ports = [await listenRaw(), await listenWhole()] as const;
  console.log(`${backend.text}; medians of ${ROUNDS} turns of ${seconds} s, ${CONNECTIONS} connections`);
  for (const pipelined of [1, PIPELINED]) writeFileSync(join(folder, `${pipelined}.lua`), script(pipelined));
  await load(ports[1], join(folder, '1.lua'), seconds);
  await compare('one request at a time', ports, join(folder, '1.lua'), seconds);
  await compare(`${PIPELINED} pipelined`, ports, join(folder, `${PIPELINED}.lua`), seconds);
  rmSync(folder, { recursive: true });
}

if (spawnSync('wrk', ['-v']).error === undefined) {
  await main(Number(process.argv[2] ?? 2));
  process.exit(0);
} else console.log('wrk is not on the PATH; this bench needs it (Debian: apt install wrk)');
