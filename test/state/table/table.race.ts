// The shared table on real threads: readers against a writer at full speed, and threads that are killed at the worst
// moment.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { ENTRY_FIELDS, TABLE_HEADER, SLOT_ENTRY_LAYOUT } from '../../../src/state/table/layout/table-layout.js';
import type { TableOptions } from '../../../src/state/table/writer.js';
import { TableReader } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { openTable } from '../../../src/state/table/layout/table.js';
import { addressOf, numberOf, wordOf } from '../diffs.js';
import { TRIPLES, expected } from './race-schedule.js';
import type { FromThread, Role, ToThread } from './race-thread.js';
import { rounds } from '../../support/rounds.js';

/** Number of writers to kill, and after how long the last one is killed. */
const KILLS = rounds(3);
const KILLED_MS = 80;
const FILE = new URL('./race-thread.js', import.meta.url);

/** A thread and its messages; `next` fails if the thread dies of an error. */
class Thread {
  readonly worker: Worker;
  readonly #messages: FromThread[] = [];
  #onMessage: (message: FromThread) => void = (message) => this.#messages.push(message);

  constructor(role: Role) {
    this.worker = new Worker(FILE, { workerData: role });
    this.worker.on('message', (message: FromThread) => this.#onMessage(message));
  }

  send(message: ToThread): void {
    this.worker.postMessage(message);
  }

  /** Calls `take` for every message until it returns true. */
  until(take: (message: FromThread) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.worker.once('error', reject);
      this.#onMessage = (message) => {
        if (take(message)) resolve();
      };
      this.#messages.splice(0).forEach((message) => this.#onMessage(message));
    });
  }
}

interface Race {
  readonly versions: number;
  readonly isGrowing: boolean;
  readonly accounts: number;
  readonly tuning?: Partial<TableOptions>;
}

/** A writer with a tiny ring of older values, two readers that pin and one that does not. */
async function race({
  versions,
  isGrowing,
  accounts,
  tuning,
}: Race): Promise<{ generations: number; refused: number }> {
  const sizes = { accounts, slots: 2 * accounts, olderBytes: 64 * 256, codeBytes: 64 };
  const options = { ...sizes, versionsKept: 20, ...tuning };
  const reading = new SharedArrayBuffer(4);
  const readers = [true, true, false].map((isPinning) => new Thread({ kind: 'read', isPinning, isGrowing, reading }));
  const audience = { reading, readers: readers.length };
  const writer = new Thread({ kind: 'write', options, versions, isGrowing, dieAt: 0, audience });
  const reported: (FromThread & { kind: 'read' })[] = [];
  const done = readers.map((reader) =>
    reader.until((message) => message.kind === 'read' && reported.push(message) > 0),
  );
  let generations = 0;
  const written = writer.until((message) => {
    if (message.kind === 'table') readers.forEach((reader) => reader.send(message));
    else if (message.kind === 'written') generations = message.generations;
    return message.kind === 'written';
  });
  try {
    await Promise.race([written, ...done]);
    readers.forEach((reader) => reader.send({ kind: 'stop' }));
    await Promise.all([written, ...done]);
  } finally {
    await Promise.all([writer, ...readers].map(({ worker }) => worker.terminate()));
  }
  for (const { checks, tables } of reported) {
    assert.ok(checks > 0, 'every reader read');
    assert.ok(tables > 0);
  }
  return { generations, refused: reported.reduce((sum, { refused }) => sum + refused, 0) };
}

test('readers see every version whole while older values are reclaimed', async () => {
  const { generations } = await race({ versions: rounds(2000), isGrowing: false, accounts: 64 });
  // Some forty thousand values were superseded: the ring wrapped around many times, whatever the readers pinned.
  assert.ok(generations < 10, `the ring did not grow without end: ${generations}`);
});

test('readers see every version whole while the table moves to larger buffers', async () => {
  const { generations } = await race({ versions: rounds(1600), isGrowing: true, accounts: 8 });
  assert.ok(generations > 8, `the table grew: ${generations}`);
});

test('readers see every version whole while the table is copied a little after each publication', async () => {
  const tuning = { isEager: true, sliceBuckets: 40 };
  const { generations } = await race({ versions: rounds(700), isGrowing: false, accounts: 64, tuning });
  assert.ok(generations > 12, `the table was copied: ${generations}`);
});

/** Number of entries with a version that was never published. */
function unpublishedEntries(buffer: SharedArrayBuffer): number {
  const { words, regions, capacities } = openTable(buffer);
  const newest = words[TABLE_HEADER.newest]!;
  let count = 0;
  for (let place = 0; place < capacities.slots; place++) {
    if (words[regions.slots + place * SLOT_ENTRY_LAYOUT.words + ENTRY_FIELDS.version]! > newest) count++;
  }
  return count;
}

function checkAll(buffer: SharedArrayBuffer): void {
  const reader = new TableReader(buffer);
  const newest = reader.newest();
  for (let version = newest; reader.isKept(version); version--) {
    const snapshot = reader.snapshot(version);
    for (let i = 0; i < TRIPLES; i++) {
      const value = expected(i, version);
      assert.equal(Number(snapshot.account(addressOf(i))?.nonce ?? 0n), value);
      assert.equal(numberOf(snapshot.storage(addressOf(i), wordOf(0))), value);
      assert.equal(numberOf(snapshot.storage(addressOf(i), wordOf(1))), value);
    }
  }
}

test('a writer killed in mid-publication leaves whole versions', async () => {
  const options = { slots: 64, accounts: 64, olderBytes: 64 * 1024, versionsKept: 30 };
  for (const dieAt of [40, 720, 5040]) {
    const writer = new Thread({ kind: 'write', options, versions: 10_000, isGrowing: false, dieAt });
    let buffer = new SharedArrayBuffer(0);
    await writer.until((message) => {
      if (message.kind === 'table') ({ buffer } = message);
      return message.kind === 'dying';
    });
    await writer.worker.terminate();
    assert.equal(new TableReader(buffer).newest(), dieAt - 1);
    assert.ok(unpublishedEntries(buffer) > 0, 'it died between the first and the last word');
    checkAll(buffer);
  }
});

test('a writer killed at any moment leaves whole versions', async () => {
  const options = { slots: 64, accounts: 64, olderBytes: 64 * 1024, versionsKept: 30 };
  for (let round = 0; round < KILLS; round++) {
    const writer = new Thread({ kind: 'write', options, versions: 1e9, isGrowing: false, dieAt: 0 });
    let buffer = new SharedArrayBuffer(0);
    await writer.until((message) => {
      if (message.kind === 'table') ({ buffer } = message);
      return message.kind === 'table';
    });
    await new Promise((resolve) => setTimeout(resolve, (round / KILLS) * KILLED_MS));
    const exit = once(writer.worker, 'exit');
    await writer.worker.terminate();
    await exit;
    checkAll(buffer);
  }
});
