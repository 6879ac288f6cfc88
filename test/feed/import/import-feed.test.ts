// The import feed with the sample chain: compared with an execution by the library alone, continued after a restart,
// and every invalid block rejected.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { encodeHeader, headerFromRlpItems, type Header } from '../../../src/chain/block/header.js';
import { StartError } from '../../../src/lib/start-error.js';
import { createImportFeed } from '../../../src/feed/import/import-feed.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import type { StateContents } from '../../../src/chain/state-root.js';
import { MemorySink } from '../../support/memory-sink.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { temporaryFile } from '../../support/temporary-folder.js';
import { ReferenceImport, blocksOf } from './reference-import.js';

const skip = withoutData('execution-apis/chain.rlp');
const genesisFile = sharedData('execution-apis/genesis.json');
const chainFile = sharedData('execution-apis/chain.rlp');
const HEAD = '0xd226371d0b1551adb03fb52b71f08e3e11247fe9b1af994768af8cdaa8e7dcd7';

function noContents(): StateContents {
  throw new Error('the state was asked for');
}

async function importInto(
  sink: MemorySink,
  chain: string | null = chainFile,
  contents = noContents,
  genesis = genesisFile,
): Promise<void> {
  const feed = createImportFeed({ kind: 'import', genesisFile: genesis, chainFile: chain }, { contents });
  await feed.run(sink, sink.head());
}

void test('the sample chain has the results of the library, block by block', { skip }, async () => {
  const sink = new MemorySink();
  const reference = await ReferenceImport.create(genesisFile);
  const blocks = blocksOf(chainFile);
  let compared = 0;
  sink.whenComplete = async (block) => {
    if (block.number > 0) await reference.execute(blocks[block.number - 1]!);
    assert.equal(block.sizeBytes, block.number === 0 ? block.sizeBytes : blocks[block.number - 1]!.length);
    // The header's root is compared at every block; here a difference would persist, so every ninth block is enough.
    if (block.number % 9 > 0) return;
    for (const address of sink.accounts.keys()) {
      const [mine, theirs] = [sink.accounts.get(address)!.account, await reference.account(address)];
      assert.equal(mine?.nonce, theirs?.nonce, `nonce of ${address} at ${block.number}`);
      assert.equal(mine?.balance, theirs?.balance, `balance of ${address} at ${block.number}`);
      assert.deepEqual(mine?.codeHash, theirs?.codeHash, `code of ${address} at ${block.number}`);
    }
    for (const { address, slot, value } of sink.slots.values()) {
      const theirs = await reference.storage(toHex(address), slot);
      assert.equal(BigInt(toHex(value)), BigInt(theirs.length === 0 ? 0 : toHex(theirs)), `slot at ${block.number}`);
      compared++;
    }
  };
  await importInto(sink);
  assert.equal(sink.blocks.length, 55);
  assert.equal(toHex(sink.blocks[0]!.hash).slice(0, 10), '0x44fd89d5');
  assert.equal(toHex(sink.blocks.at(-1)!.hash), HEAD);
  assert.ok(compared > 500);
  const transactions = sink.blocks.flatMap((block) => block.transactions);
  assert.equal(transactions.length, 249);
  assert.deepEqual(new Set(transactions.map(({ receipt }) => receipt.type)), new Set([0, 1, 2, 3, 4]));
  assert.deepEqual(sink.diffs.at(-1)!.heads, { latest: 54, safe: 54, finalized: 54 });
  assert.match(sink.progressLines.at(-1)!, /^imported 54 blocks up to block 54, [\d.]+ Mgas\/s$/);
});

void test('receipts have the price paid and the contract created', { skip }, async () => {
  const sink = new MemorySink();
  await importInto(sink);
  for (const { transactions } of sink.blocks) {
    let cumulative = 0n;
    for (const { receipt, raw, from } of transactions) {
      cumulative += receipt.gasUsed;
      assert.equal(receipt.cumulativeGasUsed, cumulative);
      assert.equal(receipt.type, raw[0]! < 0x80 ? raw[0]! : 0);
      assert.equal(from.length, 20);
      if (receipt.contractAddress !== null && receipt.status === 1)
        assert.ok(sink.state.account(receipt.contractAddress) !== null);
    }
  }
});

