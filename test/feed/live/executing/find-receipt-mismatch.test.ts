// A mismatching block: the first transaction that differs is reported, and how it differs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeReceipt } from '../../../../src/chain/block/encode-block.js';
import { listTrieRoot } from '../../../../src/chain/list-trie-root.js';
import {
  firstReceiptMismatch,
  findReceiptMismatch,
} from '../../../../src/feed/live/executing/find-receipt-mismatch.js';
import { toHex, toQuantity } from '../../../../src/lib/bytes/hex.js';
import type { ExecutedTransaction, Log, Receipt } from '../../../../src/state/complete-block.js';
import { UpstreamError } from '../../../../src/upstream/upstream.js';
import { altered, genesis, LOGGER, makeBlock, WRITER, type MadeBlock } from '../chain-maker.js';
import { LiveRig } from '../live-rig.js';

const LOG: Log = { address: LOGGER, topics: [new Uint8Array(32).fill(1)], data: Uint8Array.of(1) };
const RECEIPT: Receipt = {
  type: 2,
  status: 1,
  gasUsed: 30_000n,
  cumulativeGasUsed: 30_000n,
  effectiveGasPrice: 1n,
  contractAddress: null,
  logs: [LOG, LOG],
};
const OURS: readonly ExecutedTransaction[] = [1, 2].map((byte) => ({
  raw: new Uint8Array(0),
  hash: new Uint8Array(32).fill(byte),
  from: new Uint8Array(20),
  receipt: RECEIPT,
}));

const CASES: readonly (readonly [Partial<Receipt>, kind: string, what: string])[] = [
  [{ status: 0, gasUsed: 1n }, 'status', '1, the chain has 0'],
  [{ gasUsed: 30_001n, logs: [] }, 'gas', '30000 used, the chain has 30001'],
  [{ logs: [LOG] }, 'logs', '2 of them, the chain has 1'],
  [{ logs: [LOG, { ...LOG, data: Uint8Array.of(2) }] }, 'logs', `log 1 of ${toHex(LOGGER)} is another one`],
  [{ logs: [{ ...LOG, topics: [] }, LOG] }, 'logs', `log 0 of ${toHex(LOGGER)} is another one`],
];

test('the first transaction that differs is reported, with what differs: status, gas, logs', () => {
  assert.equal(firstReceiptMismatch(OURS, [RECEIPT, RECEIPT]), null);
  for (const [change, kind, what] of CASES) {
    const theirs = { ...RECEIPT, ...change };
    const text = (index: number): string =>
      `transaction ${index} ${toHex(OURS[index]!.hash)} differs in its ${kind}: ${what}`;
    assert.equal(firstReceiptMismatch(OURS, [RECEIPT, theirs]), text(1));
    assert.equal(firstReceiptMismatch(OURS, [theirs, theirs]), text(0));
  }
});

test('receipts that the node refuses, or that do not match the header, report nothing; an unreachable node is an error', async () => {
  const block = await makeBlock(genesis(), []);
  const upstreamBlock = { ...block.block, unknownType: null };
  const of = (request: () => Promise<unknown>): ReturnType<typeof findReceiptMismatch> =>
    findReceiptMismatch(upstreamBlock, OURS, new Uint8Array(32), { request });
  assert.equal(await of(() => Promise.resolve([])), null);
  assert.equal(await of(() => Promise.resolve(null)), null);
  assert.equal(await of(() => Promise.reject(new UpstreamError('refused', 'no'))), null);
  await assert.rejects(
    of(() => Promise.reject(new UpstreamError('unreachable', 'gone'))),
    /gone/,
  );
});

/** `made` as on a chain where its first transaction used one more unit of gas. */
function withMoreGas(made: MadeBlock): { readonly block: MadeBlock; readonly receipts: readonly Receipt[] } {
  const receipts = made.block.transactions.map(({ receipt }, index) => ({
    ...receipt,
    gasUsed: receipt.gasUsed + (index === 0 ? 1n : 0n),
    cumulativeGasUsed: receipt.cumulativeGasUsed + 1n,
  }));
  const receiptsRoot = listTrieRoot(receipts.map((receipt) => encodeReceipt(receipt)));
  return { block: altered(made, { gasUsed: receipts.at(-1)!.cumulativeGasUsed, receiptsRoot }), receipts };
}

test('a live chain reports it for a mismatched block, at one request, and at none for a matching block', async (t) => {
  const first = await makeBlock(genesis(), []);
  const rig = await LiveRig.start({ blocks: [genesis(), first] });
  t.after(() => rig.stop());
  const actions = [1n, 2n].map((slot, from) => ({ from, to: WRITER, words: [slot, 9n] }));
  const fitting = await makeBlock(first, actions);
  await rig.confirm(fitting);
  assert.equal(rig.node.counts.byMethod['eth_getBlockReceipts'], undefined);
  const made = await makeBlock(fitting, actions);
  const { block, receipts } = withMoreGas(made);
  const { transactions } = made.block;
  rig.node.methods.set('eth_getBlockReceipts', () =>
    receipts.map((receipt, index) => ({
      blockHash: toHex(block.hash),
      blockNumber: toQuantity(block.number),
      transactionIndex: toQuantity(index),
      logsBloom: `0x${'00'.repeat(256)}`,
      transactionHash: toHex(transactions[index]!.hash),
      from: toHex(transactions[index]!.from),
      to: toHex(WRITER),
      type: toQuantity(receipt.type),
      status: toQuantity(receipt.status),
      gasUsed: toQuantity(receipt.gasUsed),
      cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
      effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
      contractAddress: null,
      logs: [],
    })),
  );
  await rig.confirm(block);
  const { hash, receipt } = transactions[0]!;
  const what = `${receipt.gasUsed} used, the chain has ${receipt.gasUsed + 1n}`;
  const reported = `; transaction 0 ${toHex(hash)} differs in its gas: ${what}`;
  assert.ok(
    rig.notes.some((note) => note.startsWith('block 3: gas used is ') && note.endsWith(reported)),
    rig.notes.join('\n'),
  );
  assert.equal(rig.node.counts.byMethod['eth_getBlockReceipts'], 1);
});
