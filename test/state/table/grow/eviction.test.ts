// Eviction from an incomplete table: which entries are evicted, what readers of each version see then, and which
// fetched values may be added.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LIMITS } from '../../../../src/limits/index.js';
import { EMPTY_BUCKET_TAG } from '../../../../src/state/table/layout/key-hash.js';
import {
  ENTRY_FIELDS,
  EVICTION_LOAD_FACTOR,
  LOAD_FACTOR_MAX,
  SLOT_ENTRY_LAYOUT,
} from '../../../../src/state/table/layout/table-layout.js';
import { TableReader, VersionNotKept } from '../../../../src/state/table/read/table-reader-and-snapshot.js';
import { findSlot, openTable } from '../../../../src/state/table/layout/table.js';
import { TableWriter, type TableOptions } from '../../../../src/state/table/writer.js';
import { addressOf, diffOf, hashOf, numberOf, slot, wordOf } from '../../diffs.js';

/** The table must not grow; a slice is the whole distance that a clock hand may move. */
const SMALL: Partial<TableOptions> = {
  complete: false,
  accounts: 64,
  slots: 1000,
  codeBytes: 1024,
  olderBytes: 2 ** 20,
  memoryBytesMax: 0,
  versionsKept: 8,
  blocksKept: 4,
};

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
const keysOf = (keys: readonly number[], value: number) => ({
  accounts: [],
  slots: keys.map((key) => slot(1, key, value)),
  codes: [],
});

/** A table with as many slots as it can take without eviction, and enough blocks to move the floor. */
function filled(): { writer: TableWriter; capacity: number } {
  const writer = TableWriter.create(SMALL);
  publish(writer, 20);
  const capacity = openTable(writer.buffer).capacities.slots;
  assert.equal(
    writer.addMissing(keysOf(range(0, Math.floor(capacity * EVICTION_LOAD_FACTOR)), 7), writer.newest),
    'added',
  );
  return { writer, capacity };
}

/** Publishes so many blocks, with these slots in the first of them. */
function publish(writer: TableWriter, count: number, slots = keysOf([], 0).slots): void {
  for (let i = 0; i < count; i++) {
    const block = writer.newest + 1;
    writer.publish(diffOf({ block, hash: hashOf(block), slots: i === 0 ? slots : [] }));
  }
}

function isResident(writer: TableWriter, key: number): boolean {
  return writer.view().hasSlot(addressOf(1), wordOf(key));
}

test('entries that are read stay; of the rest the least recently used are evicted', () => {
  const { writer, capacity } = filled();
  const used = range(0, 100);
  const more = Math.floor(capacity * 0.05);
  for (let round = 0; round < 40; round++) {
    for (const key of used) assert.ok(isResident(writer, key), `slot ${key} in round ${round}`);
    writer.addMissing(keysOf(range(10_000 + round * more, 10_000 + (round + 1) * more), 1), writer.newest);
    publish(writer, 1);
  }
  const { slots } = new TableReader(writer.buffer).usage();
  assert.ok(slots <= capacity * LOAD_FACTOR_MAX, `${slots} slots`);
  assert.equal(writer.generation, 1, 'the table was not made larger');
  assert.ok(!isResident(writer, 500), 'a slot that nobody asked for');
  assert.ok(isResident(writer, 10_000 + 40 * more - 1), 'a slot that has just been asked for');
});

/** True if a slot is present. This check does not mark it as used. */
function isThere(writer: TableWriter, key: number): boolean {
  const words = new Uint32Array(13);
  new Uint8Array(words.buffer).set(addressOf(1));
  new Uint8Array(words.buffer).set(wordOf(key), 20);
  return findSlot(openTable(writer.buffer), words, 0, 5) !== 0;
}

/** Evicts slots until this one is gone. */
function pushOut(writer: TableWriter, key: number): void {
  for (let next = 20_000; isThere(writer, key); next += 200) {
    assert.ok(next < 100_000, `slot ${key} stays`);
    writer.addMissing(keysOf(range(next, next + 200), 1), writer.newest);
    publish(writer, 1);
  }
}

test('after an eviction older versions are refused, and a later fetched value is not visible in them', () => {
  const { writer } = filled();
  const before = writer.newest;
  const early = new TableReader(writer.buffer).snapshot(before);
  assert.equal(numberOf(early.storage(addressOf(1), wordOf(3))), 7);
  publish(writer, 30, [slot(1, 3, 8)]);
  pushOut(writer, 3);
  assert.ok(!isResident(writer, 3));
  assert.throws(() => early.storage(addressOf(1), wordOf(3)), VersionNotKept);
  assert.equal(writer.addMissing(keysOf([3], 8), writer.newest), 'added');
  assert.equal(numberOf(writer.view().storage(addressOf(1), wordOf(3))), 8);
  assert.throws(() => early.storage(addressOf(1), wordOf(3)), VersionNotKept);
});

