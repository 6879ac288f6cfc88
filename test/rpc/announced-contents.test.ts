// A body shows a pre-confirmed block with the same transactions in all its responses, although the main thread receives
// an increment's transactions after its state is visible.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEV_CHAIN, devGenesisBlock } from '../../src/feed/dev/genesis.js';
import { blockEnvOfHeader } from '../../src/chain/block/header.js';
import { TimeSlicer } from '../../src/fairness/time-slicer.js';
import { ExecutedBlockLookup } from '../../src/rpc/view/executed-block-lookup.js';
import { PreConfirmedBlocks } from '../../src/rpc/view/pre-confirmed-blocks.js';
import type { RpcMethod } from '../../src/rpc/call/method-types.js';
import { packExecutedTransactions } from '../../src/state/packed-transactions.js';
import type { Coordinates } from '../../src/state/state-diff.js';
import { TableWriter } from '../../src/state/table/writer.js';
import { cpuBoundClocks } from '../support/slice-clocks.js';
import { serviceOver } from './table-service.js';

const { block, header } = devGenesisBlock(new Uint8Array(32), 1);
const env = blockEnvOfHeader(header);
const AT: Coordinates = { block: 1, index: 1, hash: null, parentHash: block.hash };
const NONE = packExecutedTransactions([]);

/** An announced increment, whose cumulative gas is its index plus one. */
const announced = (index: number): Parameters<PreConfirmedBlocks['add']>[0] => ({
  kind: 'published',
  version: 2,
  coordinates: { ...AT, index },
  env,
  gasUsed: BigInt(index + 1),
  blobGasUsed: 0n,
  extraData: new Uint8Array(),
  transactions: NONE,
});

/**
 * A service whose calls show the announced gas of block 1 and whether the block is complete; `announce` runs before
 * call `announceAt`.
 */
function served(
  announceAt: number,
  announce: (pending: PreConfirmedBlocks) => void,
): (calls: number) => Promise<string[]> {
  const table = TableWriter.create({ complete: true });
  const state = { env, heads: { latest: 0, safe: null, finalized: null }, accounts: [], slots: [], codes: [] };
  table.publish({
    ...state,
    coordinates: { ...AT, block: 0, index: 0, hash: block.hash, parentHash: header.parentHash },
  });
  table.publish({ ...state, coordinates: AT });
  const pending = new PreConfirmedBlocks();
  pending.add(announced(0));
  const executed = new ExecutedBlockLookup(DEV_CHAIN, pending);
  let calls = 0;
  const method: RpcMethod = {
    name: 'gasSoFar',
    paramsMax: 0,
    run: (_args, readView) => {
      if (calls++ === announceAt) announce(pending);
      return `"${executed.soFar(readView, 1)?.gasUsed} ${executed.isAnnounced(readView)}"`;
    },
  };
  let now = 0;
  const slices = new TimeSlicer(
    1,
    cpuBoundClocks(() => (now += 1)),
  );
  const { service } = serviceOver(table.buffer, { methods: [method], slices });
  return async (count) => {
    const body = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'gasSoFar', params: [] }));
    const { bytes } = await service.answer(Buffer.from(JSON.stringify(body)), { aborted: false });
    assert.ok(bytes instanceof Uint8Array);
    return (JSON.parse(Buffer.from(bytes).toString()) as { result: string }[]).map(({ result }) => result);
  };
}

test('a batch sees what was announced by its first read, and the next batch what came since', async () => {
  const answer = served(5, (pending) => pending.add(announced(1)));
  assert.deepEqual(
    await answer(40),
    Array.from({ length: 40 }, () => '1 false'),
  );
  assert.deepEqual(await answer(2), ['2 true', '2 true']);
});
