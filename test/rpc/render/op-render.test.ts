// Blocks and receipts of an OP Stack chain as JSON: deposits and signed transactions.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CompleteBlock } from '../../../src/state/complete-block.js';
import { renderBlock, renderPendingBlock, renderReceipt } from '../../../src/rpc/render/blocks-and-transactions.js';
import { decodeTransactionRecord, encodeTransactionRecord } from '../../../src/state/archive/format/block-records.js';
import { logsBloomOfHeader } from '../../../src/chain/block/header.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { assemble } from '../../support/assembler.js';
import { blockSchema, schemaOf } from '../../io/answers.js';
import { assertOfSchema } from '../../io/schema.js';
import { blockEnv } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';
import { SENDER, depositBytes, openBlock, opChainAt, signedBytes } from '../../execution/op/blocks.js';
import type { ExecutedBlock } from '../../../src/rpc/view/executed-block-types.js';

const FROM = `0x${'aa'.repeat(20)}`;
const TO = `0x${'bb'.repeat(20)}`;

async function sealedBlock(): Promise<CompleteBlock> {
  const chain = opChainAt('holocene');
  const view = new MemoryView()
    .put(FROM, { nonce: 7n })
    .put(SENDER, { balance: 10n ** 18n })
    .put(TO, { nonce: 1n, code: assemble('PUSH 0; PUSH 0; LOG0; STOP') });
  const execution = await openBlock(chain, view);
  const deposit = depositBytes({ from: FROM, to: TO, mint: 5n, value: 3n, data: '0102' });
  for (const raw of [deposit, depositBytes({ from: FROM, data: '00' }), signedBytes(chain, { to: TO })])
    assert.equal((await execution.apply(raw)).kind, 'applied');
  return (await execution.seal()).block;
}

function executed(block: CompleteBlock): ExecutedBlock {
  return { ...block, timestamp: 1000n, blobGasPrice: 1n, l1: null, timestampMs: null, uncles: [] };
}

const DEPOSIT = {
  type: '0x7e',
  sourceHash: `0x${'5c'.repeat(32)}`,
  from: FROM,
  to: TO,
  mint: '0x5',
  value: '0x3',
  gas: '0xf4240',
  input: '0x0102',
  gasPrice: '0x0',
  v: '0x0',
  r: '0x0',
  s: '0x0',
  yParity: '0x0',
  depositReceiptVersion: '0x1',
};

test('a deposit in a block is shown with its own fields', async () => {
  const block = await sealedBlock();
  const [first, second, third] = renderBlock(block, executed(block))['transactions'] as unknown as Record<
    string,
    unknown
  >[];
  const { blockHash, blockNumber, blockTimestamp, hash, transactionIndex, ...rest } = first!;
  assert.deepEqual(rest, { ...DEPOSIT, nonce: '0x7' });
  assert.ok([blockHash, blockNumber, blockTimestamp, hash, transactionIndex].every((member) => member !== undefined));
  assert.deepEqual([second!['to'], second!['nonce']], [null, '0x8']);
  assert.deepEqual([third!['type'], third!['sourceHash'], third!['nonce']], ['0x2', undefined, '0x0']);
});

test('a deposit in the pending block is shown with the nonce it was executed with', async () => {
  const block = await sealedBlock();
  const coordinates = { block: 100, index: 0, hash: null, parentHash: new Uint8Array(32) };
  const extraData = Uint8Array.of(0, 1, 2);
  const soFar = {
    coordinates,
    env: blockEnv(),
    extraData,
    gasUsed: 0n,
    blobGasUsed: 0n,
    transactions: block.transactions,
  };
  const pending = renderPendingBlock(
    { soFar, block: { ...executed(block), hash: null }, chain: opChainAt('holocene') },
    { full: true },
  );
  const first = (pending['transactions'] as unknown as Record<string, unknown>[])[0]!;
  assert.deepEqual([first['type'], first['nonce'], first['gasPrice']], ['0x7e', '0x7', '0x0']);
  assert.equal(pending['extraData'], '0x000102');
  assert.equal(pending['logsBloom'], toHex(logsBloomOfHeader(block.header)));
  assert.match(pending['logsBloom'].slice(2), /[1-9a-f]/i);
});

test('a system deposit has isSystemTx set', async () => {
  const execution = await openBlock(opChainAt('holocene'), new MemoryView());
  assert.equal((await execution.apply(depositBytes({ from: FROM, to: TO, isSystem: true }))).kind, 'applied');
  const { block } = await execution.seal();
  const [first] = renderBlock(block, executed(block))['transactions'] as unknown as Record<string, unknown>[];
  assert.equal(first!['isSystemTx'], true);
});

test('complete and pre-confirmed OP-Stack blocks and their receipts decode in typed clients', async () => {
  const block = await sealedBlock();
  const shown = executed(block);
  assertOfSchema(renderBlock(block, shown), blockSchema({ full: true }), 'complete');
  const coordinates = { block: 100, index: 0, hash: null, parentHash: new Uint8Array(32) };
  const { transactions } = block;
  const soFar = {
    coordinates,
    env: blockEnv(),
    extraData: new Uint8Array(0),
    gasUsed: 0n,
    blobGasUsed: 0n,
    transactions,
  };
  for (const by of ['tag', 'number'] as const) {
    const pending = renderPendingBlock(
      { soFar, block: { ...shown, hash: null }, chain: opChainAt('holocene') },
      { full: true, by },
    );
    assertOfSchema(pending, blockSchema({ full: true, isTagged: by === 'tag' }), by);
  }
  const receipts = transactions.map((_each, index) => renderReceipt({ block: shown, index }));
  assertOfSchema(receipts, schemaOf('eth_getBlockReceipts', [])!, 'receipts');
});

test('receipts of an OP-Stack block are the same from the table and from the archive', async () => {
  const block = await sealedBlock();
  const archived = {
    ...block,
    transactions: block.transactions.map((each) => decodeTransactionRecord(encodeTransactionRecord(each))),
  };
  for (const [index, nonce, version] of [
    [0, '0x7', '0x1'],
    [1, '0x8', '0x1'],
    [2, undefined, undefined],
  ] as const) {
    const receipt = renderReceipt({ block: executed(archived), index });
    assert.deepEqual(receipt, renderReceipt({ block: executed(block), index }));
    assert.deepEqual([receipt['depositNonce'], receipt['depositReceiptVersion']], [nonce, version]);
  }
  assert.equal(renderReceipt({ block: executed(block), index: 0 })['effectiveGasPrice'], '0x0');
  assert.equal(renderReceipt({ block: executed(block), index: 1 })['to'], null);
  assert.notEqual(renderReceipt({ block: executed(block), index: 1 })['contractAddress'], null);
});
