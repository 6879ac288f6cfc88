// Codes that no account refers to are dropped when a table is copied; codes that a version reads are always copied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeChange, StateChanges } from '../../../../src/state/state-diff.js';
import { codesInUse } from '../../../../src/state/table/grow/unused-code-space.js';
import { StateMiss, TableReader } from '../../../../src/state/table/read/table-reader-and-snapshot.js';
import { VersionViewAcrossTables } from '../../../../src/state/table/read/version-view-of-growing-table.js';
import { openTable } from '../../../../src/state/table/layout/table.js';
import { TableWriter, type TableOptions } from '../../../../src/state/table/writer.js';
import type { StateView } from '../../../../src/state/views/state-view.js';
import { account, addressOf, bytes, diffOf, hashOf } from '../../diffs.js';

const CODE_BYTES = 1000;
const SMALL: Partial<TableOptions> = {
  complete: false,
  accounts: 4096,
  slots: 1024,
  codeBytes: 200 * CODE_BYTES,
  olderBytes: 2 ** 16,
  olderBytesMax: 2 ** 16,
  versionsKept: 4,
  blocksKept: 4,
  sliceBuckets: 256,
};

/** Settings with which a table is copied within a few publications. */
const TINY: Partial<TableOptions> = {
  accounts: 32,
  slots: 32,
  olderBytes: 2 ** 12,
  olderBytesMax: 2 ** 12,
  sliceBuckets: 16,
};

function codeOf(index: number): CodeChange {
  return { hash: bytes(32, 0xc0de0000 + index), bytes: new Uint8Array(CODE_BYTES).fill(index % 251) };
}

/** Accounts `from` to `to` with one code each; their codes are numbered from `codeFrom` on. */
function contracts(from: number, to: number, codeFrom = from): StateChanges {
  const indices = Array.from({ length: to - from }, (_, at) => at);
  return {
    accounts: indices.map((at) => account(from + at, 1n, 0n, codeOf(codeFrom + at).hash)),
    slots: [],
    codes: indices.map((at) => codeOf(codeFrom + at)),
  };
}

function publish(writer: TableWriter, changes: Partial<StateChanges> = {}): void {
  const block = writer.newest + 1;
  writer.publish(diffOf({ block, hash: hashOf(block), ...changes }));
}

function codesOf(writer: TableWriter): number {
  return codesInUse(openTable(writer.buffer)).codes;
}

/** Asserts that the account has the code of this index. */
function assertCode(view: StateView, index: number, code = index): void {
  const { codeHash } = view.account(addressOf(index))!;
  assert.deepEqual(new Uint8Array(view.code(codeHash)), codeOf(code).bytes, `account ${index}`);
}

/** An incomplete table with memory for so many tables of this size, and one version. */
function created(options: Partial<TableOptions> = {}, tables = 2.1): TableWriter {
  const probe = TableWriter.create({ ...SMALL, ...options });
  const memoryBytesMax = Math.floor(probe.buffer.byteLength * tables);
  const writer = TableWriter.create({ ...SMALL, memoryBytesMax, ...options });
  publish(writer);
  return writer;
}

for (const tables of [2.1, 4.2]) {
  test(`codes of evicted accounts make room for any number of others, with memory for ${tables} tables`, () => {
    const writer = created({}, tables);
    for (let next = 0; next < 20_000; next += 10) {
      assert.equal(writer.addMissing(contracts(next, next + 10), writer.newest), 'added', `account ${next}`);
      const view = writer.view();
      for (let index = next; index < next + 10; index++) assertCode(view, index);
      publish(writer);
    }
    const { evictions, stalls } = new TableReader(writer.buffer).usage();
    assert.ok(evictions > 15_000, `${evictions} accounts were given up`);
    assert.ok(tables < 4 || stalls < 20, `${stalls} copies were waited for`);
  });
}

test('the codes of one fetch fit, or are refused until there is free space', () => {
  const writer = created();
  for (let next = 0; next < 3000; next += 40) {
    let filling = writer.addMissing(contracts(next, next + 40), writer.newest);
    for (let tries = 0; filling === 'full' && tries < 4; tries++) {
      while (writer.giveUp());
      filling = writer.addMissing(contracts(next, next + 40), writer.newest);
    }
    assert.equal(filling, 'added', `account ${next}`);
    for (let index = next; index < next + 40; index++) assertCode(writer.view(), index);
    for (let i = 0; i < 6; i++) publish(writer);
  }
});

test('a code that a kept version reads survives every copy, and is dropped when no version reads it', () => {
  const writer = created({ ...TINY, isEager: true, versionsKept: 40, blocksKept: 40 });
  assert.equal(writer.addMissing(contracts(1, 2), writer.newest), 'added');
  const before = writer.newest;
  publish(writer, contracts(1, 2, 2));
  const after = writer.newest;
  const { generation } = writer;
  for (let i = 0; i < 20; i++) publish(writer);
  assert.ok(writer.generation > generation, 'the table was copied');
  const reader = new TableReader(writer.buffer);
  assertCode(reader.snapshot(before), 1, 1);
  assertCode(reader.snapshot(after), 1, 2);
  for (let i = 0; i < 100; i++) publish(writer, { accounts: [account(1, BigInt(i + 2), 0n, codeOf(2).hash)] });
  assertCode(writer.view(), 1, 2);
  assert.equal(codesOf(writer), 1);
});

test('a code shared by many accounts stays while one of them does', () => {
  const writer = created({ ...TINY, isEager: true });
  const { hash } = codeOf(7);
  const accounts = Array.from({ length: 20 }, (_, index) => account(index, 1n, 0n, hash));
  assert.equal(writer.addMissing({ accounts, slots: [], codes: [codeOf(7)] }, writer.newest), 'added');
  for (let i = 0; i < 60; i++) {
    publish(writer, { accounts: [account(3, BigInt(i + 2), 0n, hash)] });
    assertCode(writer.view(), 3, 7);
  }
  assert.equal(new TableReader(writer.buffer).usage().accounts, 1);
  assert.equal(codesOf(writer), 1);
});

test('a complete table keeps all codes, as later accounts may refer to them', () => {
  const writer = TableWriter.create({ ...SMALL, complete: true, isEager: true });
  publish(writer, { codes: contracts(0, 50).codes });
  for (let i = 0; i < 30; i++) publish(writer);
  publish(writer, { accounts: contracts(0, 50).accounts });
  for (let index = 0; index < 50; index++) assertCode(writer.view(), index);
});

test('a view keeps the codes of the accounts it has returned even if these are evicted meanwhile', () => {
  const writer = created({ ...TINY, isEager: true, versionsKept: 64, blocksKept: 64 });
  for (let i = 0; i < 64; i++) publish(writer);
  assert.equal(writer.addMissing(contracts(1, 9), writer.newest), 'added');
  const indices = [1, 2, 3, 4, 5, 6, 7, 8];
  const view = new VersionViewAcrossTables(writer, writer.newest);
  const hashes = indices.map((index) => view.account(addressOf(index))!.codeHash);
  for (let i = 0; i < 60; i++) {
    publish(writer);
    assert.throws(() => view.account(addressOf(99)), StateMiss);
  }
  assert.ok(codesOf(writer) < indices.length, 'codes were given up');
  for (const [at, hash] of hashes.entries())
    assert.deepEqual(new Uint8Array(view.code(hash)), codeOf(indices[at]!).bytes);
});
