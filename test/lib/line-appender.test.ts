// Line files: written in the background within their limits, appended to, and errors of the disk.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openLineAppender } from '../../src/lib/line-appender.js';
import { StartError } from '../../src/lib/start-error.js';
import { until } from '../support/patience.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { lineFileOptions } from './line-appender-options.js';

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

test('lines are written in order, soon and without further action', async () => {
  const file = temporaryFile('lines.jsonl');
  const lines = await openLineAppender(file, lineFileOptions(), assert.fail);
  lines.add({ a: 1 });
  await until(() => readFileSync(file).length > 0);
  for (const a of [2, 3]) lines.add({ a });
  await lines.close();
  assert.deepEqual(linesOf(file), ['{"a":1}', '{"a":2}', '{"a":3}']);
});

test('a file is appended to, and closed when it is full', async () => {
  const file = temporaryFile('lines.jsonl');
  writeFileSync(file, `{"a":0}\n${'x'.repeat(50)}`);
  const ends: string[] = [];
  const lines = await openLineAppender(file, lineFileOptions({ fileBytesMax: 80 }), (reason) => ends.push(reason));
  for (let a = 1; a < 10; a++) lines.add({ a });
  await lines.close();
  assert.deepEqual(ends, ['the file is full']);
  assert.deepEqual(linesOf(file), ['{"a":0}', 'x'.repeat(50), '{"a":1}', '{"a":2}']);
});

test('lines that a slow disk cannot keep up with are dropped and counted', async () => {
  const file = temporaryFile('lines.jsonl');
  const lines = await openLineAppender(file, lineFileOptions({ waitingBytesMax: 20 }), assert.fail);
  for (let a = 0; a < 10; a++) lines.add({ a });
  await lines.close();
  assert.equal(lines.lost, 8);
  assert.equal(linesOf(file).length, 2);
});

test('a file that cannot be opened ends the start', async () => {
  const file = temporaryFile('absent/lines.jsonl');
  await assert.rejects(openLineAppender(file, lineFileOptions(), assert.fail), StartError);
});

const skip = existsSync('/dev/full') ? false : 'needs /dev/full';

test('a failed write is reported once, and closes the file', { skip }, async () => {
  const ends: string[] = [];
  const lines = await openLineAppender('/dev/full', lineFileOptions(), (reason) => ends.push(reason));
  lines.add({ a: 1 });
  await until(() => ends.length > 0);
  lines.add({ a: 2 });
  await lines.close();
  assert.equal(ends.length, 1);
  assert.match(ends[0]!, /ENOSPC/);
});
