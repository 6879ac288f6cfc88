// A table copied by snapshot into another one equals it at that version, while its writer continues; a damaged snapshot
// is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeSnapshot,
  encodeSnapshot,
  SnapshotDamagedError,
  type SnapshotPart,
} from '../../../src/replicas/messages/snapshot.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { TableScan } from '../../../src/state/table/table-scan.js';
import { TableReader } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { TableWriter } from '../../../src/state/table/writer.js';
import { account, addressOf, bytes, deleted, diffOf, hashOf, slot, wordOf } from '../../state/diffs.js';

const KEYS = 300;
const CODE = { hash: bytes(32, 0xc0de), bytes: new Uint8Array(40).fill(3) };

function tableOf(complete: boolean): TableWriter {
  const table = TableWriter.create({ complete, accounts: 32, slots: 32 });
  const slots = Array.from({ length: KEYS }, (_, at) => slot(at % 7, at, at + 1));
  const accounts = Array.from({ length: 7 }, (_, at) => account(at, BigInt(at), 5n, at === 3 ? CODE.hash : undefined));
  table.publish(diffOf({ block: 1, hash: hashOf(1), accounts, slots, codes: [CODE] }));
  table.publish(diffOf({ block: 2, hash: hashOf(2), accounts: [deleted(6)], slots: [slot(0, 0, 0)] }));
  return table;
}

/** Slices of the table at version 2, while versions are published and the table grows. */
function* slices(table: TableWriter): Generator<StateChanges> {
  const scan = new TableScan(table.buffer, 2, 16);
  let block = 3;
  for (const slice of scan.slices) {
    yield slice;
    // An account that is added meanwhile, with code that the scan has not seen.
    const code = { hash: bytes(32, 0xf111 + block), bytes: Uint8Array.of(block) };
    const filled = { accounts: [account(100 + block, 1n, 1n, code.hash)], slots: [], codes: [code] };
    if (!new TableReader(table.buffer).isComplete) table.addMissing(filled, 2);
    const slots = Array.from({ length: 20 }, (_, at) =>
      slot(at % 9, (block * 20 + at) % (2 * KEYS), 1_000_000 + block),
    );
    table.publish(diffOf({ block, hash: hashOf(block), slots, accounts: [account(block % 9, 9n)] }));
    block++;
  }
  scan.close();
}

async function encoded(table: TableWriter): Promise<Buffer> {
  const position = new TableReader(table.buffer).record(2);
  const { isComplete } = new TableReader(table.buffer);
  const head = { epoch: 4, version: 2, isComplete, position, ancestors: [], block: null };
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodeSnapshot(head, slices(table))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* pieces(snapshot: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < snapshot.length; at += length) yield await Promise.resolve(snapshot.subarray(at, at + length));
}

async function decoded(snapshot: Uint8Array, length = 777): Promise<SnapshotPart[]> {
  const parts: SnapshotPart[] = [];
  for await (const part of decodeSnapshot(pieces(snapshot, length))) parts.push(part);
  return parts;
}

for (const complete of [true, false]) {
  test(`a snapshot of ${complete ? 'a complete' : 'an incomplete'} table restores it as it was`, async () => {
    const [head, ...contents] = await decoded(await encoded(tableOf(complete)));
    assert.ok(head?.kind === 'head' && head.head.isComplete === complete && head.head.version === 2);
    const { position, version } = head.head;
    const table = TableWriter.create({ complete, firstVersion: version });
    table.publish({ ...position, accounts: [], slots: [], codes: [] });
    for (const part of contents) if (part.kind === 'contents') assert.equal(table.seed(part.contents), 'added');
    const [before, after] = [tableOf(complete).view(), table.view()];
    for (let at = 0; at < 7; at++) assert.deepEqual(after.account(addressOf(at)), before.account(addressOf(at)));
    for (let at = 0; at < KEYS; at++) {
      assert.deepEqual(after.storage(addressOf(at % 7), wordOf(at)), before.storage(addressOf(at % 7), wordOf(at)));
    }
    assert.deepEqual(after.code(CODE.hash).slice(), CODE.bytes);
    assert.equal(after.version, 2);
    table.publish(diffOf({ block: 3, hash: hashOf(3), slots: [slot(1, 1, 77)] }));
    assert.equal(table.newest, 3);
    assert.throws(() => table.seed({ accounts: [], slots: [], codes: [] }), /first version/);
  });
}

test('a snapshot that is truncated or damaged anywhere is refused', async () => {
  const snapshot = await encoded(tableOf(true));
  for (const end of [0, 5, snapshot.length - 1, snapshot.length >> 1]) {
    await assert.rejects(decoded(snapshot.subarray(0, end)), SnapshotDamagedError);
  }
  for (let at = 4; at < snapshot.length; at += 211) {
    const damaged = Buffer.from(snapshot);
    damaged[at]! ^= 0x10;
    await assert.rejects(decoded(damaged), SnapshotDamagedError);
  }
});
