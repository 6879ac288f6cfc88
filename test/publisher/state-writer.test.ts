// The single writer: every version that is announced to the main thread can already be read, in the table and in the
// archive.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decodeHeader, encodeHeader, blockEnvOfHeader } from '../../src/chain/block/header.js';
import { DEV_CHAIN, devGenesisBlock } from '../../src/feed/dev/genesis.js';
import type { MessageFromPublisher } from '../../src/publisher/publisher-protocol.js';
import { StateWriter } from '../../src/publisher/state-writer.js';
import { decodeBlockRecord } from '../../src/state/archive/format/block-records.js';
import { ArchiveWriter } from '../../src/state/archive/writer.js';
import type { CompleteBlock } from '../../src/state/complete-block.js';
import { StateMiss } from '../../src/state/views/state-miss.js';
import { TableReader } from '../../src/state/table/read/table-reader-and-snapshot.js';
import { CHAIN } from '../state/archive/blocks.js';
import { account, addressOf, diffOf, hashOf, numberOf, slot, wordOf } from '../state/diffs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const GENESIS = devGenesisBlock(new Uint8Array(32), 1_700_000_000);
const NOTHING = { gasUsed: 0n, blobGasUsed: 0n, extraData: new Uint8Array(0), transactions: [] };

function blockOf(number: number): CompleteBlock {
  const header = encodeHeader({ ...GENESIS.header, number });
  return { ...GENESIS.block, number, hash: hashOf(number), header };
}

/** The main thread, which reads each version as soon as it is announced. */
class Main {
  readonly reported: MessageFromPublisher['kind'][] = [];
  readonly messages: MessageFromPublisher[] = [];
  #reader: TableReader | null = null;

