// A signal shuts the program down, however it was started: directly, by npm through its shell, or as process 1.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../support/patience.js';
import { type Ended, type Program, launch, launchCommand, launchThrough } from './program.js';

const FLAGS = ['--port', '0', '--workers', '1', '--dev-traffic', '0'];
const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;
/** Process 1 ignores signals without a handler; started directly, such a signal would also end it, but differently. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const IS_SHORT = process.env['HEAVY'] === undefined;

/** Ends the program by a signal to the process `target`; by default to the program itself. */
async function endWith(
  program: Program,
  signal: NodeJS.Signals,
  target = (): number => program.process.pid!,
): Promise<Ended> {
  await program.printed(/"listening"/);
  process.kill(target(), signal);
  // Resolves once neither npm nor the program has stdout open.
  return program.ended;
}

/** The only child of a process. */
function childOf(pid: number): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10);
}

describe('started by itself', () => {
  for (const signal of IS_SHORT && canUnshare ? SIGNALS.slice(0, 1) : SIGNALS) {
    test(`${signal} shuts it down`, async () => {
      const { code, stdout, stderr } = await endWith(launch(FLAGS), signal);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.match(stdout, new RegExp(`"signal":"${signal}","msg":"stopping"`));
    });
  }

  test('the program keeps running when a parent other than npm ends', async () => {
    const program = launchThrough(['env', '-u', 'npm_lifecycle_event', 'sh', '-c', '"$0" "$@" & echo $!'], FLAGS);
    await until(() => program.stdout.includes('"listening"'));
    process.kill(Number.parseInt(program.stdout, 10), 'SIGTERM');
    assert.match((await program.ended).stdout, /"signal":"SIGTERM","msg":"stopping"/);
  });
});

describe('started by npm', () => {
  for (const signal of IS_SHORT ? (['SIGINT'] as const) : (['SIGTERM', 'SIGINT'] as const)) {
    test(`npm start passes ${signal} on`, async () => {
      const { code, stdout } = await endWith(launchCommand('npm', ['start', '--', ...FLAGS]), signal);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`"signal":"${signal}","msg":"stopping"`));
    });
  }

  for (const signal of ['SIGHUP', 'SIGKILL'] as const) {
    test(`npm start ended by ${signal} shuts it down`, async () => {
      const { stdout } = await endWith(launchCommand('npm', ['start', '--', ...FLAGS]), signal);
      assert.match(stdout, /"msg":"npm has ended: stopping"/);
    });
  }

  for (const signal of IS_SHORT ? (['SIGKILL'] as const) : (['SIGTERM', 'SIGKILL'] as const)) {
    test(`npx ended by ${signal}, with its shell between, shuts it down`, async () => {
      const command = [process.execPath, MAIN, ...FLAGS].join(' ');
      const { stdout } = await endWith(launchCommand('npm', ['exec', '-c', command]), signal);
      assert.match(stdout, /"msg":"(npm has ended: )?stopping"/);
    });
  }
});

describe('started as process 1', { skip: canUnshare ? false : 'namespaces are not permitted' }, () => {
  for (const signal of SIGNALS) {
    test(`${signal} shuts it down`, async () => {
      const program = launchThrough(['unshare', '--pid', '--fork', '--mount-proc'], FLAGS);
      const { code, stdout, stderr } = await endWith(program, signal, () => childOf(program.process.pid!));
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.match(stdout, /"pid":1,.*"msg":"stopping"/);
    });
  }
});
