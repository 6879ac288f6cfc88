// A transaction and its receipt: where they stand in a complete block, and in a pre-confirmed one.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { ExecutedBlock } from '../../../src/rpc/executed-blocks.js';
import { renderReceipt, renderTransaction } from '../../../src/rpc/methods/render.js';
import { keccak256 } from '../../../src/lib/keccak.js';
import { fromHex } from '../../../src/lib/hex.js';
import type { Receipt } from '../../../src/state/block.js';
import { devWallet, signed } from '../../feed/keys.js';

const wallet = devWallet(0);
const raw = signed(wallet, { nonce: 7, value: 3n });
const TX = { hash: keccak256(raw), raw, from: fromHex(wallet.address) };

const RECEIPT: Receipt = {
  type: 2,
  status: 1,
  gasUsed: 21_000n,
  cumulativeGasUsed: 21_000n,
  effectiveGasPrice: 4n,
  contractAddress: null,
  logs: [],
};

const BLOCK: ExecutedBlock = {
  number: 12,
  hash: new Uint8Array(32).fill(2),
  timestamp: 1000n,
  blobGasPrice: 1n,
  l1: null,
  transactions: [{ ...TX, receipt: RECEIPT }],
  uncles: [],
};

test('a pre-confirmed transaction stands where it will, with the zero hash for its block', () => {
  const inclusion = { block: { ...BLOCK, hash: null }, index: 0 };
  const shown = renderTransaction(inclusion);
  assert.deepEqual(
    [shown['blockHash'], shown['blockNumber'], shown['blockTimestamp'], shown['transactionIndex']],
    [`0x${'00'.repeat(32)}`, '0xc', '0x3e8', '0x0'],
  );
  assert.deepEqual([shown['nonce'], shown['value'], shown['gasPrice']], ['0x7', '0x3', '0x4']);
  const receipt = renderReceipt(inclusion);
  assert.deepEqual([receipt['blockHash'], receipt['blockNumber']], [`0x${'00'.repeat(32)}`, '0xc']);
});

test('a confirmed transaction names its block and the price that was paid', () => {
  const shown = renderTransaction({ block: BLOCK, index: 0 });
  assert.deepEqual(
    [shown['blockHash'], shown['blockNumber'], shown['blockTimestamp'], shown['transactionIndex']],
    [`0x${'02'.repeat(32)}`, '0xc', '0x3e8', '0x0'],
  );
  assert.equal(shown['gasPrice'], '0x4');
});

test('a receipt before Byzantium has a root in the place of its status', () => {
  const root = new Uint8Array(32).fill(7);
  const receipt = renderReceipt({
    block: { ...BLOCK, transactions: [{ ...TX, receipt: { ...RECEIPT, root } }] },
    index: 0,
  });
  assert.deepEqual([receipt['root'], receipt['status']], [`0x${'07'.repeat(32)}`, undefined]);
});
