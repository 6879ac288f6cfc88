// The program's output at a terminal and in a pipe.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { WebSocket } from 'ws';
import { DEV_PRIVATE_KEYS } from '../../src/feed/dev/accounts-and-contract-addresses.js';
import { until } from '../support/patience.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Program, launch, launchCommand } from './program.js';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const FLAGS = ['--port', '0', '--workers', '1', '--dev-traffic', '0'];
const WARNING = /These keys are public/;
/** The addresses are printed last; output may arrive in pieces. */
const BANNER_END = /Status page[^\n]*\n/;
const ESCAPE = '\u001b[';
const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

/** Starts the program with a terminal of its own. */
function atTerminal(flags: readonly string[], environment = ''): Program {
  const command = `${environment} exec ${process.execPath} ${MAIN} ${flags.join(' ')}`;
  return launchCommand('script', ['-qec', command, '/dev/null']);
}

/** What is served at an address: a page's content type, or that it answers a JSON-RPC request or a handshake. */
async function answerOf(address: string): Promise<string> {
  if (address.startsWith('ws')) {
    const socket = new WebSocket(address);
    await once(socket, 'open');
    socket.terminate();
    return 'there';
  }
  if (address.endsWith('/')) {
    const page = await fetch(address, { headers: { accept: 'text/html' } });
    return page.ok ? page.headers.get('content-type')!.split(';')[0]! : `status ${page.status}`;
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const answer = await fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return ((await answer.json()) as { readonly result?: string }).result === undefined ? 'nothing' : 'there';
}

/** The output, once it has matched `awaited` and the program was stopped. */
async function outputOf(program: Program, awaited: RegExp): Promise<string> {
  await program.printed(awaited);
  program.process.kill('SIGTERM');
  return (await program.ended).stdout;
}

describe('at a terminal', { skip: hasScript ? false : 'needs the command script' }, () => {
  test('a terminal shows the banner with the keys of the dev chain, and readable lines, in colours', async () => {
    const output = await outputOf(atTerminal(FLAGS, 'TERM=xterm NO_COLOR='), BANNER_END);
    assert.ok(output.includes(ESCAPE));
    const lines = stripVTControlCharacters(output).split(/\r?\n/);
    assert.ok(lines.some((line) => /^ {2}HTTP +http:\/\/127\.0\.0\.1:\d+$/.test(line)));
    for (const key of DEV_PRIVATE_KEYS) assert.ok(lines.some((line) => line.trim() === key));
    assert.equal(lines.filter((line) => line.endsWith('  10000 ETH')).length, DEV_PRIVATE_KEYS.length);
    assert.ok(lines.some((line) => /^\d\d:\d\d:\d\d\.\d{3} INFO {2}listening +host=127\.0\.0\.1 port=\d+$/.test(line)));
    assert.ok(lines.every((line) => line.length <= 100));
  });

  test('every URL in the banner answers, the status page with a page', async () => {
    const program = atTerminal([...FLAGS, '--dev-feed-port', '0'], 'NO_COLOR=1');
    await program.printed(/listening/);
    await program.printed(/Status page +\S+\r?\n/);
    const rows = [...program.stdout.matchAll(/^ {2}(\S.*?) {2,}((?:http|ws):\/\/\S+)\r?$/gm)].map(
      ([, name, address]) => [name!, address!] as const,
    );
    assert.deepEqual(rows.map(([name]) => name).toSorted(), ['Dev feed', 'HTTP', 'Status page', 'WebSocket']);
    for (const [name, address] of rows)
      assert.equal(await answerOf(address), name === 'Status page' ? 'text/html' : 'there', name);
    program.process.kill('SIGTERM');
    await program.ended;
  });

  test('NO_COLOR turns colours off', async () => {
    const output = await outputOf(atTerminal(FLAGS, 'NO_COLOR=1'), BANNER_END);
    assert.ok(!output.includes(ESCAPE));
  });

  test('closing the terminal shuts the program down', async () => {
    const folder = temporaryFolder();
    const program = atTerminal(FLAGS, `TMPDIR=${folder}`);
    await program.printed(WARNING);
    assert.equal(readdirSync(folder).length, 1);
    program.process.kill('SIGKILL');
    await until(() => readdirSync(folder).length === 0);
  });

  test('--log-format json writes JSON at a terminal, too', async () => {
    const output = await outputOf(atTerminal([...FLAGS, '--log-format', 'json']), /"listening"/);
    for (const line of output.trim().split(/\r?\n/)) assert.ok(typeof JSON.parse(line) === 'object');
  });
});

describe('in a pipe', () => {
  test('stdout in a pipe is JSON, and nothing else', async () => {
    const output = await outputOf(launch(FLAGS), /"listening"/);
    for (const line of output.trim().split('\n')) assert.ok(typeof JSON.parse(line) === 'object');
  });

  test('--log-format pretty writes readable lines without colours in a pipe', async () => {
    const output = await outputOf(launch([...FLAGS, '--log-format', 'pretty']), BANNER_END);
    assert.ok(!output.includes(ESCAPE));
    assert.match(output, /INFO {2}listening /);
  });
});
