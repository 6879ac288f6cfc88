// A table that grows in slices: no publication waits for the copy, memory stays within its limit, and what cannot fit
// ends in a one-line error.
import assert from 'node:assert/strict';
import test from 'node:test';
import { StateTooLarge } from '../../../../src/state/table/grow/growing-table.js';
import { hashSlot } from '../../../../src/state/table/layout/key-hash.js';
import { PackedKey } from '../../../../src/state/table/layout/packed-key.js';
import { TableReader } from '../../../../src/state/table/read/table-reader-and-snapshot.js';
import { openTable } from '../../../../src/state/table/layout/table.js';
import { TableWriter, type TableOptions } from '../../../../src/state/table/writer.js';
import { StartError } from '../../../../src/lib/start-error.js';
import { account, addressOf, bytes, diffOf, hashOf, numberOf, slot, wordOf } from '../../diffs.js';

const MIB = 2 ** 20;

/** Publishes blocks with so many new slots of account 1. */
function publish(writer: TableWriter, blocks: number, slots: number): void {
  for (let i = 0; i < blocks; i++) {
    const block = writer.newest + 1;
    const keys = Array.from({ length: slots }, (_, key) => block * slots + key);
    writer.publish(diffOf({ block, hash: hashOf(block), slots: keys.map((key) => slot(1, key, key)) }));
  }
}

test('a table grows a hundred times over, and no publication waits for a copy', () => {
  const writer = TableWriter.create({ accounts: 64, slots: 1000, olderBytes: 64 * 4096, sliceBuckets: 64 });
  publish(writer, 3000, 50);
  const reader = new TableReader(writer.buffer);
  assert.ok(writer.generation > 7, `${writer.generation} tables`);
  assert.equal(reader.usage().stalls, 0);
  assert.equal(reader.usage().slots, 150_000);
  const snapshot = reader.snapshot(reader.newest());
  for (let key = 50; key < 150_050; key += 7) assert.equal(numberOf(snapshot.storage(addressOf(1), wordOf(key))), key);
});

/** Buckets in the longest slice while blocks with 50 new slots arrive, with so many slots at the start. */
function longestSlice(slots: number, blocks: number, more: Partial<TableOptions> = {}): number {
  const writer = TableWriter.create({ accounts: 64, slots, olderBytes: 64 * 4096, sliceBuckets: 64, ...more });
  publish(writer, blocks, 50);
  const { stalls, sliceBucketsMax } = new TableReader(writer.buffer).usage();
  assert.equal(stalls, 0);
  return sliceBucketsMax;
}

test('the work of one copying slice is bounded by what was written since the last, whatever the size of the table', () => {
  const small = longestSlice(1000, 300);
  const large = longestSlice(1000, 3000);
  assert.ok(small > 64 && large < 2 * small, `${small}, ${large} places`);
  assert.ok(large < 50 * 100, `${large} places for 50 slots`);
});

test('codes and the high halves of balances grow while the table is in use, too', () => {
  const writer = TableWriter.create({ accounts: 4096, codeBytes: 4096, sliceBuckets: 64 });
  for (let block = 1; block <= 2000; block++) {
    const code = { hash: bytes(32, 0xc0de00 + block), bytes: new Uint8Array(16).fill(block) };
    const accounts = [account(block, 1n, BigInt(block) << 128n, code.hash)];
    writer.publish(diffOf({ block, hash: hashOf(block), accounts, codes: [code] }));
  }
  assert.equal(new TableReader(writer.buffer).usage().stalls, 0);
  const view = writer.view();
  for (let block = 1; block <= 2000; block += 9) {
    const { balance, codeHash } = view.account(addressOf(block))!;
    assert.equal(balance, BigInt(block) << 128n);
    assert.deepEqual(new Uint8Array(view.code(codeHash)), new Uint8Array(16).fill(block));
  }
});

test('a growth that could not be done in slices is counted', () => {
  const writer = TableWriter.create({ accounts: 64, slots: 64 });
  publish(writer, 1, 5000);
  assert.equal(new TableReader(writer.buffer).usage().stalls, 1);
});

/** Slots of account 1 whose home buckets in this table are among the first `places`. */
function crowding(writer: TableWriter, count: number, places: number): number[] {
  const { hashKey, slotMask } = openTable(writer.buffer);
  const key = new PackedKey();
  const found: number[] = [];
  for (let next = 0; found.length < count; next++) {
    key.setSlot(addressOf(1), wordOf(next));
    if ((hashSlot(hashKey, key.words, 0, 5) & slotMask) < places) found.push(next);
  }
  return found;
}

/** A table with capacity for 4096 slots, after clustered slots were published, `step` at a time. */
function crowded(count: number, step: number): TableWriter {
  const writer = TableWriter.create({ accounts: 64, slots: 2500, olderBytes: 64 * 4096, sliceBuckets: 1024 });
  const keys = crowding(writer, count, 64);
  for (let next = 0; next < count; next += step) {
    const block = writer.newest + 1;
    const slots = keys.slice(next, next + step).map((key) => slot(1, key, key + 1));
    writer.publish(diffOf({ block, hash: hashOf(block), slots }));
  }
  for (const key of keys) assert.equal(numberOf(writer.view().storage(addressOf(1), wordOf(key))), key + 1);
  return writer;
}

test('a table with clustered keys is copied under another hash key, and no publication waits for it', () => {
  const writer = crowded(900, 20);
  const { rebuilds, stalls } = new TableReader(writer.buffer).usage();
  assert.deepEqual({ rebuilds, stalls, generation: writer.generation }, { rebuilds: 0, stalls: 0, generation: 2 });
});

test('a table whose keys cluster too much within one publication is copied at once, which is counted', () => {
  const writer = crowded(1300, 1300);
  const { rebuilds, stalls } = new TableReader(writer.buffer).usage();
  assert.deepEqual({ rebuilds, stalls }, { rebuilds: 1, stalls: 0 });
});

test('complete state that does not fit --state-memory ends the program with a one-line error', () => {
  const writer = TableWriter.create({
    accounts: 64,
    slots: 1000,
    codeBytes: 64,
    olderBytes: 4096,
    memoryBytesMax: 8 * MIB,
  });
  assert.throws(
    () => publish(writer, 1000, 500),
    (error) => error instanceof StateTooLarge && error instanceof StartError && error.exitCode === 1,
  );
  const { bytes: size } = new TableReader(writer.buffer);
  assert.ok(size <= 8 * MIB && size > 2 * MIB, `${size} bytes`);
});

test('the first table takes at most half of the memory allowed', () => {
  const writer = TableWriter.create({ memoryBytesMax: 64 * MIB });
  assert.ok(new TableReader(writer.buffer).bytes <= 32 * MIB);
});
