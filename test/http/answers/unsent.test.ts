// The ledger of unsent answers, on a clock of its own: which readers are dropped, and when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unsent } from '../../../src/http/answers/unsent.js';
import type { Backlog } from '../../../src/http/answers/unsent.js';

const MB = 1_000_000;
const OPTIONS = { unsentBytesMax: 100 * MB, unsentBytesPerClientMax: 50 * MB, unsentStallMsMax: 30_000 };

/** A ledger, its clock, and the names of the readers that it dropped, in order. */
class Ledger {
  readonly unsent: Unsent;
  readonly dropped: string[] = [];
  nowMs = 0;

  constructor() {
    this.unsent = new Unsent(OPTIONS, { nowMs: () => this.nowMs });
  }

  reader(name: string, client: string, bytes: number): Backlog {
    const backlog = this.unsent.open(client, () => this.dropped.push(name));
    this.unsent.set(backlog, bytes);
    return backlog;
  }
}

void test('readers without progress are dropped before new readers and readers with progress', () => {
  const ledger = new Ledger();
  const reading = ledger.reader('reading', 'a', 25 * MB);
  ledger.nowMs = 10;
  for (const client of ['b', 'c', 'd']) ledger.reader(client, client, 25 * MB);
  ledger.nowMs = 5000;
  ledger.unsent.set(reading, 10 * MB);
  ledger.reader('e', 'e', 25 * MB);
  ledger.reader('f', 'f', 25 * MB);
  assert.deepEqual(ledger.dropped, ['b', 'c']);
  assert.equal(ledger.unsent.bytes, 85 * MB);
});

void test('an answer that has just begun is not dropped, however fast the clock runs', () => {
  const dropped: string[] = [];
  let nowMs = 0;
  const unsent = new Unsent(OPTIONS, { nowMs: () => (nowMs += 1000) });
  const reader = (name: string): Backlog => unsent.open(name, () => dropped.push(name));
  const [first, second] = [reader('first'), reader('second')];
  for (const bytes of [50 * MB, 40 * MB]) [first, second].forEach((reading) => unsent.set(reading, bytes));
  unsent.set(reader('new'), 45 * MB);
  assert.deepEqual(dropped, ['first']);
});

void test('the reader with the slowest pace is dropped first', () => {
  const ledger = new Ledger();
  const [trickling, slow] = [ledger.reader('trickling', 'a', 40 * MB), ledger.reader('slow', 'b', 40 * MB)];
  ledger.nowMs = 20_000;
  ledger.unsent.set(slow, 20 * MB);
  ledger.nowMs = 29_000;
  ledger.unsent.set(trickling, 39 * MB);
  ledger.reader('new', 'c', 45 * MB);
  assert.deepEqual(ledger.dropped, ['trickling']);
});

void test("a client over its share loses its own readers, no other's", () => {
  const ledger = new Ledger();
  ledger.reader('a1', 'a', 25 * MB);
  ledger.reader('b1', 'b', 25 * MB);
  ledger.nowMs = 1000;
  ledger.reader('b2', 'b', 25 * MB);
  ledger.nowMs = 2000;
  ledger.reader('b3', 'b', 25 * MB);
  assert.deepEqual(ledger.dropped, ['b1']);
  const alone = ledger.reader('c1', 'c', 20 * MB);
  ledger.unsent.set(alone, 51 * MB);
  assert.deepEqual(ledger.dropped, ['b1', 'c1'], 'one that is alone over its share is dropped itself');
  assert.equal(ledger.unsent.bytes, 75 * MB);
});

void test("a reader's pace is measured anew once it has taken all that waited", () => {
  const ledger = new Ledger();
  const busy = ledger.reader('busy', 'a', 10 * MB);
  for (let step = 1; step <= 20; step++) {
    ledger.nowMs = step * 1000;
    ledger.unsent.set(busy, 0);
    ledger.unsent.set(busy, 40 * MB);
  }
  ledger.nowMs = 20_500;
  ledger.reader('idle', 'b', 40 * MB);
  ledger.nowMs = 20_600;
  ledger.unsent.set(busy, 39 * MB);
  ledger.nowMs = 21_400;
  ledger.reader('new', 'c', 45 * MB);
  assert.deepEqual(ledger.dropped, ['idle']);
});

void test('a reader that takes nothing for too long is dropped, even while more is added', () => {
  const ledger = new Ledger();
  const [stalled, reading] = [ledger.reader('stalled', 'a', MB), ledger.reader('reading', 'b', 2 * MB)];
  ledger.nowMs = 29_999;
  ledger.unsent.set(stalled, 2 * MB);
  ledger.unsent.set(reading, MB);
  ledger.unsent.dropStalled();
  assert.deepEqual(ledger.dropped, []);
  ledger.nowMs = 30_000;
  ledger.unsent.dropStalled();
  assert.deepEqual(ledger.dropped, ['stalled']);
  ledger.nowMs = 60_000;
  ledger.unsent.dropStalled();
  assert.deepEqual([ledger.dropped, ledger.unsent.bytes, ledger.unsent.dropped], [['stalled', 'reading'], 0, 2]);
});
