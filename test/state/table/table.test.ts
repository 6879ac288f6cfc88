// The guarantees of the shared table, one at a time.
import assert from 'node:assert/strict';
import { getRandomValues } from 'node:crypto';
import test from 'node:test';
import type { SlotChange } from '../../../src/state/state-diff.js';
import { hashSlot } from '../../../src/state/table/layout/key-hash.js';
import { TableWriter } from '../../../src/state/table/writer.js';
import {
  HASH_NOT_CANONICAL,
  BLOCK_HASH_UNKNOWN,
  StateMiss,
  TableReader,
  VersionNotKept,
} from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { openTable } from '../../../src/state/table/layout/table.js';
import { LIMITS } from '../../../src/limits/index.js';
import { EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { account, addressOf, bytes, deleted, diffOf, hashOf, numberOf, slot, wordOf } from '../diffs.js';

/** Publishes confirmed blocks `from` to `to`, each of which writes its number to slot 0 of account 1. */
function publishBlocks(writer: TableWriter, from: number, to: number, fork = 0): void {
  for (let block = from; block <= to; block++) {
    const parentHash = block === from && fork !== 0 ? hashOf(block - 1) : hashOf(block - 1, fork);
    writer.publish(diffOf({ block, hash: hashOf(block, fork), parentHash, slots: [slot(1, 0, block)] }));
  }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('accounts and slots read back; keys never written are absent', () => {
  const writer = TableWriter.create();
  const code = { hash: bytes(32, 77), bytes: Uint8Array.of(1, 2, 3) };
  const balance = 2n ** 255n + 2n ** 127n + 3n;
  writer.publish(
    diffOf({
      block: 0,
      hash: hashOf(0),
      accounts: [account(1, 2n ** 64n - 1n, balance), account(2, 0n, 5n, code.hash)],
      slots: [slot(2, 9, 1234)],
      codes: [code, code],
    }),
  );
  const view = new TableReader(writer.buffer).snapshot(1);
  assert.deepEqual(view.account(addressOf(1)), { nonce: 2n ** 64n - 1n, balance, codeHash: EMPTY_CODE_HASH });
  assert.deepEqual(view.account(addressOf(2)), { nonce: 0n, balance: 5n, codeHash: code.hash });
  assert.equal(view.account(addressOf(3)), null);
  assert.deepEqual(view.storage(addressOf(2), wordOf(9)), wordOf(1234));
  assert.deepEqual(view.storage(addressOf(2), wordOf(8)), wordOf(0));
  assert.deepEqual(new Uint8Array(view.code(code.hash)), code.bytes);
  assert.equal(view.code(EMPTY_CODE_HASH).length, 0);
  assert.throws(() => view.code(bytes(32, 78)));
});

test('a snapshot does not change while versions are published, and can be moved to another version', () => {
  const writer = TableWriter.create();
  publishBlocks(writer, 1, 40);
  const reader = new TableReader(writer.buffer);
  const snapshot = reader.snapshot(10);
  for (const version of [10, 40, 1, 25]) {
    snapshot.aim(version);
    assert.equal(numberOf(snapshot.storage(addressOf(1), wordOf(0))), version);
  }
  publishBlocks(writer, 41, 60);
  assert.equal(numberOf(snapshot.storage(addressOf(1), wordOf(0))), 25);
});

test('a value thousands of changes old is found, also after the records before it were reclaimed', () => {
  const writer = TableWriter.create({ blocksKept: 5000, olderBytes: 64 * 4096 });
  for (let version = 1; version <= 9000; version++) {
    const often = [slot(1, 0, version), ...(version % 3 === 0 ? [slot(1, 1, version)] : [])];
    writer.publish(diffOf({ block: version, hash: hashOf(version), slots: often }));
  }
  const reader = new TableReader(writer.buffer);
  let kept = 0;
  for (let version = 9000; reader.isKept(version); version--) {
    const snapshot = reader.snapshot(version);
    assert.equal(numberOf(snapshot.storage(addressOf(1), wordOf(0))), version);
    assert.equal(numberOf(snapshot.storage(addressOf(1), wordOf(1))), version - (version % 3));
    kept++;
  }
  assert.equal(kept, LIMITS.versionsKeptMax);
});

test('a deleted account is absent from that version on and present in earlier ones', () => {
  const writer = TableWriter.create();
  writer.publish(diffOf({ block: 1, hash: hashOf(1), accounts: [account(1, 5n)] }));
  writer.publish(diffOf({ block: 2, hash: hashOf(2), accounts: [deleted(1), deleted(2)] }));
  writer.publish(diffOf({ block: 3, hash: hashOf(3), accounts: [account(1, 1n)] }));
  const reader = new TableReader(writer.buffer);
  const nonces = [1, 2, 3].map((version) => reader.snapshot(version).account(addressOf(1))?.nonce ?? null);
  assert.deepEqual(nonces, [5n, null, 1n]);
  assert.equal(reader.snapshot(2).account(addressOf(2)), null);
});

test('an invalid diff publishes nothing, and the next valid one is published whole', () => {
  const writer = TableWriter.create();
  publishBlocks(writer, 1, 3);
  const twice = diffOf({ block: 4, hash: hashOf(4), slots: [slot(1, 0, 99), slot(5, 5, 5), slot(1, 0, 98)] });
  assert.throws(() => writer.publish(twice), /changed twice/);
  const wrongs = [
    { ...twice, slots: [{ ...slot(1, 0, 4), value: new Uint8Array(31) }] },
    { ...twice, slots: [], accounts: [account(1, 1n, 0n, bytes(32, 99))] },
  ];
  for (const wrong of wrongs) assert.throws(() => writer.publish(wrong));
  assert.equal(new TableReader(writer.buffer).newest(), 3);
  publishBlocks(writer, 4, 4);
  const view = new TableReader(writer.buffer).snapshot(4);
  assert.equal(numberOf(view.storage(addressOf(1), wordOf(0))), 4);
  assert.equal(numberOf(view.storage(addressOf(5), wordOf(5))), 0);
});

test('every region of the table grows; existing entries stay readable in the old and the new buffer', () => {
  const writer = TableWriter.create({ accounts: 1, slots: 1, codeBytes: 1, olderBytes: 1 });
  const wide = range(3000).map((i) => account(i, BigInt(i), BigInt(i + 1) << 130n));
  const codes = range(50).map((i) => ({ hash: bytes(32, 0xc0de0 + i), bytes: new Uint8Array(1000).fill(i) }));
  publishBlocks(writer, 1, 5);
  const early = new TableReader(writer.buffer);
  const holders = range(50).map((i) => account(5000 + i, 1n, 0n, bytes(32, 0xc0de0 + i)));
  const slots = range(5000).map((i) => slot(i, i, i));
  writer.publish(diffOf({ block: 6, hash: hashOf(6), accounts: [...wide, ...holders], slots, codes }));
  assert.ok(early.newest() === 5 && writer.generation > 1);
  const reader = new TableReader(writer.buffer);
  assert.ok(reader.generation === writer.generation);
  const view = reader.snapshot(6);
  for (const i of range(3000)) assert.equal(view.account(addressOf(i))?.balance, BigInt(i + 1) << 130n);
  for (const i of range(5000)) assert.deepEqual(view.storage(addressOf(i), wordOf(i)), wordOf(i));
  for (const i of range(50)) {
    const { codeHash } = view.account(addressOf(5000 + i))!;
    assert.deepEqual(new Uint8Array(view.code(codeHash)), codes[i]!.bytes);
  }
  for (const version of range(5)) {
    for (const source of [early, reader]) {
      const word = source.snapshot(version + 1).storage(addressOf(1), wordOf(0));
      assert.equal(numberOf(word), version + 1);
    }
  }
});

test('a rebuilt table drops entries that are absent in every version', () => {
  const writer = TableWriter.create({ accounts: 64, slots: 64, versionsKept: 2 });
  const many = range(60);
  writer.publish(diffOf({ block: 1, hash: hashOf(1), slots: many.map((i) => slot(1, i, 1)) }));
  writer.publish(diffOf({ block: 2, hash: hashOf(2), slots: many.map((i) => slot(1, i, 0)) }));
  publishBlocks(writer, 3, 8);
  assert.equal(new TableReader(writer.buffer).usage().slots, 60);
  writer.publish(diffOf({ block: 9, hash: hashOf(9), slots: range(200).map((i) => slot(2, i, 1)) }));
  assert.ok(writer.generation > 1);
  assert.equal(new TableReader(writer.buffer).usage().slots, 201);
});

const isMiss = (address: number, key: number | null) => (error: unknown) =>
  error instanceof StateMiss &&
  numberOf(error.address) === address &&
  (key === null ? error.slot === null : error.slot !== null && numberOf(error.slot) === key);

test('an incomplete table reports missing keys; once fetched they are visible at every version', () => {
  const writer = TableWriter.create({ complete: false, accounts: 1, slots: 1 });
  publishBlocks(writer, 1, 2);
  const reader = new TableReader(writer.buffer);
  const view = reader.snapshot(1);
  assert.throws(() => view.account(addressOf(4)), isMiss(4, null));
  assert.throws(() => view.storage(addressOf(4), wordOf(6)), isMiss(4, 6));
  writer.publish(diffOf({ block: 3, hash: hashOf(3), accounts: [deleted(9)], slots: [slot(1, 8, 0)] }));
  const accounts = [account(4, 44n), deleted(5), account(9, 9n)];
  const slots = [slot(4, 6, 46), slot(4, 7, 0), slot(1, 0, 999), ...range(40).map((i) => slot(6, i, i))];
  const fill = { accounts, slots, codes: [] };
  writer.addMissing(fill, 1);
  const filled = new TableReader(writer.buffer);
  for (const version of [1, 3]) {
    const at = filled.snapshot(version);
    assert.equal(at.account(addressOf(4))?.nonce, 44n);
    assert.equal(at.account(addressOf(5)), null);
    assert.equal(numberOf(at.storage(addressOf(4), wordOf(6))), 46);
    assert.equal(numberOf(at.storage(addressOf(4), wordOf(7))), 0);
    assert.equal(numberOf(at.storage(addressOf(6), wordOf(39))), 39);
  }
  assert.equal(filled.snapshot(3).account(addressOf(9)), null, 'what a diff deleted is known to be absent');
  assert.equal(
    numberOf(filled.snapshot(3).storage(addressOf(1), wordOf(0))),
    2,
    'a fill changes nothing that is there',
  );
  assert.throws(() => filled.snapshot(1).storage(addressOf(1), wordOf(8)), StateMiss);
  assert.throws(() => TableWriter.create().addMissing(fill, 1));
});

test('a version record has everything from its diff and its publication', () => {
  let now = 1000.5;
  const writer = TableWriter.create({ now: () => now });
  const first = diffOf({ block: 2 ** 40, index: 3, hash: bytes(32, 1) });
  const second = diffOf({ block: 2 ** 40 + 1, index: 0, parentHash: bytes(32, 1), latest: 2 ** 40 });
  writer.publish(first);
  now++;
  writer.publish({ ...second, heads: { latest: 2 ** 40, safe: 7, finalized: null } });
  const reader = new TableReader(writer.buffer);
  assert.deepEqual(reader.record(1), {
    version: 1,
    coordinates: first.coordinates,
    env: first.env,
    heads: first.heads,
    publishedAtMs: 1000.5,
    latestVersion: 1,
  });
  const record = reader.record(2);
  assert.deepEqual(record.heads, { latest: 2 ** 40, safe: 7, finalized: null });
  assert.deepEqual([record.latestVersion, record.publishedAtMs, record.coordinates.hash], [1, 1001.5, null]);
  assert.throws(() => reader.record(3), VersionNotKept);
  assert.throws(() => reader.record(0), VersionNotKept);
  assert.throws(() => reader.snapshot(0), VersionNotKept);
});

test('latest is the version at which the block was complete, even if it is confirmed later', () => {
  const writer = TableWriter.create();
  publishBlocks(writer, 1, 1);
  writer.publish(diffOf({ block: 2, index: 0, slots: [slot(1, 0, 20)] }));
  writer.publish(diffOf({ block: 2, index: 1, slots: [slot(1, 0, 21)] }));
  writer.publish(diffOf({ block: 3, index: 0, latest: 1, slots: [slot(1, 0, 30)] }));
  writer.publish(diffOf({ block: 3, index: 1, latest: 2, slots: [slot(1, 0, 31)] }));
  const reader = new TableReader(writer.buffer);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((version) => reader.record(version).latestVersion),
    [1, 1, 1, 1, 3],
  );
  assert.equal(reader.versionOfBlock(2, 4), 0, 'a block is not there before it is confirmed');
  assert.equal(reader.versionOfBlock(2, 5), 3);
  assert.equal(reader.blockOfHash(hashOf(2), 5), 2);
  assert.equal(reader.blockOfHash(hashOf(2), 4), BLOCK_HASH_UNKNOWN);
});

test('a reorg is visible in versions after it and not in versions before it', () => {
  const writer = TableWriter.create();
  publishBlocks(writer, 1, 10);
  publishBlocks(writer, 8, 11, 1);
  const reader = new TableReader(writer.buffer);
  const newest = reader.newest();
  assert.equal(newest, 14);
  assert.deepEqual(
    [7, 8, 9, 10, 11].map((block) => reader.versionOfBlock(block, 10)),
    [7, 8, 9, 10, 0],
  );
  assert.deepEqual(
    [7, 8, 9, 10, 11].map((block) => reader.versionOfBlock(block, 11)),
    [7, 11, 0, 0, 0],
  );
  assert.deepEqual(
    [7, 8, 9, 10, 11].map((block) => reader.versionOfBlock(block, newest)),
    [7, 11, 12, 13, 14],
  );
  assert.equal(reader.blockOfHash(hashOf(9), 10), 9);
  assert.equal(reader.blockOfHash(hashOf(9), newest), HASH_NOT_CANONICAL);
  assert.equal(reader.blockOfHash(hashOf(9, 1), newest), 9);
  assert.equal(reader.blockOfHash(hashOf(9, 2), newest), BLOCK_HASH_UNKNOWN);
  assert.deepEqual(reader.snapshot(10).blockHash(8), hashOf(8));
  assert.deepEqual(reader.snapshot(newest).blockHash(8), hashOf(8, 1));
  assert.deepEqual(reader.snapshot(newest).blockHash(6), hashOf(6));
});

test('a block that was reorged out and comes back is found by its hash, with its state', () => {
  const writer = TableWriter.create();
  publishBlocks(writer, 1, 9);
  publishBlocks(writer, 8, 9, 1);
  publishBlocks(writer, 8, 9);
  const reader = new TableReader(writer.buffer);
  assert.equal(reader.newest(), 13);
  for (const block of [8, 9]) {
    assert.equal(reader.blockOfHash(hashOf(block), 9), block);
    assert.equal(reader.blockOfHash(hashOf(block), 11), HASH_NOT_CANONICAL);
    assert.equal(reader.blockOfHash(hashOf(block), 13), block);
    assert.equal(reader.versionOfBlock(block, 13), block + 4);
  }
  assert.equal(reader.blockOfHash(hashOf(9, 1), 13), HASH_NOT_CANONICAL);
  assert.deepEqual(
    [hashOf(9), hashOf(9, 1), hashOf(7), hashOf(10)].map((hash) => reader.versionOfHash(hash)),
    [13, 11, 7, 0],
  );
});

test('256 block hashes and the recent blocks are known after thousands of blocks', () => {
  const writer = TableWriter.create({ blocksKept: 20 });
  publishBlocks(writer, 0, 4500);
  const reader = new TableReader(writer.buffer);
  const newest = reader.newest();
  const snapshot = reader.snapshot(newest);
  for (let back = 0; back <= LIMITS.blockHashesKept; back++) {
    assert.deepEqual(snapshot.blockHash(4500 - back), hashOf(4500 - back));
  }
  assert.equal(snapshot.blockHash(4501), null);
  assert.equal(snapshot.blockHash(1), null);
  assert.ok(reader.versionOfBlock(4482, newest) > 0);
  assert.equal(reader.versionOfBlock(4400, newest), 0);
  for (const block of range(18).map((i) => 4483 + i)) {
    snapshot.aim(reader.versionOfBlock(block, newest));
    assert.equal(numberOf(snapshot.storage(addressOf(1), wordOf(0))), block);
  }
  assert.throws(() => reader.record(100), VersionNotKept);
});

test('a pin keeps its version and newer ones; a version outside the kept window cannot be pinned', () => {
  const writer = TableWriter.create({ versionsKept: 4, blocksKept: 2, olderBytes: 64 * 256 });
  publishBlocks(writer, 1, 6);
  const reader = new TableReader(writer.buffer);
  const [pinned, other] = [reader.acquirePin(), reader.acquirePin()];
  assert.equal(pinned.pin(2), false);
  assert.equal(pinned.pin(5), true);
  const snapshot = reader.snapshot(5);
  publishBlocks(writer, 7, 50);
  assert.equal(writer.generation, 1);
  assert.equal(numberOf(snapshot.storage(addressOf(1), wordOf(0))), 5);
  assert.equal(pinned.pin(30), true, 'a pin may move up, since it kept everything above it');
  assert.equal(numberOf(reader.snapshot(30).storage(addressOf(1), wordOf(0))), 30);
  assert.equal(other.pin(30), false, 'another reader comes too late');
  assert.equal(pinned.pin(29), false, 'and down is too late as well');
  publishBlocks(writer, 51, 80);
  assert.equal(numberOf(reader.snapshot(30).storage(addressOf(1), wordOf(0))), 30, 'a refused pin keeps what it had');
  assert.equal(other.pinNewest(), 80);
  pinned.unpin();
  for (let block = 81; block <= 200; block++) {
    publishBlocks(writer, block, block);
    assert.equal(other.pinNewest(), block);
  }
  assert.equal(
    writer.generation,
    1,
    'a reader that pins the newest version again and again does not keep the ring from being reused',
  );
  assert.throws(() => reader.snapshot(30), VersionNotKept);
});

test('there are as many pins as readers are allowed, and each can be returned', () => {
  const reader = new TableReader(TableWriter.create().buffer);
  const pins = range(LIMITS.pinsMax).map(() => reader.acquirePin());
  assert.throws(() => reader.acquirePin(), /pins are taken/);
  pins[17]!.close();
  reader.acquirePin();
});

test('the age of a pin counts only while it is in use', () => {
  const writer = TableWriter.create();
  publishBlocks(writer, 1, 2);
  const reader = new TableReader(writer.buffer);
  const pin = reader.acquirePin();
  const watcher = new TableReader(writer.buffer);
  assert.equal(watcher.oldestPinAgeMs(0), 0);
  pin.pinNewest();
  assert.equal(watcher.oldestPinAgeMs(100), 0);
  assert.equal(watcher.oldestPinAgeMs(900), 800);
  pin.pinNewest();
  assert.equal(watcher.oldestPinAgeMs(1000), 0, 'pinned anew in between');
  assert.equal(reader.oldestPinAgeMs(1000), 0);
  assert.equal(reader.oldestPinAgeMs(1250), 250);
  pin.unpin();
  assert.equal(reader.oldestPinAgeMs(5000), 0);
});

test('at the bound of older values the kept window shrinks first, then pins are dropped and their readers get an error', () => {
  const olderBytes = 64 * 64;
  const writer = TableWriter.create({ olderBytes, olderBytesMax: olderBytes });
  publishBlocks(writer, 1, 300);
  assert.equal(writer.generation, 1);
  const reader = new TableReader(writer.buffer);
  assert.ok(!reader.isKept(100) && reader.isKept(300));
  const pin = reader.acquirePin();
  assert.ok(pin.pin(300));
  const snapshot = reader.snapshot(300);
  publishBlocks(writer, 301, 340);
  assert.equal(numberOf(snapshot.storage(addressOf(1), wordOf(0))), 300);
  publishBlocks(writer, 341, 600);
  assert.throws(() => snapshot.storage(addressOf(1), wordOf(0)), VersionNotKept);
  assert.equal(writer.generation, 1);
  writer.publish(diffOf({ block: 601, hash: hashOf(601), slots: range(500).map((i) => slot(1, i, 1)) }));
  writer.publish(diffOf({ block: 602, hash: hashOf(602), slots: range(500).map((i) => slot(1, i, 2)) }));
  assert.equal(writer.generation, 2, 'one diff that is larger than the bound still fits');
  assert.equal(numberOf(new TableReader(writer.buffer).snapshot(601).storage(addressOf(1), wordOf(9))), 1);
});

test('keys with the same hash are distinguished', () => {
  for (const [from, to] of [
    [0, 5],
    [5, 13],
  ] as const) {
    const writer = TableWriter.create();
    const { hashKey } = openTable(writer.buffer);
    const [first, second] = equalTags(hashKey, from, to).map((words) => partsOf(new Uint8Array(words.buffer)));
    const valueOf = (key: KeyDeps) => numberOf(writer.view().storage(key.address, key.slot));
    writer.publish(diffOf({ block: 1, hash: hashOf(1), slots: [{ ...first!, value: wordOf(111) }] }));
    assert.deepEqual([valueOf(first!), valueOf(second!)], [111, 0]);
    writer.publish(diffOf({ block: 2, hash: hashOf(2), slots: [{ ...second!, value: wordOf(222) }] }));
    assert.deepEqual([valueOf(first!), valueOf(second!)], [111, 222]);
  }
});

type KeyDeps = Pick<SlotChange, 'address' | 'slot'>;

const partsOf = (key: Uint8Array): KeyDeps => ({ address: key.slice(0, 20), slot: key.slice(20) });

test('keys that all hash to one bucket get another hash key', () => {
  const writer = TableWriter.create({ slots: 2500 });
  publishBlocks(writer, 1, 2);
  const { hashKey, slotMask } = openTable(writer.buffer);
  const keys: number[] = [];
  const words = keyOf(1, 0);
  for (let key = 1; keys.length < 1100; key++) {
    words[12] = key;
    if ((hashSlot(hashKey, words, 0, 5) & slotMask) === 5) keys.push(numberOf(new Uint8Array(words.buffer)));
  }
  writer.publish(diffOf({ block: 3, hash: hashOf(3), slots: keys.map((key) => slot(1, key, key)) }));
  assert.notDeepEqual(openTable(writer.buffer).hashKey, hashKey);
  for (const key of keys) assert.equal(numberOf(writer.view().storage(addressOf(1), wordOf(key))), key);
  assert.equal(numberOf(new TableReader(writer.buffer).snapshot(1).storage(addressOf(1), wordOf(0))), 1);
});

function keyOf(address: number, key: number): Uint32Array {
  const words = new Uint32Array(13);
  new Uint8Array(words.buffer).set(addressOf(address));
  new Uint8Array(words.buffer).set(wordOf(key), 20);
  return words;
}

/** Two keys with equal 32-bit hashes that differ only in these words; among 300,000 there are about ten such pairs. */
function equalTags(hashKey: Int32Array, from: number, to: number): [Uint32Array, Uint32Array] {
  const seen = new Map<number, Uint32Array>();
  for (;;) {
    const words = new Uint32Array(13);
    getRandomValues(words.subarray(from, to));
    const tag = hashSlot(hashKey, words, 0, 5);
    const other = seen.get(tag);
    if (other !== undefined) return [other, words];
    seen.set(tag, words);
  }
}
