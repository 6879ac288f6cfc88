// Verifies the receipts of blocks that are not executed locally.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeReceipt } from '../../../src/chain/block/encode-block.js';
import { listTrieRoot } from '../../../src/chain/list-trie-root.js';
import { verifyReceipts } from '../../../src/feed/diffs/verify-receipts.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';
import { bytes } from '../../support/memory-view.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { linesOf, type RecordedBlock } from './recorded-chain.js';

const FILE = 'geth-amsterdam/blocks.jsonl.gz';
const ADDRESS = toHex(bytes('0a', 20));
const TOPIC = toHex(bytes('0b', 32));

const RECEIPT = {
  transactionHash: toHex(bytes('a1', 32)),
  from: ADDRESS,
  to: null,
  type: '0x2',
  status: '0x1',
  gasUsed: '0x5208',
  cumulativeGasUsed: '0x5208',
  effectiveGasPrice: '0x7',
  contractAddress: ADDRESS,
  logs: [{ address: ADDRESS, topics: [TOPIC], data: '0x01' }],
};
const DEPOSIT = {
  ...RECEIPT,
  type: '0x7e',
  cumulativeGasUsed: '0xa410',
  to: ADDRESS,
  contractAddress: null,
  depositNonce: '0x9',
};

const EXPECTED = {
  type: 2,
  status: 1,
  gasUsed: 21_000n,
  cumulativeGasUsed: 21_000n,
  effectiveGasPrice: 7n,
  contractAddress: fromHex(ADDRESS),
  logs: [{ address: fromHex(ADDRESS), topics: [fromHex(TOPIC)], data: Uint8Array.of(1) }],
} as const;
const EXPECTED_DEPOSIT = {
  ...EXPECTED,
  type: 0x7e,
  cumulativeGasUsed: 42_000n,
  contractAddress: null,
  depositNonce: 9n,
};
const ROOT = listTrieRoot([encodeReceipt(EXPECTED), encodeReceipt(EXPECTED_DEPOSIT)]);

function refused(result: unknown, message: RegExp): void {
  assert.throws(
    () => verifyReceipts(result, ROOT),
    (error) => error instanceof UpstreamError && error.kind === 'malformed' && message.test(error.message),
  );
}

void test('receipts that match the root are decoded', () => {
  const received = verifyReceipts([RECEIPT, DEPOSIT], ROOT);
  assert.deepEqual(
    received.map(({ receipt }) => receipt),
    [EXPECTED, EXPECTED_DEPOSIT],
  );
  assert.deepEqual(
    received.map(({ to }) => to),
    [null, fromHex(ADDRESS)],
  );
});

void test('receipts that contradict the root or each other are refused', () => {
  refused([RECEIPT], /the receipts have root/);
  refused([{ ...RECEIPT, status: '0x0' }, DEPOSIT], /the receipts have root/);
  refused([{ ...RECEIPT, status: '0x2' }, DEPOSIT], /status 2/);
  refused([{ ...RECEIPT, gasUsed: '0x5209' }, DEPOSIT], /does not add up/);
  refused([DEPOSIT, RECEIPT], /does not add up/);
  refused(null, /no list/);
  for (const name of ['transactionHash', 'from', 'status', 'gasUsed', 'cumulativeGasUsed', 'effectiveGasPrice', 'logs'])
    refused([{ ...RECEIPT, [name]: undefined }, DEPOSIT], /answers wrongly/);
  refused(
    [{ ...RECEIPT, logs: [{ address: ADDRESS, topics: ['0x01'], data: '0x' }] }, DEPOSIT],
    /a topic has not 32 bytes/,
  );
});

void test(
  'recorded receipts of every type match their roots, before and after Amsterdam',
  { skip: withoutData(FILE) },
  () => {
    const blocks = linesOf(sharedData(FILE)) as (RecordedBlock & { readonly receipts: unknown })[];
    assert.equal(blocks.length, 55);
    for (const { block, receipts } of blocks) {
      const received = verifyReceipts(receipts, fromHex(block['receiptsRoot']!));
      assert.deepEqual(
        received.map(({ hash, to }) => [toHex(hash), to === null]),
        block.transactions.map(({ hash, to }) => [hash, to === null]),
      );
    }
  },
);
