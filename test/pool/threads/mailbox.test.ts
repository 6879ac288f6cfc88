// Both ends of a mailbox on one thread: every order of begin, result, close and read that two threads can produce.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { JobOutcome } from '../../../src/transaction/evm-job.js';
import { LIMITS } from '../../../src/limits/index.js';
import { ByteReader, ByteWriter } from '../../../src/lib/bytes/byte-reader-writer.js';
import { MainMailbox, WorkerMailboxEnd } from '../../../src/pool/threads/mailbox.js';
import { rounds } from '../../support/rounds.js';
import { until } from '../../support/patience.js';
import { anyOutcome } from '../jobs.js';

const TIME = { startedMs: 3.5, tookMs: 7 };
/** Index of the word in which a mailbox counts its notifications. */
const NOTIFICATIONS_AT = 12;

function nothing(): void {}

function openMailbox(count = 16): { main: MainMailbox; worker: WorkerMailboxEnd } {
  const main = new MainMailbox();
  main.open(count);
  return { main, worker: new WorkerMailboxEnd(main.buffer, new ByteWriter(64)) };
}

void test('results are read in order, once each, as soon as they are written', () => {
  fc.assert(
    fc.property(fc.array(anyOutcome, { maxLength: 16 }), fc.array(fc.boolean()), (outcomes, looks) => {
      const { main, worker } = openMailbox();
      const sent: JobOutcome[] = [];
      const read: JobOutcome[] = [];
      const poll = (): void => {
        for (let outcome = main.next(); outcome !== null; outcome = main.next()) {
          read.push(outcome);
          assert.deepEqual(main.time, TIME);
        }
        assert.deepStrictEqual(read, sent);
      };
      for (const [index, outcome] of outcomes.entries()) {
        assert.ok(worker.begin(index));
        assert.equal(main.started, index + 1);
        if (looks[index] === true) poll();
        if (worker.answer(outcome, TIME)) sent.push(outcome);
        else return assert.deepStrictEqual(main.long(), outcome);
      }
      poll();
    }),
    { seed: 7, numRuns: 300 },
  );
});

void test('a sleeping worker is woken once, and one about to sleep does not sleep', () => {
  let wakes = 0;
  let meanwhile = nothing;
  const sleep = { wait: () => meanwhile(), wake: () => void (wakes += 1) };
  const main = new MainMailbox(sleep);
  main.open(1);
  const worker = new WorkerMailboxEnd(main.buffer, new ByteWriter(64), sleep);
  const post = (): boolean => main.post([{ packed: 'a job', limitMs: 20 }]);
  assert.ok(post());
  assert.ok(worker.waitFor(1), 'it need not sleep');
  assert.equal(wakes, 0);
  meanwhile = (): void => void (post() && post());
  assert.ok(worker.waitFor(2));
  assert.equal(wakes, 1);
  meanwhile = nothing;
  assert.ok(!worker.waitFor(4), 'it wakes by itself');
  assert.ok(post());
  assert.equal(wakes, 1);
  meanwhile = (): void => void main.close();
  assert.ok(!worker.waitFor(5), 'closed');
  assert.equal(wakes, 2);
});

void test('posted jobs arrive as they were packed, until the mailbox is full', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.uint8Array({ maxLength: 9000 }), { maxLength: 4 }), { maxLength: 20 }),
      (groups) => {
        const { main, worker } = openMailbox(1);
        const reader = new ByteReader(new Uint8Array(16));
        let index = 1;
        let bytes = 0;
        for (const group of groups.map((jobs) => jobs.map(packedBytes))) {
          const size = group.reduce((sum, job) => sum + 8 + job.length, 0);
          const fits = bytes + size <= LIMITS.mailboxJobBytesMax;
          assert.equal(main.post(group.map((job) => ({ packed: job.toString('latin1'), limitMs: 20 }))), fits);
          if (!fits) continue;
          bytes += size;
          for (const job of group) {
            assert.ok(worker.waitFor(index++));
            worker.posted(reader);
            assert.equal(reader.u32(), 20, 'the limit of its run');
            const bytesOfJob = reader.bytes();
            assert.deepEqual(packedBytes(bytesOfJob), job);
            assert.ok(bytesOfJob.buffer instanceof ArrayBuffer, 'out of shared memory');
            assert.throws(() => reader.u8(), RangeError, 'nothing is left of a longer one');
          }
        }
        assert.ok(!worker.waitFor(index), 'none has come for a while');
      },
    ),
    { seed: 8, numRuns: 40 },
  );
});

void test('a closed mailbox accepts no jobs and ends every wait', () => {
  const { main, worker } = openMailbox(1);
  assert.ok(worker.begin(0));
  main.close();
  assert.ok(!main.post([{ packed: 'job', limitMs: 1 }]));
  assert.ok(!worker.waitFor(1));
});

void test('a signal is noticed when the signal counter wraps around', async () => {
  const { main } = openMailbox();
  const rings = new Int32Array(main.buffer, NOTIFICATIONS_AT, 1);
  rings[0] = 2 ** 31 - 3;
  await main.bell();
  for (let index = 0; index < 5; index++) {
    let isReceived = false;
    const bell = main.bell().then(() => (isReceived = true));
    await nextTurn();
    assert.ok(!isReceived, 'nobody has rung it');
    main.ring();
    await bell;
  }
  assert.equal(rings[0], -(2 ** 31) + 2);
});

