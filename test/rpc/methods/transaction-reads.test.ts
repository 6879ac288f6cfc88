// A transaction and its receipt: their block fields in a complete block and in a pre-confirmed one.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  renderBlock,
  renderReceipt,
  renderTransaction,
  renderUncle,
} from '../../../src/rpc/render/blocks-and-transactions.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { headerForEnv } from '../../support/header-for-env.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import type { Receipt } from '../../../src/state/complete-block.js';
import { devWallet, signed } from '../../feed/keys.js';
import { blockEnv } from '../../support/jobs.js';
import type { ExecutedBlock } from '../../../src/rpc/view/executed-block-types.js';

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
  timestampMs: null,
  transactions: [{ ...TX, receipt: RECEIPT }],
  uncles: [],
};

test('a pre-confirmed transaction has its future block number and index, with the zero hash for its block', () => {
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

test('a confirmed transaction has its block and the price that was paid', () => {
  const shown = renderTransaction({ block: BLOCK, index: 0 });
  assert.deepEqual(
    [shown['blockHash'], shown['blockNumber'], shown['blockTimestamp'], shown['transactionIndex']],
    [`0x${'02'.repeat(32)}`, '0xc', '0x3e8', '0x0'],
  );
  assert.equal(shown['gasPrice'], '0x4');
});

test('a receipt before Byzantium has a root instead of a status', () => {
  const root = new Uint8Array(32).fill(7);
  const receipt = renderReceipt({
    block: { ...BLOCK, transactions: [{ ...TX, receipt: { ...RECEIPT, root } }] },
    index: 0,
  });
  assert.deepEqual([receipt['root'], receipt['status']], [`0x${'07'.repeat(32)}`, undefined]);
});

test('a block lists its uncles, and each can be read as a header with a hash', () => {
  const before = { withdrawalsRoot: null, blobGasUsed: null, excessBlobGas: null, parentBeaconBlockRoot: null };
  const header = encodeHeader({ ...headerForEnv(blockEnv({ number: 11 }), new Uint8Array(32).fill(1)), ...before });
  const { number, transactions } = BLOCK;
  const block = { number, hash: keccak256(header), header, sizeBytes: 600, transactions, withdrawals: null };
  assert.deepEqual(renderBlock({ ...block, uncles: [header] }, null)['uncles'], [toHex(keccak256(header))]);
  assert.deepEqual(renderBlock(block, null)['uncles'], []);
  const uncle = renderUncle(header);
  assert.deepEqual([uncle['hash'], uncle['number'], uncle['uncles']], [toHex(keccak256(header)), '0xb', []]);
  assert.ok(Number(uncle['size']) > header.length && !('transactions' in uncle));
});
