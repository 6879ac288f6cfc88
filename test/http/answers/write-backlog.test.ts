// Unsent responses on a fake clock: which readers are dropped, and when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageLedger } from '../../../src/fairness/usage-ledger.js';
import { LIMITS } from '../../../src/limits/index.js';
import { WriteBacklogLimiter } from '../../../src/http/answers/write-backlog.js';
import type { ConnectionBacklog } from '../../../src/http/answers/write-backlog.js';

const MB = 1_000_000;
const OPTIONS = { ...LIMITS, unsentBytesMax: 100 * MB, unsentBytesPerClientMax: 50 * MB, unsentStallMsMax: 30_000 };

/** Unsent responses, their clock, and the names of dropped readers, in order. */
class Readers {
  readonly unsent: WriteBacklogLimiter;
  readonly dropped: string[] = [];
  nowMs = 0;

  constructor() {
    this.unsent = new WriteBacklogLimiter(OPTIONS, { ledger: new UsageLedger(), nowMs: () => this.nowMs });
  }

  reader(name: string, client: string, bytes: number): ConnectionBacklog {
    const backlog = this.unsent.open(client, () => this.dropped.push(name));
    this.unsent.set(backlog, bytes);
    return backlog;
  }
}

void test('readers without progress are dropped before new readers and readers with progress', () => {
  const readers = new Readers();
  const reading = readers.reader('reading', 'a', 25 * MB);
  readers.nowMs = 10;
  for (const client of ['b', 'c', 'd']) readers.reader(client, client, 25 * MB);
  readers.nowMs = 5000;
  readers.unsent.set(reading, 10 * MB);
  readers.reader('e', 'e', 25 * MB);
  readers.reader('f', 'f', 25 * MB);
  assert.deepEqual(readers.dropped, ['b', 'c']);
  assert.equal(readers.unsent.bytes, 85 * MB);
});

void test('a response that has just started is not dropped, however fast the clock runs', () => {
  const dropped: string[] = [];
  let nowMs = 0;
  const unsent = new WriteBacklogLimiter(OPTIONS, { ledger: new UsageLedger(), nowMs: () => (nowMs += 1000) });
  const reader = (name: string): ConnectionBacklog => unsent.open(name, () => dropped.push(name));
  const [first, second] = [reader('first'), reader('second')];
  for (const bytes of [50 * MB, 40 * MB]) [first, second].forEach((reading) => unsent.set(reading, bytes));
  unsent.set(reader('new'), 45 * MB);
  assert.deepEqual(dropped, ['first']);
});

void test('the reader with the slowest pace is dropped first', () => {
  const readers = new Readers();
  const [trickling, slow] = [readers.reader('trickling', 'a', 40 * MB), readers.reader('slow', 'b', 40 * MB)];
  readers.nowMs = 20_000;
  readers.unsent.set(slow, 20 * MB);
  readers.nowMs = 29_000;
  readers.unsent.set(trickling, 39 * MB);
  readers.reader('new', 'c', 45 * MB);
  assert.deepEqual(readers.dropped, ['trickling']);
});

void test("a client over its share loses its own readers, no other's", () => {
  const readers = new Readers();
  readers.reader('a1', 'a', 25 * MB);
  readers.reader('b1', 'b', 25 * MB);
  readers.nowMs = 1000;
  readers.reader('b2', 'b', 25 * MB);
  readers.nowMs = 2000;
  readers.reader('b3', 'b', 25 * MB);
  assert.deepEqual(readers.dropped, ['b1']);
  const alone = readers.reader('c1', 'c', 20 * MB);
  readers.unsent.set(alone, 51 * MB);
  assert.deepEqual(readers.dropped, ['b1', 'c1'], 'one that is alone over its share is dropped itself');
  assert.equal(readers.unsent.bytes, 75 * MB);
});

void test("a reader's pace is measured anew once it has taken all that waited", () => {
  const readers = new Readers();
  const busy = readers.reader('busy', 'a', 10 * MB);
  for (let step = 1; step <= 20; step++) {
    readers.nowMs = step * 1000;
    readers.unsent.set(busy, 0);
    readers.unsent.set(busy, 40 * MB);
  }
  readers.nowMs = 20_500;
  readers.reader('idle', 'b', 40 * MB);
  readers.nowMs = 20_600;
  readers.unsent.set(busy, 39 * MB);
  readers.nowMs = 21_400;
  readers.reader('new', 'c', 45 * MB);
  assert.deepEqual(readers.dropped, ['idle']);
});

void test('a reader that reads nothing for too long is dropped, even while more is added', () => {
  const readers = new Readers();
  const [stalled, reading] = [readers.reader('stalled', 'a', MB), readers.reader('reading', 'b', 2 * MB)];
  readers.nowMs = 29_999;
  readers.unsent.set(stalled, 2 * MB);
  readers.unsent.set(reading, MB);
  readers.unsent.dropStalled();
  assert.deepEqual(readers.dropped, []);
  readers.nowMs = 30_000;
  readers.unsent.dropStalled();
  assert.deepEqual(readers.dropped, ['stalled']);
  readers.nowMs = 60_000;
  readers.unsent.dropStalled();
  assert.deepEqual([readers.dropped, readers.unsent.bytes, readers.unsent.dropped], [['stalled', 'reading'], 0, 2]);
});
