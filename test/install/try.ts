// Tries the built program on every supported Node.js: npm installs each into a temporary folder, the program starts on
// it and is queried over HTTP, WebSocket and Unix socket; a table shows the results. Needs the network, so it is not
// part of `npm test`. Usage: node dist/test/install/try.js [--node MAJOR ...] [PART-OF-A-TEST-PATH ...]; with paths
// those tests run on each Node.js as well. With --packed it tries the packed program, installed into an empty folder
// (see packed.ts).
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pack, tryPacked } from './packed.js';
import { probe, environmentOf, installNode, saidAtStart, type Probe } from './program.js';

const NODES = ['20', '22', '24', '25'];
const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const TESTS = fileURLToPath(new URL('../run.js', import.meta.url));

/** A row of the table. */
interface Row extends Probe {
  readonly node: string;
  readonly backend: string;
  readonly decoder: string;
  readonly stderr: string;
  readonly tests: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { packed: { type: 'boolean' }, node: { type: 'string', multiple: true, default: NODES } },
});
const folder = mkdtempSync(join(tmpdir(), 'prestate-try-'));
try {
  const isGood = values.packed === true ? await packedIsGood() : await builtIsGood();
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function builtIsGood(): Promise<boolean> {
  const rows: Row[] = [];
  for (const major of values.node) rows.push(await tried(installNode(folder, major), positionals));
  console.table(rows);
  return rows.every(
    ({ http, webSocket, ipc, stderr, tests }) => http + webSocket + ipc + stderr === 'okokok' && !/^[^0]/.test(tests),
  );
}

async function packedIsGood(): Promise<boolean> {
  const files = pack(folder);
  const rows = [];
  for (const major of values.node)
    rows.push(await tryPacked(installNode(folder, major), files, join(folder, `app${major}`)));
  console.table(rows);
  return rows.every(({ http, webSocket, ipc, api, stderr, SIGTERM, SIGINT }) => {
    return http + webSocket + ipc + api + stderr === 'okokokok' && SIGTERM === 0 && SIGINT === 0;
  });
}

async function tried(node: string, parts: readonly string[]): Promise<Row> {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const child = spawn(node, [MAIN, '--port', '0', '--log-level', 'debug', '--ipc', join(folder, 'prestate.ipc')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = once(child, 'close');
  const said = await saidAtStart(child);
  const probed = await probe(said);
  child.kill();
  await ended;
  const tests = parts.length === 0 ? '' : testsOn(node, parts);
  return { node: version, backend: said['backend'] ?? '', decoder: said['decoder'] ?? '', ...probed, stderr, tests };
}

/** The test run's summary line. Children of the tests run on the same Node.js. */
function testsOn(node: string, parts: readonly string[]): string {
  const env = environmentOf(node);
  try {
    return lastLine(execFileSync(node, [TESTS, ...parts], { encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 }));
  } catch (error) {
    return lastLine((error as { readonly stdout: string }).stdout);
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
