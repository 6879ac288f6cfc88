// The file of `--warm`: what its lines mean, and which errors they get.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fromHex } from '../../src/lib/bytes/hex.js';
import { StartError } from '../../src/start-error.js';
import { readWarmFile } from '../../src/state/warm-file.js';

const ADDRESS = `0x${'aB'.repeat(20)}`;
const CALL = { to: ADDRESS, data: '0x01' };
let folder: string;
before(() => (folder = mkdtempSync(join(tmpdir(), 'prestate-warm-'))));
after(() => rmSync(folder, { recursive: true }));

function fileOf(...lines: readonly string[]): string {
  const file = join(folder, 'warm');
  writeFileSync(file, lines.join('\n'));
  return file;
}

function faultOf(file: string): StartError {
  try {
    readWarmFile(file);
  } catch (error) {
    if (error instanceof StartError) return error;
  }
  return assert.fail('nothing is wrong');
}

test('addresses, slots and calls are read, with comments and empty lines between them', () => {
  const file = fileOf('# pools', '', ADDRESS, `  ${ADDRESS}   0x1\r`, JSON.stringify(CALL));
  const address = fromHex(ADDRESS);
  assert.deepEqual(readWarmFile(file), {
    keys: { accounts: [address], slots: [{ address, slot: fromHex(`0x${'0'.repeat(63)}1`) }] },
    calls: [CALL],
  });
});

test('invalid lines are reported with their numbers', () => {
  const file = fileOf(ADDRESS, '0x12', `${ADDRESS} 12`, '{"to":', `${ADDRESS} 0x1 0x2`);
  const { message, exitCode } = faultOf(file);
  const told = [
    'line 2: neither an address nor a call',
    'line 3: behind the address there is no slot',
    'line 4: a call that is no JSON',
    'line 5: behind the address there is no slot',
  ];
  assert.deepEqual([message, exitCode], [`${file}: ${told.join('; ')}`, 2]);
});

test('of many invalid lines only the first are reported; a missing file is named', () => {
  const { message } = faultOf(fileOf(...Array.from({ length: 9 }, () => 'x')));
  assert.match(message, /line 5: neither an address nor a call; and 4 more$/);
  const missing = join(folder, 'missing');
  assert.equal(faultOf(missing).exitCode, 2);
  assert.match(faultOf(missing).message, /missing cannot be read: ENOENT/);
});
