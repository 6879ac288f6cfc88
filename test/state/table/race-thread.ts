// One thread of the race tests; its role is in `workerData`.
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Pin } from '../../../src/state/table/layout/reader-pins.js';
import { TableWriter, type TableOptions } from '../../../src/state/table/writer.js';
import { TableReader, VersionNotKept, type Snapshot } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { addressOf, numberOf, wordOf } from '../diffs.js';
import { FIRST_NEW, TRIPLES, expected, scheduled } from './race-schedule.js';

export type Role =
  /**
   * Publishes the schedule. `dieAt`: halts for good within that publication, after half of its slots. `audience`:
   * continues after the first version once so many readers have read it.
   */
  | {
      kind: 'write';
      options: Partial<TableOptions>;
      versions: number;
      isGrowing: boolean;
      dieAt: number;
      audience?: { readonly reading: SharedArrayBuffer; readonly readers: number };
    }
  /**
   * Reads random versions until stopped. `isPinning`: with a pin, so that nothing may be missing. `reading`: a word
   * that counts the readers that have started.
   */
  | { kind: 'read'; isPinning: boolean; isGrowing: boolean; reading: SharedArrayBuffer };

export type FromThread =
  | { kind: 'table'; buffer: SharedArrayBuffer }
  | { kind: 'written'; generations: number }
  | { kind: 'dying' }
  | { kind: 'read'; checks: number; refused: number; tables: number };

export type ToThread = { kind: 'table'; buffer: SharedArrayBuffer } | { kind: 'stop' };

const port = parentPort!;
const post = (message: FromThread): void => port.postMessage(message);

function standStill(): never {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error('nobody wakes this thread');
}

/** A list whose iteration never gets past the middle. */
class Doomed<T> extends Array<T> {
  override *[Symbol.iterator](): ArrayIterator<T> {
    for (let i = 0; i < this.length; i++) {
      if (i === this.length >> 1) {
        post({ kind: 'dying' });
        standStill();
      }
      yield this[i]!;
    }
  }
}

function write(role: Role & { kind: 'write' }): void {
  const writer = TableWriter.create(role.options);
  let generation = 0;
  for (let version = 1; version <= role.versions; version++) {
    const diff = scheduled(version, role.isGrowing);
    writer.publish(version === role.dieAt ? { ...diff, slots: Doomed.from(diff.slots) } : diff);
    if (writer.generation === generation) continue;
    generation = writer.generation;
    post({ kind: 'table', buffer: writer.buffer });
    if (version === 1 && role.audience !== undefined) waitFor(role.audience);
  }
  post({ kind: 'written', generations: generation });
}

function waitFor({ reading, readers }: NonNullable<(Role & { kind: 'write' })['audience']>): void {
  const word = new Int32Array(reading);
  for (let count = Atomics.load(word, 0); count < readers; count = Atomics.load(word, 0)) Atomics.wait(word, 0, count);
}

type ReadReport = FromThread & { kind: 'read' };

/** Checks per event-loop tick, in which a new table can arrive. */
const CHECKS_PER_TURN = 200;

async function read(role: Role & { kind: 'read' }): Promise<void> {
  const report: ReadReport = { kind: 'read', checks: 0, refused: 0, tables: 0 };
  const now: { reader: TableReader | null; pin: Pin | null; stopped: boolean } = {
    reader: null,
    pin: null,
    stopped: false,
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'stop') now.stopped = true;
    else {
      now.reader = new TableReader(message.buffer);
      now.pin = role.isPinning ? now.reader.acquirePin() : null;
      report.tables++;
    }
  });
  let hasBegun = false;
  while (!now.stopped) {
    if (now.reader !== null) {
      checkMany(now.reader, now.pin, role.isGrowing, report);
      if (!hasBegun) begin(role.reading);
      hasBegun = true;
    }
    await setImmediate();
  }
  post(report);
  port.close();
}

function begin(reading: SharedArrayBuffer): void {
  const word = new Int32Array(reading);
  Atomics.add(word, 0, 1);
  Atomics.notify(word, 0);
}

function checkMany(reader: TableReader, pin: Pin | null, isGrowing: boolean, report: ReadReport): void {
  for (let i = 0; i < CHECKS_PER_TURN; i++) check(reader, pin, isGrowing, report);
}

/** Reads one version completely. */
function check(reader: TableReader, pin: Pin | null, isGrowing: boolean, report: ReadReport): void {
  const newest = pin === null ? reader.newest() : pin.pinNewest();
  const version = Math.max(1, newest - Math.floor(Math.random() ** 3 * 24));
  if (newest === 0 || (pin !== null && version !== newest && !pin.pin(version))) return;
  try {
    const snapshot = reader.snapshot(version);
    for (let i = 0; i < TRIPLES; i++) checkTriple(snapshot, i, expected(i, version));
    if (isGrowing) {
      const made = 1 + Math.floor(Math.random() * version);
      checkTriple(snapshot, FIRST_NEW + made, made);
      checkTriple(snapshot, FIRST_NEW + version + 1 + Math.floor(Math.random() * 3), 0);
    }
    report.checks++;
  } catch (error) {
    if (pin !== null || !(error instanceof VersionNotKept)) throw error;
    report.refused++;
  }
  pin?.unpin();
}

function checkTriple(snapshot: Snapshot, index: number, value: number): void {
  const address = addressOf(index);
  const found = snapshot.account(address);
  const seen = [
    Number(found?.nonce ?? 0n),
    Number((found?.balance ?? 0n) >> 100n),
    numberOf(snapshot.storage(address, wordOf(0))),
    numberOf(snapshot.storage(address, wordOf(1))),
  ];
  if (seen.some((number) => number !== value)) {
    throw new Error(`version ${snapshot.version}, triple ${index}: ${seen.join(', ')} where ${value} belongs`);
  }
}

// eslint-disable-next-line typescript/no-unsafe-type-assertion
const role = workerData as Role;
switch (role.kind) {
  case 'write':
    write(role);
    break;
  case 'read':
    await read(role);
    break;
}
