// Millisecond timestamps of Base from Denim on: taken from the second deposit, and shown in blocks, heads, transactions
// and logs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import {
  renderBlock,
  renderNewHead,
  renderLogs,
  renderTransaction,
} from '../../../src/rpc/render/blocks-and-transactions.js';
import { ExecutedBlockLookup } from '../../../src/rpc/view/executed-block-lookup.js';
import { PreConfirmedBlocks } from '../../../src/rpc/view/pre-confirmed-blocks.js';
import type { CompleteBlock } from '../../../src/state/complete-block.js';
import { blockTimestampMs } from '../../../src/transaction/op/block-timestamp-ms.js';
import { assemble } from '../../support/assembler.js';
import { MemoryView } from '../../support/memory-view.js';
import { depositBytes, opChainAt, openBlock, type DepositFields } from '../../execution/op/blocks.js';

const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
const BASE_TIME = '0x4200000000000000000000000000000000000030';
/** `setTimestampMillisPart(uint16)`. */
const SELECTOR = '86bdf394';
const ATTRIBUTES = depositBytes({ from: DEPOSITOR, to: '0x4200000000000000000000000000000000000015' });

function call(part: bigint, selector = SELECTOR): Uint8Array {
  return Buffer.concat([fromHex(selector), toBytes(part, 32)]);
}

function reported(fields: Partial<DepositFields> = {}): { readonly raw: Uint8Array }[] {
  const deposit = depositBytes({ from: DEPOSITOR, to: BASE_TIME, data: call(400n), ...fields });
  return [{ raw: ATTRIBUTES }, { raw: deposit }];
}

test('milliseconds are read from the second deposit only if its sender, contract and form are right', () => {
  assert.equal(blockTimestampMs(1000n, reported()), 1_000_400n);
  assert.equal(blockTimestampMs(1000n, reported({ data: call(0n) })), 1_000_000n);
  const others: Partial<DepositFields>[] = [
    { from: `0x${'aa'.repeat(20)}` },
    { to: '0x4200000000000000000000000000000000000015' },
    { data: call(400n, '86bdf395') },
    { data: call(1000n) },
    { data: call(400n).subarray(0, 35) },
    { data: Buffer.concat([call(400n), Buffer.of(0)]) },
    { data: '' },
  ];
  for (const fields of others) assert.equal(blockTimestampMs(1000n, reported(fields)), null);
  assert.equal(blockTimestampMs(1000n, reported().toReversed()), null);
  assert.equal(blockTimestampMs(1000n, reported().slice(1)), null);
  assert.equal(blockTimestampMs(1000n, []), null);
});

async function sealedBlock(chain: ReturnType<typeof opChainAt>): Promise<CompleteBlock> {
  const view = new MemoryView().put(BASE_TIME, { nonce: 1n, code: assemble('PUSH 0; PUSH 0; LOG0; STOP') });
  const execution = await openBlock(chain, view);
  for (const raw of [ATTRIBUTES, reported()[1]!.raw]) assert.equal((await execution.apply(raw)).kind, 'applied');
  return (await execution.seal()).block;
}

test('blocks and heads have timestampMs, transactions and logs blockTimestampMs', async () => {
  const chain = opChainAt('denim');
  const block = await sealedBlock(chain);
  const placed = {
    key: 'it',
    reader: { block: () => block, logged: () => block.transactions, record: () => block },
  };
  const executedBlocks = new ExecutedBlockLookup(chain, new PreConfirmedBlocks());
  const executed = executedBlocks.located(placed)!;
  const timestampMs = executed.timestamp * 1000n + 400n;
  const shown = `0x${timestampMs.toString(16)}`;
  assert.equal(executed.timestampMs, timestampMs);
  assert.equal(renderBlock(block, null)['timestampMs'], shown);
  const [, deposit] = renderBlock(block, executed)['transactions'] as { blockTimestampMs?: string }[];
  assert.equal(deposit!.blockTimestampMs, shown);
  assert.equal(renderTransaction({ block: executed, index: 0 })['blockTimestampMs'], shown);
  assert.equal(renderLogs({ block: executed, index: 1 })[0]!['blockTimestampMs'], shown);
  assert.equal(renderNewHead(block.header, block.hash, executedBlocks.timestampMs(placed))['timestampMs'], shown);
});

test('a block without milliseconds has no such members', async () => {
  const block: CompleteBlock = { ...(await sealedBlock(opChainAt('denim'))) };
  const { transactions } = block;
  const silent = { ...block, transactions: transactions.slice(0, 1) };
  assert.ok(!('timestampMs' in renderBlock(silent, null)));
  assert.ok(!('timestampMs' in renderNewHead(block.header, block.hash, null)));
});
