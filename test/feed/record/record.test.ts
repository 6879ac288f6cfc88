// Recordings of a feed: written and read; files that are truncated, damaged or of another kind; processes that were
// killed; replay on a clock of its own.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import {
  Recorder,
  openRecorder,
  readRecord,
  type RecordEnd,
  type Recorded,
  type RecordKind,
} from '../../../src/feed/record/record.js';
import { replay } from '../../../src/feed/record/replay.js';
import { LIMITS } from '../../../src/limits/index.js';
import { StartError } from '../../../src/lib/start-error.js';
import { until } from '../../support/patience.js';
import { FakeClock } from '../recording-sink.js';

function newFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'prestate-record-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'feed.record');
}

async function write(file: string, records: readonly Recorded[]): Promise<void> {
  const recorder = await openRecorder(file, { onError: assert.fail });
  for (const { kind, bytes, arrivedAtMs } of records) recorder.add(kind, bytes, arrivedAtMs);
  await recorder.close();
  assert.deepEqual([recorder.counters.records, recorder.counters.lost], [records.length, 0]);
}

async function read(file: string): Promise<{ records: Recorded[]; end: RecordEnd }> {
  const records: Recorded[] = [];
  const reading = readRecord(file);
  for (;;) {
    const next = await reading.next();
    if (next.done === true) return { records, end: next.value };
    records.push(next.value);
  }
}

function sample(count: number, from = 0): Recorded[] {
  const kinds: readonly RecordKind[] = ['frame', 'head', 'down'];
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const bytes = number % 3 === 2 ? new Uint8Array(0) : new Uint8Array(Buffer.from(`{"number": ${number}}`));
    return { kind: kinds[number % 3]!, arrivedAtMs: 1_700_000_000_000.25 + number * 100, bytes };
  });
}

