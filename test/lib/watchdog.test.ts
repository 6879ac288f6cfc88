// A process whose main thread hangs is ended.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'watchdog-test-'));
after(() => rmSync(folder, { recursive: true }));

const MODULE = new URL('../../src/lib/watchdog.js', import.meta.url).href;
const THREAD = new URL('../../workers/watchdog.js', import.meta.url).href;
const START = `
  import { Watchdog } from '${MODULE}';
  const watchdog = new Watchdog(new URL('${THREAD}'), { lookMs: 20, silentLooksMax: 50, stoppingLooksMax: 50 });
`;
function run(program: string): { status: number | null; signal: NodeJS.Signals | null; stderr: string } {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, START + program);
  return spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000 });
}

void test('main that never comes to its timers', () => {
  const { signal, stderr } = run('for (;;);');
  assert.deepEqual({ signal, stderr }, { signal: 'SIGKILL', stderr: 'prestate: its main thread hangs; killed\n' });
});

void test('main that waits for what never stops', () => {
  const { signal, stderr } = run('watchdog.stopping(); setInterval(() => {}, 1000);');
  assert.deepEqual({ signal, stderr }, { signal: 'SIGKILL', stderr: 'prestate: it does not stop; killed\n' });
});

void test('main that leaves is left alone, and so is one that has nothing more to do', () => {
  assert.equal(run('process.exit(3);').status, 3);
  assert.equal(run('').status, 0);
});