void test('a genesis file without a chain file is served as a chain of one block', { skip }, async () => {
  const sink = new MemorySink();
  await importInto(sink, null);
  assert.equal(sink.blocks.length, 1);
  assert.equal(sink.diffs[0]!.coordinates.block, 0);
});

void test(
  'an import continues after the head of the archive, and ends at once when nothing is left',
  { skip },
  async () => {
    const sink = new MemorySink();
    const blocks = blocksOf(chainFile);
    await importInto(sink, temporaryFile('first', Buffer.concat(blocks.slice(0, 20))));
    assert.equal(sink.head()!.number, 20);
    await importInto(sink, chainFile, () => sink.contents());
    assert.equal(toHex(sink.head()!.hash), HEAD);
    assert.equal(sink.blocks.length, 55);
    await importInto(sink);
    assert.equal(sink.blocks.length, 55);
  },
);

void test('a chain file may begin with the genesis block', { skip }, async () => {
  const sink = new MemorySink();
  await importInto(sink, null);
  const genesis = RLP.encode([RLP.decode(sink.blocks[0]!.header), [], []]);
  const whole = temporaryFile('with-genesis', Buffer.concat([genesis, readFileSync(chainFile)]));
  const again = new MemorySink();
  await importInto(again, whole);
  assert.equal(toHex(again.head()!.hash), HEAD);
});

void test('stop ends the import after the current block', { skip }, async () => {
  const sink = new MemorySink();
  const feed = createImportFeed({ kind: 'import', genesisFile, chainFile }, { contents: noContents });
  const stops: Promise<void>[] = [];
  sink.whenComplete = ({ number }) => {
    if (number === 7) stops.push(feed.stop());
  };
  await feed.run(sink, null);
  await Promise.all(stops);
  assert.equal(sink.head()!.number, 7);
});

/** The parts of a block, which can be changed in place. */
interface Items {
  readonly all: NestedUint8Array;
  readonly transactions: NestedUint8Array;
}

function itemsOf(rlp: Uint8Array): Items {
  const all = listOf(RLP.decode(rlp));
  return { all, transactions: listOf(all[1]) };
}

function listOf(item: Uint8Array | NestedUint8Array | undefined): NestedUint8Array {
  assert.ok(Array.isArray(item));
  return item;
}

/** A copy of the sample chain with one block changed. */
function changed(number: number, change: (items: Items) => void): string {
  const blocks = blocksOf(chainFile);
  const items = itemsOf(blocks[number - 1]!);
  change(items);
  blocks[number - 1] = RLP.encode(items.all);
  return temporaryFile(`changed-${number}`, Buffer.concat(blocks));
}

function changedHeader(number: number, fields: (header: Header) => Partial<Header>): string {
  return changed(number, ({ all }) => {
    const header = headerFromRlpItems(listOf(all[0]));
    all[0] = listOf(RLP.decode(encodeHeader({ ...header, ...fields(header) })));
  });
}

const zeros = new Uint8Array(32);
const ones = new Uint8Array(32).fill(1);