void describe('a record', () => {
  void it('a record reads as it was written', async (t) => {
    const record = fc.record({
      kind: fc.constantFrom<RecordKind>('frame', 'head', 'down'),
      arrivedAtMs: fc.double({ min: 0, max: 1e15, noNaN: true }),
      bytes: fc.uint8Array({ maxLength: 300 }),
    });
    const property = fc.asyncProperty(fc.array(record, { maxLength: 50 }), async (records) => {
      const file = newFile(t);
      await write(file, records);
      const plain = records.map((each) => ({ ...each }));
      assert.deepEqual(await read(file), { records: plain, end: 'whole' });
    });
    await fc.assert(property, { numRuns: 50, seed: 6 });
  });

  void it('a record is compressed, and large messages are written in chunks', async (t) => {
    const file = newFile(t);
    const bytes = new Uint8Array(LIMITS.recordChunkBytes / 4 + 1).fill(7);
    const records = Array.from({ length: 10 }, (_, arrivedAtMs): Recorded => ({ kind: 'frame', arrivedAtMs, bytes }));
    await write(file, records);
    assert.ok(statSync(file).size < 100_000);
    assert.deepEqual(await read(file), { records, end: 'whole' });
  });

  void it('recording appends to an existing file, also to a truncated one', async (t) => {
    const file = newFile(t);
    await write(file, sample(4));
    const whole = statSync(file).size;
    await write(file, sample(4, 4));
    assert.deepEqual(await read(file), { records: sample(8), end: 'whole' });
    truncateSync(file, whole + 9);
    await write(file, sample(3, 20));
    assert.deepEqual(await read(file), { records: [...sample(4), ...sample(3, 20)], end: 'whole' });
  });

  void it('a record truncated anywhere is read up to its last whole chunk', async (t) => {
    const file = newFile(t);
    await write(file, sample(3));
    const first = statSync(file).size;
    await write(file, sample(3, 3));
    const bytes = readFileSync(file);
    for (let length = 18; length < bytes.length; length++) {
      writeFileSync(file, bytes.subarray(0, length));
      const { records, end } = await read(file);
      assert.deepEqual(records, length < first ? [] : sample(3));
      assert.equal(end, length === 18 || length === first ? 'whole' : 'truncated');
    }
  });

  void it('recorded messages are on disk soon afterwards', async (t) => {
    const file = newFile(t);
    const recorder = await openRecorder(file, { onError: assert.fail });
    for (const { kind, bytes, arrivedAtMs } of sample(3)) recorder.add(kind, bytes, arrivedAtMs);
    await until(() => recorder.counters.bytesWritten > 0);
    // A process that is killed here would leave it so.
    assert.deepEqual(await read(file), { records: sample(3), end: 'whole' });
    await recorder.close();
  });

  void it('a damaged record is read up to the damage, and never throws', async (t) => {
    const file = newFile(t);
    await write(file, sample(30));
    await write(file, sample(30, 30));
    const bytes = readFileSync(file);
    const property = fc.asyncProperty(
      fc.nat({ max: bytes.length - 19 }),
      fc.integer({ min: 1, max: 255 }),
      async (at, flip) => {
        const damaged = Buffer.from(bytes);
        damaged[18 + at]! ^= flip;
        writeFileSync(file, damaged);
        const { records } = await read(file);
        const [all, some] = [sample(60), records.length];
        if (some === 30 || some === 60) assert.deepEqual(records, all.slice(0, some));
        else assert.equal(some, 0);
      },
    );
    await fc.assert(property, { numRuns: 300, seed: 7 });
  });

  void it('a file that is no record is refused, and left as it is', async (t) => {
    const file = newFile(t);
    writeFileSync(file, 'something that is dear to somebody');
    await assert.rejects(openRecorder(file, { onError: assert.fail }), StartError);
    await assert.rejects(read(file), StartError);
    assert.equal(readFileSync(file, 'utf8'), 'something that is dear to somebody');
    await assert.rejects(read(`${file}.absent`), StartError);
    await assert.rejects(openRecorder(join(file, 'below'), { onError: assert.fail }), StartError);
  });

  const full = existsSync('/dev/full') ? false : 'needs /dev/full';

  void it('a disk that refuses a record at the start gives a one-line error', { skip: full }, async () => {
    await assert.rejects(openRecorder('/dev/full', { onError: assert.fail }), StartError);
  });

  void it(
    'a disk that refuses a record later is reported once, and lost messages are counted',
    { skip: full },
    async () => {
      const errors: string[] = [];
      const recorder = new Recorder(await open('/dev/full', 'a'), { onError: (reason) => errors.push(reason) });
      recorder.add('frame', new Uint8Array(LIMITS.recordChunkBytes), 1);
      await until(() => errors.length > 0);
      for (let at = 0; at < 3; at++) recorder.add('frame', new Uint8Array(1), 2);
      await recorder.close();
      assert.equal(errors.length, 1);
      assert.match(errors[0]!, /ENOSPC/);
      assert.deepEqual(recorder.counters, { records: 1, lost: 3, bytesWritten: 0 });
    },
  );

  void it('a recorder buffers no more bytes than its bound, and counts lost messages', async (t) => {
    const recorder = await openRecorder(newFile(t), { onError: assert.fail });
    const bytes = new Uint8Array(LIMITS.feedFrameBytesMax);
    for (let at = 0; at < 20; at++) recorder.add('frame', bytes, at);
    await recorder.close();
    const { records, lost } = recorder.counters;
    assert.ok(records >= 4 && records <= 5, `${records} of 16 MiB`);
    assert.equal(records + lost, 20);
  });
});

async function times(t: TestContext, speed: number, stopAt = Infinity): Promise<number[]> {
  const file = newFile(t);
  await write(file, sample(6));
  const clock = new FakeClock(5_000_000);
  const stop = new AbortController();
  const arrivals: number[] = [];
  const numbers: number[] = [];
  await replay(
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
  void it('a replay at speed 1 keeps the timing of the record', async (t) => {
    assert.deepEqual(await times(t, 1), [0, 100, 200, 300, 400, 500]);
  });

  void it('a replay at speed 10 takes a tenth of the time', async (t) => {
    assert.deepEqual(await times(t, 10), [0, 10, 20, 30, 40, 50]);
  });

  void it('a replay at speed 0 does not wait', async (t) => {
    assert.deepEqual(await times(t, 0), [0, 0, 0, 0, 0, 0]);
  });

  void it('a replay ends when it is stopped', async (t) => {
    assert.deepEqual(await times(t, 1, 3), [0, 100, 200]);
  });

  void it('a replay passes one message at a time, however long one takes', async (t) => {
    const file = newFile(t);
    await write(file, sample(5));
    let busy = 0;
    await replay(
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

  void it('a replay of a file that is no record is refused', async (t) => {
    const file = newFile(t);
    const parts = { clock: new FakeClock(0), signal: new AbortController().signal, onRecord: assert.fail };
    await assert.rejects(replay({ file, speed: 1 }, parts), StartError);
  });
});