  get reader(): TableReader {
    assert.ok(this.#reader, 'there is a table');
    return this.#reader;
  }

  receive(message: MessageFromPublisher): void {
    this.reported.push(message.kind);
    this.messages.push(message);
    if (message.kind === 'table') this.#reader = new TableReader(message.buffer);
    if (message.kind === 'published') assert.equal(this.reader.newest(), message.version);
    if (message.kind === 'completed') {
      assert.equal(this.reader.newest(), message.version);
      assert.equal(this.reader.record(message.version).heads.latest, message.number);
    }
  }
}

function withArchive(): { main: Main; publisher: StateWriter; archive: ArchiveWriter } {
  const archive = ArchiveWriter.open(temporaryFolder(), CHAIN);
  after(() => archive.close());
  const main = new Main();
  const publisher = new StateWriter({ archive, post: (message) => main.receive(message) });
  publisher.restore(archive);
  return { main, publisher, archive };
}

function live(): { main: Main; publisher: StateWriter } {
  const main = new Main();
  const publisher = new StateWriter({ archive: null, post: (message) => main.receive(message) });
  publisher.open();
  return { main, publisher };
}

test('nothing is announced before the writer is opened; then the table, once', async () => {
  const { main, publisher } = withArchive();
  await publisher.complete(diffOf({ block: 0, hash: hashOf(0) }), blockOf(0));
  assert.deepEqual(main.reported, []);
  publisher.open();
  publisher.open();
  assert.deepEqual(main.reported, ['table']);
});

test('a complete block is in the archive, with all its increments, before main hears of it', async () => {
  const { main, publisher, archive } = withArchive();
  publisher.open();
  await publisher.complete(diffOf({ block: 0, hash: hashOf(0) }), blockOf(0));
  publisher.publish(diffOf({ block: 1, accounts: [account(1, 1n)] }), NOTHING);
  publisher.publish(diffOf({ block: 1, index: 1, slots: [slot(1, 2, 3)] }), {
    gasUsed: 7n,
    blobGasUsed: 0n,
    extraData: new Uint8Array(0),
    transactions: [],
  });
  assert.equal(archive.head()?.number, 0);
  await publisher.complete(diffOf({ block: 1, index: 1, hash: hashOf(1), accounts: [account(2, 5n)] }), blockOf(1));
  assert.equal(archive.head()?.number, 1);
  const state = archive.reader.viewAt(1)!;
  assert.deepEqual([state.account(addressOf(1))?.nonce, state.account(addressOf(2))?.nonce], [1n, 5n]);
  assert.equal(numberOf(state.storage(addressOf(1), wordOf(2))), 3);
  assert.deepEqual(main.reported, [
    'table',
    'changed',
    'completed',
    'changed',
    'published',
    'changed',
    'published',
    'changed',
    'completed',
  ]);
  const gas = main.messages.flatMap((message) => (message.kind === 'published' ? [message.gasUsed] : []));
  assert.deepEqual(gas, [0n, 7n]);
});

test('without an archive main receives the block itself, after the version that shows it', async () => {
  const { main, publisher } = live();
  publisher.begin(diffOf({ block: 5, hash: hashOf(5) }), blockOf(5), []);
  const block = blockOf(6);
  await publisher.complete(diffOf({ block: 6, hash: hashOf(6) }), block);
  assert.deepEqual(main.reported, ['table', 'changed', 'completed']);
  const reported = main.messages.at(-1)!;
  assert.ok(reported.kind === 'completed' && reported.kept !== null);
  assert.deepEqual(decodeBlockRecord(reported.kept.record).env, blockEnvOfHeader(decodeHeader(block.header)));
});

test('promoting a block announces the block but no version, as no transaction is new in it', () => {
  const { main, publisher } = live();
  publisher.begin(diffOf({ block: 5, hash: hashOf(5) }), blockOf(5), []);
  publisher.publish(diffOf({ block: 6 }), NOTHING);
  publisher.publishVersion(diffOf({ block: 6, hash: hashOf(6) }), { kind: 'block', block: blockOf(6) });
  publisher.publishVersion(diffOf({ block: 6, hash: hashOf(6) }), { kind: 'increment', announcement: null });
  assert.deepEqual(main.reported, ['table', 'changed', 'published', 'changed', 'completed', 'changed']);
  assert.equal(publisher.newest, 4);
});

test('new rules for future blocks reach main with its current table, and replicas, before any version that uses them', () => {
  const main = new Main();
  const reported: string[] = [];
  const outbox = { begin: () => reported.push('begin'), add: () => reported.push('add'), receive: () => undefined };
  const publisher = new StateWriter({ archive: null, post: (message) => main.receive(message), outbox });
  publisher.open();
  publisher.useChain(DEV_CHAIN);
  publisher.begin(diffOf({ block: 5, hash: hashOf(5) }), blockOf(5), []);
  publisher.useChain(DEV_CHAIN);
  publisher.publish(diffOf({ block: 6 }), NOTHING);
  const chain = { ...DEV_CHAIN, forks: [...DEV_CHAIN.forks, { name: 'bpo1', block: null, timestamp: 99 }] };
  publisher.goOnBy(chain);
  publisher.publish(diffOf({ block: 6 }), NOTHING);
  const tables = main.messages.filter((each) => each.kind === 'table');
  assert.deepEqual(
    tables.map((each) => [each.continues, each.chain]),
    [
      [false, DEV_CHAIN],
      [true, chain],
    ],
  );
  assert.equal(tables[0]!.buffer, tables[1]!.buffer);
  assert.deepEqual(main.reported, ['table', 'changed', 'published', 'table', 'changed', 'published']);
  assert.deepEqual(reported, ['begin', 'add', 'begin', 'add']);
  assert.equal(publisher.epoch, 1);
});

test('a resync publishes a new table in which nothing is cached', () => {
  const { main, publisher } = live();
  publisher.begin(diffOf({ block: 5, hash: hashOf(5) }), blockOf(5), [
    { number: 4, hash: hashOf(4), parentHash: hashOf(3) },
  ]);
  const view = publisher.at(publisher.newest);
  assert.throws(() => view.account(addressOf(1)), StateMiss);
  publisher.addMissing({ accounts: [account(1, 9n)], slots: [], codes: [] }, 1);
  assert.equal(view.account(addressOf(1))?.nonce, 9n);
  assert.equal(publisher.epoch, 1);
  assert.deepEqual(publisher.view().blockHash(4), hashOf(4));
  publisher.begin(diffOf({ block: 7, hash: hashOf(7) }), blockOf(7), []);
  assert.equal(publisher.epoch, 2);
  assert.throws(() => publisher.view().account(addressOf(1)), StateMiss);
  const tables = main.messages.flatMap((message) =>
    message.kind === 'table' ? [[message.continues, message.startsAt?.number]] : [],
  );
  assert.deepEqual(tables, [
    [false, 5],
    [false, 7],
  ]);
});

test('a table that has grown is announced before anything published in it', () => {
  const { main, publisher } = live();
  publisher.begin(diffOf({ block: 5, hash: hashOf(5) }), blockOf(5), []);
  // More large balances than a new table has entries for.
  const accounts = Array.from({ length: 1100 }, (_, at) => account(at, 0n, BigInt(at + 1) << 128n));
  publisher.addMissing({ accounts, slots: [], codes: [] }, 1);
  publisher.publish(diffOf({ block: 6, slots: [slot(2, 1, 1)] }), NOTHING);
  const tables = main.messages.flatMap((message) => (message.kind === 'table' ? [message] : []));
  assert.ok(tables.length > 1 && tables.slice(1).every(({ continues }) => continues));
  assert.equal(main.reader.generation, tables.at(-1)!.generation);
});
