// Recordings of a feed: written and read; truncated files and files of another format; replay on a clock of its own.
import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import {
  encodeRecordedMessage,
  readRecording,
  replayRecording,
  type RecordedMessage,
  type RecordedMessageKind,
} from '../../src/feed/recording.js';
import { openLineAppender } from '../../src/lib/line-appender.js';
import { StartError } from '../../src/lib/start-error.js';
import { lineFileOptions } from '../lib/line-appender-options.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { FakeClock } from './recording-sink.js';

async function write(file: string, records: readonly RecordedMessage[]): Promise<void> {
  const lines = await openLineAppender(file, lineFileOptions(), assert.fail);
  for (const record of records) lines.add(encodeRecordedMessage(record));
  await lines.close();
}

async function read(file: string): Promise<RecordedMessage[]> {
  const records: RecordedMessage[] = [];
  for await (const record of readRecording(file)) records.push(record);
  return records;
}

function sample(count: number, from = 0): RecordedMessage[] {
  const kinds: readonly RecordedMessageKind[] = ['frame', 'head', 'down'];
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const bytes = number % 3 === 2 ? new Uint8Array(0) : new Uint8Array(Buffer.from(`{"number": ${number}}`));
    return { kind: kinds[number % 3]!, arrivedAtMs: 1_700_000_000_000.25 + number * 100, bytes };
  });
}

void describe('a record', () => {
  void it('a record reads as it was written', async () => {
    const record = fc.record({
      kind: fc.constantFrom<RecordedMessageKind>('frame', 'head', 'down'),
      arrivedAtMs: fc.double({ min: 0, max: 1e15, noNaN: true }),
      bytes: fc.uint8Array({ maxLength: 300 }),
    });
    const property = fc.asyncProperty(fc.array(record, { maxLength: 50 }), async (records) => {
      const file = temporaryFile('feed.record');
      await write(file, records);
      // -0 is a valid time, equal to 0.
      assert.deepEqual(
        await read(file),
        records.map((each) => ({ ...each, arrivedAtMs: each.arrivedAtMs + 0 })),
      );
    });
    await fc.assert(property, { numRuns: 20, seed: 6 });
  });

  void it('a record truncated anywhere is read up to its last whole line, and continued', async () => {
    const file = temporaryFile('feed.record');
    await write(file, sample(3));
    const bytes = readFileSync(file);
    const ends = [...bytes.keys()].filter((at) => bytes[at] === 10);
    for (let length = ends[0]!; length <= bytes.length; length++) {
      writeFileSync(file, bytes.subarray(0, length));
      const whole = ends.filter((end) => end <= length).length;
      assert.deepEqual(await read(file), sample(whole));
    }
    truncateSync(file, ends[1]! + 9);
    await write(file, sample(2, 20));
    assert.deepEqual(await read(file), [...sample(2), ...sample(2, 20)]);
  });

  void it('a file that is no record is refused', async () => {
    const file = temporaryFile('feed.record');
    writeFileSync(file, 'something that is dear to somebody');
    await assert.rejects(read(file), StartError);
    await assert.rejects(read(`${file}.absent`), StartError);
  });
});

async function times(speed: number, stopAt = Infinity): Promise<number[]> {
  const file = temporaryFile('feed.record');
  await write(file, sample(6));
  const clock = new FakeClock(5_000_000);
  const stop = new AbortController();
  const arrivals: number[] = [];
  const numbers: number[] = [];
  await replayRecording(
    { file, speed },
    {
      clock,
      signal: stop.signal,
      onRecord: async ({ arrivedAtMs }, nowMs) => {
        await Promise.resolve();
        arrivals.push(nowMs - 5_000_000);
        numbers.push(arrivedAtMs);
        if (arrivals.length === stopAt) stop.abort();
      },
    },
  );
  assert.deepEqual(
    numbers,
    sample(numbers.length).map(({ arrivedAtMs }) => arrivedAtMs),
  );
  return arrivals;
}

void describe('replay', () => {
  void it('a replay at speed 1 keeps the timing of the record', async () => {
    assert.deepEqual(await times(1), [0, 100, 200, 300, 400, 500]);
  });

  void it('a replay at speed 10 takes a tenth of the time', async () => {
    assert.deepEqual(await times(10), [0, 10, 20, 30, 40, 50]);
  });

  void it('a replay at speed 0 does not wait', async () => {
    assert.deepEqual(await times(0), [0, 0, 0, 0, 0, 0]);
  });

  void it('a replay ends when it is stopped', async () => {
    assert.deepEqual(await times(1, 3), [0, 100, 200]);
  });

  void it('a replay passes one message at a time, however long one takes', async () => {
    const file = temporaryFile('feed.record');
    await write(file, sample(5));
    let busy = 0;
    await replayRecording(
      { file, speed: 0 },
      {
        clock: new FakeClock(0),
        signal: new AbortController().signal,
        onRecord: async () => {
          assert.equal(busy++, 0);
          await sleep(2);
          busy--;
        },
      },
    );
  });

  void it('a replay of a file that is no record is refused', async () => {
    const file = temporaryFile('feed.record');
    const parts = { clock: new FakeClock(0), signal: new AbortController().signal, onRecord: assert.fail };
    await assert.rejects(replayRecording({ file, speed: 1 }, parts), StartError);
  });
});
