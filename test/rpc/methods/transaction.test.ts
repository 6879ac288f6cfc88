// A transaction by its hash: where it stands in a complete block, and that it stands nowhere before.
import assert from 'node:assert/strict';
import test from 'node:test';
import { renderConfirmed, renderUnconfirmed } from '../../../src/rpc/methods/render.js';
import { keccak256 } from '../../../src/lib/keccak.js';
import { fromHex } from '../../../src/lib/hex.js';
import type { CompleteBlock, Receipt } from '../../../src/state/block.js';
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

test('a pre-confirmed transaction stands in no block', () => {
  const shown = renderUnconfirmed(TX);
  assert.deepEqual(
    [shown['blockHash'], shown['blockNumber'], shown['blockTimestamp'], shown['transactionIndex']],
    [null, null, null, null],
  );
  assert.deepEqual([shown['nonce'], shown['value'], shown['gasPrice']], ['0x7', '0x3', '0x2540be400']);
});

test('a confirmed transaction names its block and the price that was paid', () => {
  const block: CompleteBlock = {
    number: 12,
    hash: new Uint8Array(32).fill(2),
    header: new Uint8Array(0),
    sizeBytes: 0,
    transactions: [{ ...TX, receipt: RECEIPT }],
    withdrawals: null,
  };
  const shown = renderConfirmed(block, 0, 1000n);
  assert.deepEqual(
    [shown['blockHash'], shown['blockNumber'], shown['blockTimestamp'], shown['transactionIndex']],
    [`0x${'02'.repeat(32)}`, '0xc', '0x3e8', '0x0'],
  );
  assert.equal(shown['gasPrice'], '0x4');
});