const MISFITS: readonly (readonly [what: string, block: number, chain: (block: number) => string, line: RegExp])[] = [
  [
    'a transaction flipped',
    40,
    (block) =>
      changed(block, ({ transactions }) => {
        const transaction = transactions.find((item) => item instanceof Uint8Array)!;
        transaction[transaction.length - 1]! ^= 1;
      }),
    /^block 40 \(0x[0-9a-f]{8}\.\.\): transactions root is 0x[0-9a-f]{64}, header says 0x[0-9a-f]{64}$/,
  ],
  [
    'a transaction left out',
    12,
    (block) => changed(block, ({ transactions }) => void transactions.pop()),
    /^block 12 \(.*\): transactions root is /,
  ],
  [
    'gas used',
    30,
    (block) => changedHeader(block, ({ gasUsed }) => ({ gasUsed: gasUsed + 1n })),
    /^block 30 \(.*\): gas used is (\d+), header says \d+$/,
  ],
  [
    'state root',
    54,
    (block) => changedHeader(block, () => ({ stateRoot: ones })),
    /^block 54 \(.*\): state root is 0x[0-9a-f]{64}, header says 0x(01){32}$/,
  ],
  [
    'state root before Byzantium',
    2,
    (block) => changedHeader(block, () => ({ stateRoot: ones })),
    /^block 2 \(.*\): state root is /,
  ],
  [
    'receipts root',
    3,
    (block) => changedHeader(block, () => ({ receiptsRoot: ones })),
    /^block 3 \(.*\): receipts root is /,
  ],
  [
    'logs bloom',
    3,
    (block) => changedHeader(block, () => ({ logsBloom: new Uint8Array(256).fill(1) })),
    /^block 3 \(.*\): logs bloom is /,
  ],
  [
    'requests hash',
    54,
    (block) => changedHeader(block, () => ({ requestsHash: ones })),
    /^block 54 \(.*\): requests hash is /,
  ],
  [
    'withdrawals root',
    54,
    (block) => changedHeader(block, () => ({ withdrawalsRoot: ones })),
    /^block 54 \(.*\): withdrawals root is /,
  ],
  [
    'blob gas used',
    54,
    (block) => changedHeader(block, () => ({ blobGasUsed: 131_072n })),
    /^block 54 \(.*\): blob gas used is /,
  ],
  [
    'excess blob gas',
    54,
    (block) => changedHeader(block, () => ({ excessBlobGas: 1n })),
    /^block 54 \(.*\): excess blob gas is 0, header says 1$/,
  ],
  [
    'base fee',
    40,
    (block) => changedHeader(block, () => ({ baseFeePerGas: 7n })),
    /^block 40 \(.*\): base fee is \d+, header says 7$/,
  ],
  [
    'timestamp',
    5,
    (block) => changedHeader(block, () => ({ timestamp: 1n })),
    /^block 5 \(.*\): timestamp 1 is not after the parent's \d+$/,
  ],
  ['number', 5, (block) => changedHeader(block, () => ({ number: 6 })), /^block 6 \(.*\): number is 5, header says 6$/],
  [
    'gas limit',
    5,
    (block) => changedHeader(block, ({ gasLimit }) => ({ gasLimit: gasLimit * 2n })),
    /^block 5 \(.*\): gas limit \d+ is too far/,
  ],
  [
    'difficulty after the merge',
    40,
    (block) => changedHeader(block, () => ({ difficulty: 1n })),
    /^block 40 \(.*\): difficulty is 0 from the merge on, header says 1$/,
  ],
  [
    'coinbase',
    54,
    (block) => changedHeader(block, () => ({ coinbase: new Uint8Array(20).fill(9) })),
    /^block 54 \(.*\): (state root|receipts root|gas used) is /,
  ],
  [
    'parent beacon block root',
    54,
    (block) => changedHeader(block, () => ({ parentBeaconBlockRoot: ones })),
    /^block 54 \(.*\): state root is /,
  ],
  [
    'a field of a later fork',
    27,
    (block) => changedHeader(block, () => ({ withdrawalsRoot: zeros })),
    /^block 27 \(.*\): withdrawals root is not expected in a header of london$/,
  ],
  [
    'parent hash',
    9,
    (block) => changedHeader(block, () => ({ parentHash: ones })),
    /^block 9 \(.*\): parent hash is 0x(01){32}, the block before it has hash 0x/,
  ],
];

void test('an invalid block is refused with its number and the reason', { skip }, async (t) => {
  const whole = new MemorySink();
  await importInto(whole);
  for (const [what, number, chain, line] of MISFITS) {
    await t.test(what, async () => {
      const sink = beforeBlock(number, whole);
      await assert.rejects(
        importInto(sink, chain(number), () => sink.contents()),
        (error: unknown) => {
          assert.ok(error instanceof StartError);
          assert.match(error.message, line);
          assert.equal(error.exitCode, 2);
          return true;
        },
      );
      assert.equal(sink.head()!.number, number - 1, 'nothing of the block was told');
    });
  }
});

