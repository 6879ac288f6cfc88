// The watchdog ends a process whose main thread hangs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { PATIENCE_MS } from '../../support/patience.js';
import { temporaryFile } from '../../support/temporary-folder.js';

const MODULE = new URL('../../../src/lib/threads/watchdog.js', import.meta.url).href;
const THREAD = new URL('../../../workers/watchdog.js', import.meta.url).href;
const START = `
  import { Watchdog } from '${MODULE}';
  const watchdog = new Watchdog(new URL('${THREAD}'), { checkMs: 20, silentChecksMax: 50, stoppingChecksMax: 50 });
`;
function run(program: string): { status: number | null; signal: NodeJS.Signals | null; stderr: string } {
  const file = temporaryFile('program.mjs', START + program);
  return spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: PATIENCE_MS });
}

void test('a main thread whose event loop is blocked is killed', () => {
  const { signal, stderr } = run('for (;;);');
  assert.deepEqual({ signal, stderr }, { signal: 'SIGKILL', stderr: 'prestate: its main thread hangs; killed\n' });
});

void test('a main thread that does not end after its shutdown has started is killed', () => {
  const { signal, stderr } = run('watchdog.stopping(); setInterval(() => {}, 1000);');
  assert.deepEqual({ signal, stderr }, { signal: 'SIGKILL', stderr: 'prestate: it does not stop; killed\n' });
});

void test('a main thread that exits, or whose event loop ends, is not killed', () => {
  assert.equal(run('process.exit(3);').status, 3);
  assert.equal(run('').status, 0);
});
