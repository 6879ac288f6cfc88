// Receipts of a whole block: log indexes are those in the block, and each transaction is read a bounded number of
// times.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { ZeroAddress } from 'ethers';
import { renderReceipt } from '../../../src/rpc/render/blocks-and-transactions.js';
import type { ExecutedBlock } from '../../../src/rpc/view/executed-block-types.js';
import { devWallet, signed } from '../../feed/keys.js';

const TRANSACTIONS = 300;
const LOGS = 2;

test('building all receipts of a block reads each transaction a few times, however many there are', () => {
  let reads = 0;
  const raw = signed(devWallet(0), { to: ZeroAddress, nonce: 0 });
  const log = { address: new Uint8Array(20), topics: [], data: new Uint8Array(0) };
  const transactions = Array.from({ length: TRANSACTIONS }, (_each, index) => ({
    hash: new Uint8Array(32).fill(index % 256),
    raw,
    from: new Uint8Array(20),
    get receipt() {
      reads++;
      const sums = { gasUsed: 21_000n, cumulativeGasUsed: 21_000n, effectiveGasPrice: 1n };
      return {
        type: 2,
        status: 1 as const,
        ...sums,
        contractAddress: null,
        logs: Array.from({ length: LOGS }, () => log),
      };
    },
  }));
  const place = { number: 7, hash: new Uint8Array(32), timestamp: 1000n, timestampMs: null };
  const block: ExecutedBlock = { ...place, blobGasPrice: 1n, l1: null, uncles: [], transactions };
  const indices = transactions.flatMap((_each, index) =>
    (renderReceipt({ block, index })['logs'] as { readonly logIndex: string }[]).map(({ logIndex }) =>
      Number(logIndex),
    ),
  );
  assert.deepEqual(indices, [...indices.keys()]);
  assert.equal(indices.length, TRANSACTIONS * LOGS);
  assert.ok(reads <= 10 * TRANSACTIONS, `${reads} reads`);
});
