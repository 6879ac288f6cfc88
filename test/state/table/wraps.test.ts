// Numbers in the table that wrap around or run out: each test starts just below the limit.
import assert from 'node:assert/strict';
import test from 'node:test';
import { TABLE_HEADER, RECORD_ORDINAL_MASK, PIN_RECORD } from '../../../src/state/table/layout/table-layout.js';
import { TableReader } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { openTable } from '../../../src/state/table/layout/table.js';
import { TableWriter, type TableOptions } from '../../../src/state/table/writer.js';
import { addressOf, diffOf, hashOf, numberOf, slot, wordOf } from '../diffs.js';

const SMALL: Partial<TableOptions> = { accounts: 64, slots: 64, codeBytes: 64, olderBytes: 64 * 256, versionsKept: 40 };
const RESTLESS: Partial<TableOptions> = { ...SMALL, isEager: true, sliceBuckets: 30 };

/** Publishes confirmed blocks, each with its number in one of seven slots. */
function publish(writer: TableWriter, from: number, to: number): void {
  for (let block = from; block <= to; block++) {
    writer.publish(diffOf({ block, hash: hashOf(block), slots: [slot(1, block % 7, block)] }));
  }
}

/** Reads every retained version; returns their number. `versionOf` maps a block to its version. */
function check(writer: TableWriter, newestBlock: number): number {
  const reader = new TableReader(writer.buffer);
  const newest = reader.newest();
  let kept = 0;
  for (let block = newestBlock; block > 7; block--) {
    const version = reader.versionOfBlock(block, newest);
    if (version === 0) break;
    const snapshot = reader.snapshot(version);
    for (let back = 0; back < 7; back++) {
      assert.equal(numberOf(snapshot.storage(addressOf(1), wordOf((block - back) % 7))), block - back);
    }
    assert.deepEqual(snapshot.blockHash(block - 5), hashOf(block - 5));
    kept++;
  }
  return kept;
}

for (const [name, options] of [
  ['', SMALL],
  [', copied all the time', RESTLESS],
] as const) {
  test(`ordinals of older values and of blocks wrap around, and every kept block is found${name}`, () => {
    const writer = TableWriter.create({ ...options, firstOrdinal: RECORD_ORDINAL_MASK - 100 });
    for (let block = 1; block <= 400; block += 5) {
      publish(writer, block, block + 4);
      if (block > 50) assert.ok(check(writer, block + 4) > 30, `block ${block}`);
    }
    const { words } = openTable(writer.buffer);
    assert.ok(words[TABLE_HEADER.blocks]! < 1000 && words[TABLE_HEADER.olderHead]! < 1000, 'both came round');
  });
}

test('after the last version nothing more is published, and the last one stays readable', () => {
  const writer = TableWriter.create({ ...RESTLESS, firstVersion: 2 ** 31 - 101 });
  publish(writer, 1, 101);
  assert.equal(writer.newest, 2 ** 31 - 1);
  assert.ok(check(writer, 101) > 30);
  assert.throws(() => publish(writer, 102, 102), /no more versions/);
  assert.ok(check(writer, 101) > 30);
});

test('entries are evicted and fetched again up to the last version', () => {
  const writer = TableWriter.create({ ...RESTLESS, complete: false, firstVersion: 2 ** 31 - 200, versionsKept: 8 });
  publish(writer, 1, 1);
  for (let block = 2; block <= 150; block++) {
    const slots = Array.from({ length: 20 }, (_, key) => slot(2, (block * 20 + key) % 500, key));
    assert.notEqual(writer.addMissing({ accounts: [], slots, codes: [] }, writer.newest), 'stale');
    publish(writer, block, block);
  }
  assert.ok(new TableReader(writer.buffer).usage().evictions > 500);
});

test('a pin acquired 2^32 times is not mistaken for an old one', () => {
  const writer = TableWriter.create(SMALL);
  publish(writer, 1, 2);
  const reader = new TableReader(writer.buffer);
  const pin = reader.acquirePin();
  const { words, regions } = openTable(writer.buffer);
  words[regions.pins + PIN_RECORD.count] = -2;
  assert.equal(reader.oldestPinAgeMs(1000), 0);
  pin.pinNewest();
  assert.equal(words[regions.pins + PIN_RECORD.count], -1);
  assert.equal(reader.oldestPinAgeMs(5000), 0, 'it was pinned just now');
  assert.equal(reader.oldestPinAgeMs(6000), 1000);
});
