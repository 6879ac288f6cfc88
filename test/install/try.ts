// The built program on every Node.js that it names: npm brings each into a temporary folder, the program starts on it and is
// asked by HTTP and WebSocket; a table says how it went. Needs the network, so it is no part of `npm test`.
// Usage: node dist/test/install/try.js [PART-OF-A-TEST-PATH ...]; with parts those tests run on each Node.js as well.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';

const NODES = ['20', '22', '24', '25'];
const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const TESTS = fileURLToPath(new URL('../run.js', import.meta.url));
const ASKED = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
const ANSWERED = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}';

/** A line of the table. */
interface Row {
  readonly node: string;
  readonly backend: string;
  readonly decoder: string;
  readonly http: string;
  readonly webSocket: string;
  readonly stderr: string;
  readonly tests: string;
}

const folder = mkdtempSync(join(tmpdir(), 'prestate-try-'));
try {
  const rows: Row[] = [];
  for (const major of NODES) rows.push(await tried(install(major), process.argv.slice(2)));
  console.table(rows);
  const isGood = rows.every(
    ({ http, webSocket, stderr, tests }) => http + webSocket + stderr === 'okok' && !/^[^0]/.test(tests),
  );
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The path of the newest Node.js of that major version. */
function install(major: string): string {
  const prefix = join(folder, major);
  execFileSync('npm', ['install', '--prefix', prefix, '--no-save', `node@${major}`], { stdio: 'ignore' });
  return join(prefix, 'node_modules', 'node', 'bin', 'node');
}

async function tried(node: string, parts: readonly string[]): Promise<Row> {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const child = spawn(node, [MAIN, '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = once(child, 'close');
  const said = await saidAtStart(child);
  const asked = { http: await httpAnswer(said), webSocket: await socketAnswer(said) };
  child.kill();
  await ended;
  const tests = parts.length === 0 ? '' : testsOn(node, parts);
  return { node: version, backend: said['backend'] ?? '', decoder: said['decoder'] ?? '', ...asked, stderr, tests };
}

/** The fields of all log lines up to the one that tells the port. */
async function saidAtStart(child: ChildProcess): Promise<Readonly<Record<string, string>>> {
  const said: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout! })) {
    Object.assign(said, JSON.parse(line));
    if ('port' in said) break;
  }
  child.stdout!.resume();
  return said;
}

async function httpAnswer({ port }: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    body: ASKED,
    headers: { 'Content-Type': 'application/json' },
  });
  return verdict(await response.text());
}

async function socketAnswer({ port }: Readonly<Record<string, string>>): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(socket, 'open');
  socket.send(ASKED);
  const [message] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return verdict(message.toString());
}

function verdict(answer: string): string {
  return answer === ANSWERED ? 'ok' : answer;
}

/** The line that counts. Children of the tests run on the same Node.js. */
function testsOn(node: string, parts: readonly string[]): string {
  const env = { ...process.env, PATH: `${dirname(node)}:${process.env['PATH']}` };
  try {
    return lastLine(execFileSync(node, [TESTS, ...parts], { encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 }));
  } catch (error) {
    return lastLine((error as { readonly stdout: string }).stdout);
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
