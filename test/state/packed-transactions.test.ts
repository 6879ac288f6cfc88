// Packed transactions of a published version unpack to what was packed.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { ExecutedTransaction } from '../../src/state/complete-block.js';
import { packExecutedTransactions, unpackExecutedTransactions } from '../../src/state/packed-transactions.js';

const transaction = (byte: number, length: number): ExecutedTransaction => ({
  hash: new Uint8Array(32).fill(byte),
  from: new Uint8Array(20).fill(byte + 1),
  raw: new Uint8Array(length).fill(byte + 2),
  receipt: {
    type: 2,
    status: 1,
    gasUsed: BigInt(length),
    cumulativeGasUsed: 2n ** 40n,
    effectiveGasPrice: 0n,
    contractAddress: null,
    logs: [{ address: new Uint8Array(20), topics: [new Uint8Array(32).fill(byte)], data: new Uint8Array(length) }],
  },
});

test('transactions of any length unpack as they were packed', () => {
  for (const lengths of [[], [1], [0, 300, 7, 70_000]]) {
    const transactions = lengths.map((length, at) => transaction(at, length));
    assert.deepEqual(unpackExecutedTransactions(packExecutedTransactions(transactions)), transactions);
  }
});

test('receipt and transaction strings from the node, and the nonce of a deposit, unpack as they were packed', () => {
  const [plain, deposit] = [transaction(1, 5), transaction(2, 6)];
  const reported = { transaction: '{"type":"0x7d","text":"ü"}', receipt: '{"type":"0x7d"}' };
  const transactions = [
    { ...plain, reported },
    { ...deposit, receipt: { ...deposit.receipt, depositNonce: 0n }, reported: { ...reported, transaction: null } },
    { ...deposit, receipt: { ...deposit.receipt, depositNonce: 0n } },
  ];
  assert.deepEqual(unpackExecutedTransactions(packExecutedTransactions(transactions)), transactions);
});
