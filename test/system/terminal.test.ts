// The program's output at a terminal and in a pipe.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { DEV_KEYS } from '../../src/feed/dev/accounts.js';
import { until } from '../support/patience.js';
import { type Program, launch, launchCommand } from './program.js';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const FLAGS = ['--port', '0', '--workers', '1', '--dev-traffic', '0'];
const WARNING = 'These keys are public';
const ESCAPE = '\u001b[';
const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

/** Starts it at a terminal of its own. */
function atTerminal(flags: readonly string[], environment = ''): Program {
  const command = `${environment} exec ${process.execPath} ${MAIN} ${flags.join(' ')}`;
  return launchCommand('script', ['-qec', command, '/dev/null']);
}

/** Output once `awaited` was written and the program was ended. */
async function outputOf(program: Program, awaited: string): Promise<string> {
  let isSent = false;
  let text = '';
  program.process.stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (isSent || !text.includes(awaited)) return;
    isSent = true;
    program.process.kill('SIGTERM');
  });
  return (await program.ended).stdout;
}

describe('at a terminal', { skip: hasScript ? false : 'needs the command script' }, () => {
  test('a terminal shows the banner with the keys of the dev chain, and readable lines, in colours', async () => {
    const output = await outputOf(atTerminal(FLAGS, 'TERM=xterm NO_COLOR='), WARNING);
    assert.ok(output.includes(ESCAPE));
    const lines = stripVTControlCharacters(output).split(/\r?\n/);
    assert.ok(lines.some((line) => /^ {2}HTTP +http:\/\/127\.0\.0\.1:\d+$/.test(line)));
    for (const key of DEV_KEYS) assert.ok(lines.some((line) => line.trim() === key));
    assert.equal(lines.filter((line) => line.endsWith('  10000 ETH')).length, DEV_KEYS.length);
    assert.ok(lines.some((line) => /^\d\d:\d\d:\d\d\.\d{3} INFO {2}listening +host=127\.0\.0\.1 port=\d+$/.test(line)));
    assert.ok(lines.every((line) => line.length <= 100));
  });

  test('NO_COLOR turns colours off', async () => {
    const output = await outputOf(atTerminal(FLAGS, 'NO_COLOR=1'), WARNING);
    assert.ok(!output.includes(ESCAPE));
  });

  test('closing the terminal ends the program in order', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prestate-terminal-'));
    const program = atTerminal(FLAGS, `TMPDIR=${folder}`);
    let text = '';
    program.process.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until(() => text.includes(WARNING));
    assert.equal(readdirSync(folder).length, 1);
    program.process.kill('SIGKILL');
    await until(() => readdirSync(folder).length === 0);
    rmSync(folder, { recursive: true });
  });

  test('--log-format json writes JSON at a terminal, too', async () => {
    const output = await outputOf(atTerminal([...FLAGS, '--log-format', 'json']), '"listening"');
    for (const line of output.trim().split(/\r?\n/)) assert.ok(typeof JSON.parse(line) === 'object');
  });
});

describe('in a pipe', () => {
  test('stdout in a pipe is JSON, and nothing else', async () => {
    const output = await outputOf(launch(FLAGS), '"listening"');
    for (const line of output.trim().split('\n')) assert.ok(typeof JSON.parse(line) === 'object');
  });

  test('--log-format pretty writes readable lines without colours in a pipe', async () => {
    const output = await outputOf(launch([...FLAGS, '--log-format', 'pretty']), WARNING);
    assert.ok(!output.includes(ESCAPE));
    assert.match(output, /INFO {2}listening /);
  });
});
