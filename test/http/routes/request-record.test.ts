// The record of requests: lines that the bench replays, within their bounds.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readRecord } from '../../../bench/suite/recorded.js';
import { openRequestRecord, recorded, type RequestRecordOptions } from '../../../src/http/routes/request-record.js';
import { StartError } from '../../../src/lib/start-error.js';

const OPTIONS: RequestRecordOptions = {
  requestRecordBytesMax: 1_000_000,
  requestRecordWaitingBytesMax: 100_000,
  recordFlushMs: 1,
};
const ANSWER = { status: 200, bytes: new Uint8Array(0), position: null } as const;
const service = { answer: () => ANSWER };

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'prestate-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'requests.jsonl');
}

/** A clock that goes on by 10 ms a look. */
function clock(): () => number {
  let nowMs = 1000;
  return () => (nowMs += 10);
}

const body = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a record holds every body as it came, with its time, and is what the bench reads', async (t) => {
  const file = fileFor(t);
  const bodies = ['{"id":1,"method":"eth_chainId"}', '[{"id":1},{"id":2}]', 'no "json"\n', '"\u00e9"'];
  const record = await openRequestRecord(file, OPTIONS, { nowMs: clock(), onEnd: assert.fail });
  const requested = recorded(service, record);
  for (const text of bodies) assert.equal(requested.answer(body(text), { aborted: false }), ANSWER);
  await record.close();
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  assert.deepEqual(
    lines,
    bodies.map((text, i) => ({ t_ms: 1010 + 10 * i, body: text })),
  );
  const read = readRecord(file);
  assert.deepEqual(
    read.map(({ startMs, calls }) => [startMs, calls]),
    [
      [0, 1],
      [10, 2],
      [20, 1],
      [30, 1],
    ],
  );
  assert.equal(read[3]!.body, String.raw`"\u00e9"`);
});

test('a record goes on behind what is there, and ends when the file is full', async (t) => {
  const file = fileFor(t);
  writeFileSync(file, 'x'.repeat(50));
  const ends: string[] = [];
  const options = { ...OPTIONS, requestRecordBytesMax: 130 };
  const record = await openRequestRecord(file, options, { nowMs: clock(), onEnd: (reason) => ends.push(reason) });
  for (let i = 0; i < 10; i++) record.add(body('{"method":"a"}'));
  await record.close();
  assert.deepEqual(ends, ['the record of requests is full']);
  const { length } = readFileSync(file);
  assert.ok(length > 50 && length <= 130, `${length} bytes`);
});

test('what a slow disk cannot take is left out and counted', async (t) => {
  const options = { ...OPTIONS, requestRecordWaitingBytesMax: 100 };
  const file = fileFor(t);
  const record = await openRequestRecord(file, options, { nowMs: clock(), onEnd: assert.fail });
  for (let i = 0; i < 10; i++) record.add(body('{"method":"a"}'));
  await record.close();
  assert.equal(record.lost + readRecord(file).length, 10);
  assert.ok(record.lost > 0);
});

test('a file that cannot be had ends the start', async (t) => {
  const file = join(fileFor(t), 'below', 'a', 'file');
  await assert.rejects(openRequestRecord(file, OPTIONS, { nowMs: clock(), onEnd: assert.fail }), StartError);
});