/**
 * A sink with everything that `whole` received before block `number`, so that these blocks need not be executed again.
 */
function beforeBlock(number: number, whole: MemorySink): MemorySink {
  const sink = new MemorySink();
  for (let i = 0; i < number; i++) void sink.complete(whole.diffs[i]!, whole.blocks[i]!);
  return sink;
}

function refused(line: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof StartError && line.test(error.message) && !error.message.includes('\n');
}

void test('a block whose transaction cannot be executed is refused', { skip }, async () => {
  // Block 2's transactions in block 1: valid by themselves, but their nonces are too high there.
  const blocks = blocksOf(chainFile);
  const first = itemsOf(blocks[0]!);
  const second = itemsOf(blocks[1]!);
  const { transactionsRoot } = headerFromRlpItems(listOf(second.all[0]));
  const header = { ...headerFromRlpItems(listOf(first.all[0])), transactionsRoot };
  const forged = RLP.encode([RLP.decode(encodeHeader(header)), second.transactions, []]);
  await assert.rejects(
    importInto(new MemorySink(), temporaryFile('forged', forged)),
    refused(
      /^block 1 \(0x[0-9a-f]{8}\.\.\): transaction 0 is invalid: nonce too high: address 0x[0-9a-f]{40}, tx: \d+ state: \d+$/,
    ),
  );
});

void test('a chain file that is truncated, malformed or missing is refused', { skip }, async () => {
  const whole = readFileSync(chainFile);
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      temporaryFile('cut', whole.subarray(0, whole.length - 1)),
      /cut cannot be imported: it ends inside the block that begins at byte \d+$/,
    ],
    [temporaryFile('text', 'hello'), /text cannot be imported: there is no block at byte 0$/],
    [
      temporaryFile('long', Uint8Array.of(0xff, ...ones)),
      /long cannot be imported: the block at byte 0 would be longer than \d+ bytes$/,
    ],
    [
      temporaryFile('list', RLP.encode([zeros])),
      /list cannot be imported: the block after block 0 is malformed: the header is not a list$/,
    ],
    [temporaryFile('absent'), /absent cannot be imported: ENOENT/],
  ];
  for (const [path, line] of cases) await assert.rejects(importInto(new MemorySink(), path), refused(line), path);
});

void test('a genesis of another chain, and a data folder of another chain, are refused', { skip }, async () => {
  const json = readFileSync(genesisFile, 'utf8').replace('"gasLimit":"0x5f5e100"', '"gasLimit":"0x5f5e101"');
  const other = temporaryFile('other.json', json.replace(/"gasLimit":\s*"0x5f5e100"/, '"gasLimit": "0x5f5e101"'));
  await assert.rejects(
    importInto(new MemorySink(), chainFile, noContents, other),
    refused(/^block 1 \(.*\): parent hash is 0x44fd89d5[0-9a-f]+, the genesis of .*other\.json has hash 0x/),
  );
  const sink = new MemorySink();
  await importInto(sink, null, noContents, other);
  await assert.rejects(
    importInto(sink),
    refused(
      /^the data folder belongs to another chain: its genesis is 0x[0-9a-f]{64}, that of the files is 0x44fd89d5/,
    ),
  );
  const forked = new MemorySink();
  const feed = createImportFeed({ kind: 'import', genesisFile, chainFile }, { contents: noContents });
  await assert.rejects(
    feed.run(forked, { number: 20, hash: ones, header: zeros }),
    refused(
      /^the data folder belongs to another chain: its block 20 is 0x(01){32}, that of the files is 0x[0-9a-f]{64}$/,
    ),
  );
  assert.deepEqual(forked.blocks, []);
  const complete = new MemorySink();
  await importInto(complete);
  await assert.rejects(
    importInto(complete, null),
    refused(/^the empty chain cannot be imported: it ends at block 0, before the archive's block 54$/),
  );
});
