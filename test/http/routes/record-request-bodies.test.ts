// The recording of requests, whose lines the benchmark replays.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readRecord } from '../../../bench/suite/recorded.js';
import { withRequestRecording } from '../../../src/http/routes/record-request-bodies.js';
import { openLineAppender } from '../../../src/lib/line-appender.js';
import { lineFileOptions } from '../../lib/line-appender-options.js';
import { temporaryFile } from '../../support/temporary-folder.js';

const ANSWER = { status: 200, bytes: new Uint8Array(0), position: null } as const;
const service = { answer: () => ANSWER };

/** A clock that advances by 10 ms with every reading. */
function clock(): () => number {
  let nowMs = 1000;
  return () => (nowMs += 10);
}

const body = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a recording has every body unchanged, with its time, and is readable by the bench', async () => {
  const file = temporaryFile('requests.jsonl');
  const bodies = ['{"id":1,"method":"eth_chainId"}', '[{"id":1},{"id":2}]', 'no "json"\n', '"\u00e9"'];
  const record = await openLineAppender(file, lineFileOptions(), assert.fail);
  const requested = withRequestRecording(service, record, clock());
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