void test('main is woken for the last result and for every sixteenth before it', async () => {
  const { main, worker } = openMailbox(40);
  let received = 0;
  const listen = async (): Promise<void> => {
    while (received < 3) {
      await main.bell();
      received++;
    }
  };
  const listening = listen();
  for (let index = 0; index < 40; index++) {
    await until(() => received >= Math.floor(index / 16));
    assert.equal(received, Math.floor(index / 16), `before answer ${index}`);
    assert.ok(worker.begin(index));
    assert.ok(worker.answer({ kind: 'gas', gas: 1n }, TIME));
    await nextTurn();
  }
  await listening;
});

void test('no job starts in a closed mailbox, which knows how many have started', () => {
  const { main, worker } = openMailbox();
  assert.ok(worker.begin(0));
  assert.ok(worker.begin(1));
  assert.equal(main.close(), 2);
  assert.ok(!worker.begin(2));
  assert.equal(main.started, 2);
  assert.equal(main.close(), 2);
  assert.ok(worker.answer({ kind: 'gas', gas: 21_000n }, TIME));
  assert.deepEqual(main.next(), { kind: 'gas', gas: 21_000n });
});

void test('opening a mailbox resets it', () => {
  const { main, worker } = openMailbox();
  assert.ok(worker.begin(0));
  assert.ok(worker.answer({ kind: 'gas', gas: 1n }, TIME));
  main.close();
  main.open(1);
  assert.equal(main.started, 0);
  assert.equal(main.next(), null);
  const next = new WorkerMailboxEnd(main.buffer, new ByteWriter(64));
  assert.ok(next.begin(0));
  assert.ok(next.answer({ kind: 'gas', gas: 2n }, TIME));
  assert.deepEqual(main.next(), { kind: 'gas', gas: 2n });
});

void test('a task of any length gets every job and returns every result as long as main keeps up', () => {
  const sizes = fc.oneof({ weight: 6, arbitrary: fc.nat(40_000) }, fc.nat(80_000));
  const step = fc.record({
    jobs: fc.array(sizes, { maxLength: 4 }),
    runs: fc.nat(5),
    reads: fc.nat(9).map((n) => n < 3),
  });
  const counts = { refused: 0, long: 0, bytes: 0 };
  const property = fc.property(fc.array(step, { minLength: 60, maxLength: 120 }), (steps) => {
    const { main, worker } = openMailbox(0);
    const reader = new ByteReader(new Uint8Array(16));
    const waiting: Uint8Array[] = [];
    const unread: Uint8Array[] = [];
    let [posted, ran] = [0, 0];
    for (const { jobs, runs, reads } of steps) {
      const made = jobs.map((size) => new Uint8Array(size).fill((posted += 1)));
      if (main.post(made.map((job) => ({ packed: packedBytes(job).toString('latin1'), limitMs: 20 }))))
        waiting.push(...made);
      else posted -= (counts.refused++, made.length);
      for (let run = 0; run < runs && waiting.length > 0; run++, ran++) {
        assert.ok(worker.waitFor(ran));
        worker.posted(reader);
        assert.ok(worker.begin(ran));
        assert.equal(reader.u32(), 20);
        const job = waiting.shift()!;
        assert.ok(Buffer.compare(reader.bytes(), job) === 0, `job ${ran}`);
        const data = Buffer.concat([job, job, job, job, job, job]);
        if (!worker.answer({ kind: 'return', data }, TIME)) return void counts.long++;
        unread.push(data);
        counts.bytes += data.length;
      }
      if (!reads) continue;
      for (const expected of unread.splice(0)) {
        const read = main.next();
        assert.ok(read?.kind === 'return' && Buffer.compare(read.data, expected) === 0);
      }
      assert.equal(main.next(), null);
    }
  });
  fc.assert(property, { seed: 9, numRuns: rounds(20), endOnFailure: true });
  assert.ok(
    counts.refused > 0 && counts.long > 0 && counts.bytes > 10 * LIMITS.mailboxAnswersBytesMax,
    JSON.stringify(counts),
  );
});

void test('results fit up to the last byte; a result one byte too long is refused', () => {
  const header = 21; // kind, length, start time and duration
  const { main, worker } = openMailbox();
  const longest = { kind: 'return', data: new Uint8Array(LIMITS.mailboxAnswerBytesMax - header).fill(8) } as const;
  const filling = { kind: 'return', data: new Uint8Array(LIMITS.mailboxAnswerBytesMax - 2 * header).fill(9) } as const;
  const fit = LIMITS.mailboxAnswersBytesMax / LIMITS.mailboxAnswerBytesMax - 1;
  for (let i = 0; i < fit; i++) assert.ok(worker.answer(longest, TIME));
  assert.ok(worker.answer(filling, TIME));
  assert.ok(!worker.answer({ kind: 'revert', data: new Uint8Array(1) }, TIME));
  assert.ok(worker.answer({ kind: 'revert', data: new Uint8Array(0) }, TIME));
  for (let i = 0; i < fit; i++) assert.deepEqual(main.next(), longest);
  assert.deepEqual(main.next(), filling);
  assert.deepEqual(main.next(), { kind: 'revert', data: new Uint8Array(0) });
  assert.equal(main.next(), null);
});

void test('a result that main would copy for too long ends the task, however empty the mailbox is', () => {
  const { main, worker } = openMailbox();
  const data = new Uint8Array(LIMITS.mailboxAnswerBytesMax).fill(7);
  assert.ok(!worker.answer({ kind: 'return', data }, TIME));
  assert.deepEqual(main.long(), { kind: 'return', data });
});

/** Bytes in the form of a packed job. */
function packedBytes(bytes: Uint8Array): Buffer {
  const writer = new ByteWriter(16);
  writer.bytes(bytes);
  return writer.written;
}
