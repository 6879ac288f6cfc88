// The systemd unit, and what it has in common with the other ways to run the program. Runs systemd-analyze if it is
// installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { alert, compose, deployed } from './deployed.js';

test('systemd and Docker allow the program its maximum shutdown time', () => {
  const stopS = LIMITS.stopMsMax / 1000 + LIMITS.threadEndMsMax / 1000;
  assert.ok(parseInt(compose.services['prestate']!.stop_grace_period!, 10) > stopS);
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(deployed('prestate.service'))![1]) > stopS);
});

test('unit, compose file and alert have the same memory limit', () => {
  assert.match(deployed('prestate.service'), /^MemoryMax=8G$/m);
  assert.equal(compose.services['prestate']!.mem_limit, '${MEMORY_LIMIT:-8g}');
  assert.match(alert('PrestateMemoryHigh').expr, /> 0\.9 \* 8 \* 2\^30$/);
});

test('systemd accepts the unit', (context: TestContext) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return context.skip('systemd-analyze is not installed');
  // The binary and the manual may not be installed here.
  const text = deployed('prestate.service').replace('/usr/bin/node', process.execPath);
  const unit = temporaryFile('prestate.service', text.replace(/^Documentation=.*\n/m, ''));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  assert.equal(
    stderr
      .split('\n')
      .filter((line) => line.includes('prestate.service'))
      .join('\n'),
    '',
  );
  assert.equal(status, 0, stderr);
});