/** False if keys clustered by chance: then the table got another hash key, and a buffer in which nothing is pinned. */
function keepsPinned(): boolean {
  const { writer } = filled();
  const reader = new TableReader(writer.buffer);
  publish(writer, 1, [slot(1, 3, 8)]);
  const pin = reader.acquirePin();
  const pinned = pin.pinNewest();
  publish(writer, 30, [slot(1, 3, 9)]);
  for (let next = 20_000; next < 40_000; next += 200) {
    writer.addMissing(keysOf(range(next, next + 200), 1), writer.newest);
    publish(writer, 1);
  }
  if (writer.generation !== 1) return false;
  assert.equal(numberOf(reader.snapshot(pinned).storage(addressOf(1), wordOf(3))), 8);
  assert.equal(numberOf(writer.view().storage(addressOf(1), wordOf(3))), 9);
  return true;
}

test('nothing that a pinned or kept version needs is evicted', () => {
  const rounds = range(0, 20).filter(() => keepsPinned());
  assert.ok(rounds.length > 0);
});

test('a value fetched at a block before the last write of an evicted entry is stale', () => {
  const { writer } = filled();
  const readAt = writer.newest;
  publish(writer, 30, [slot(1, 3, 8)]);
  pushOut(writer, 3);
  assert.equal(writer.addMissing(keysOf([3], 7), readAt), 'stale');
  assert.ok(!isResident(writer, 3));
});

test('a fetched value that does not fit is refused until there is free space', () => {
  const { writer, capacity } = filled();
  // Without publications, the hand moves at most half way around.
  const answers = range(0, 12).map((round) => {
    const from = 20_000 + round * 100;
    return writer.addMissing(keysOf(range(from, from + Math.floor(capacity * 0.05)), 1), writer.newest);
  });
  assert.ok(answers.includes('full'), answers.join(', '));
  assert.ok(new TableReader(writer.buffer).usage().slots <= capacity * LOAD_FACTOR_MAX);
  while (writer.giveUp());
  assert.equal(writer.addMissing(keysOf([99_999], 1), writer.newest), 'added');
});

test('probe sequences stay short after the table was filled many times over', () => {
  const { writer } = filled();
  for (let next = 20_000; next < 60_000; next += 100) {
    writer.addMissing(keysOf(range(next, next + 100), 1), writer.newest);
    publish(writer, 1);
  }
  const { words, regions, capacities } = openTable(writer.buffer);
  const empty = range(0, capacities.slots).filter(
    (place) => words[regions.slots + place * SLOT_ENTRY_LAYOUT.words + ENTRY_FIELDS.tag] === EMPTY_BUCKET_TAG,
  ).length;
  assert.ok(empty > capacities.slots / 20, `${empty} of ${capacities.slots} places are empty`);
});

/** The longest probe sequence: neighbours without an empty bucket between them. */
function longestRun(writer: TableWriter): number {
  const { words, regions, capacities } = openTable(writer.buffer);
  let [run, longest] = [0, 0];
  for (let place = 0; place < capacities.slots; place++) {
    run = words[regions.slots + place * SLOT_ENTRY_LAYOUT.words + ENTRY_FIELDS.tag] === EMPTY_BUCKET_TAG ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

test('eviction does not leave a cluster of keys just ahead of the clock hand', () => {
  const writer = TableWriter.create({ ...SMALL, slots: 40_000, memoryBytesMax: 2 ** 24 });
  publish(writer, 20);
  const capacity = openTable(writer.buffer).capacities.slots;
  const step = Math.floor(capacity / 200);
  let longest = 0;
  for (let next = 0; next < 3 * capacity; next += step) {
    assert.equal(writer.addMissing(keysOf(range(next, next + step), 1), writer.newest), 'added');
    publish(writer, 2);
    longest = Math.max(longest, longestRun(writer));
  }
  assert.ok(
    new TableReader(writer.buffer).usage().slots > 0.5 * capacity,
    `${new TableReader(writer.buffer).usage().slots} of ${capacity}`,
  );
  assert.ok(longest < LIMITS.tableProbesMax / 2, `${longest} of ${capacity} places`);
  assert.equal(new TableReader(writer.buffer).usage().rebuilds, 0, 'no other hash key was needed');
});

test('keys added for a publication stay until it is published, whatever is added or copied meanwhile', () => {
  const restless = { isEager: true, sliceBuckets: 300, memoryBytesMax: 2 ** 24 };
  const writer = TableWriter.create({ ...SMALL, ...restless, versionsKept: 2, blocksKept: 1 });
  publish(writer, 5);
  const keys = range(0, 50);
  const tables = new Set<number>();
  for (let round = 0; round < 300; round++) {
    writer.addMissing(keysOf(keys, 7), writer.newest);
    for (const key of keys) assert.ok(isResident(writer, key));
    for (let next = 0; next < 12; next++) {
      writer.addMissing(keysOf([20_000 + round * 12 + next], 1), writer.newest);
      tables.add(writer.generation);
    }
    const lost = keys.filter((key) => !isThere(writer, key));
    assert.deepEqual(lost, [], `round ${round}`);
    publish(writer, 4);
  }
  assert.ok(tables.size > 100, `${tables.size} tables`);
});
