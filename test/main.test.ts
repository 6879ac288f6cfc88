// The command runs the bundle if it matches what the compiler emitted, and the modules otherwise.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './support/temporary-folder.js';

const DIST = fileURLToPath(new URL('..', import.meta.url));

describe('the command', () => {
  const folder = temporaryFolder();
  for (const file of ['src/main.js', 'src/lib/threads/bundle-freshness.js'])
    cpSync(join(DIST, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'src/program.js'), "process.stdout.write('modules')");

  const runs = (): string => execFileSync(process.execPath, [join(folder, 'src/main.js')], { encoding: 'utf8' });
  function write(file: string, text: string, atS: number): void {
    mkdirSync(join(folder, 'bundle'), { recursive: true });
    writeFileSync(join(folder, file), text);
    utimesSync(join(folder, file), atS, atS);
  }

  test('runs the modules if there is no bundle', () => assert.equal(runs(), 'modules'));

  test('runs the bundle of a package, which has no trace of the compiler', () => {
    write('bundle/program.js', "process.stdout.write('bundle')", 1000);
    assert.equal(runs(), 'bundle');
  });

  test('runs the bundle that was made after the compiler ran', () => {
    write('tsconfig.tsbuildinfo', '', 999);
    assert.equal(runs(), 'bundle');
  });

  test('runs the modules if the compiler has run since the bundle was made', () => {
    write('tsconfig.tsbuildinfo', '', 1001);
    assert.equal(runs(), 'modules');
  });
});

test('the bundle has the licence of every package in it', () => {
  const licences = readFileSync(join(DIST, 'bundle/LICENSES.txt'), 'utf8');
  for (const name of ['@ethereumjs/evm', 'pino', 'zod', 'prom-client'])
    assert.match(licences, new RegExp(`^# ${name} `, 'm'));
});
