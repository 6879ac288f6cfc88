// The header of a pre-confirmed block compared with that of the sealed block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { L1_BLOCK_ADDRESS } from '../../../src/chain/op/predeploys.js';
import { OP_FORK_NAMES } from '../../../src/chain/op/forks.js';
import { renderHeader } from '../../../src/chain/render-header-json.js';
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { headerSoFar, wholeHeaderSoFar } from '../../../src/rpc/view/pre-confirmed-header.js';
import type { BlockSoFar } from '../../../src/rpc/view/pre-confirmed-blocks.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';
import { l1BlockStorage, openBlock, opChainAt, SENDER, signedBytes } from '../../execution/op/blocks.js';
import { chainAt } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';

const TO = `0x${'bb'.repeat(20)}`;
/** Members that depend on the state after the block. */
const AT_THE_END = ['stateRoot', 'withdrawalsRoot', 'blockAccessListHash'];

/** A block of a few transactions as announced before its end, and its final header. */
async function blockOf(chain: ChainDescription): Promise<{ soFar: BlockSoFar; header: Uint8Array }> {
  const storage = l1BlockStorage({ scalar: 0n, constant: 0n, footprint: 7n });
  const view = new MemoryView()
    .put(SENDER, { balance: 10n ** 30n })
    .put(toHex(L1_BLOCK_ADDRESS), { nonce: 1n, storage });
  const open = await openBlock(chain, view);
  const transactions: ExecutedTransaction[] = [];
  for (const nonce of [0n, 1n]) {
    const applied = await open.apply(signedBytes(chain, { to: TO, nonce, data: new Uint8Array(900 * Number(nonce)) }));
    if (applied.kind === 'refused') assert.fail(applied.message);
    transactions.push(applied.transaction);
  }
  const { env, parentHash, extraData } = open.plan;
  const { gasUsed, blobGasUsed } = open;
  const coordinates = { block: env.number, index: 1, hash: null, parentHash };
  const soFar = { coordinates, env, extraData, gasUsed, blobGasUsed, transactions };
  return { soFar, header: (await open.seal()).block.header };
}

async function footprintOf(chain: ChainDescription): Promise<bigint> {
  return (await blockOf(chain)).soFar.blobGasUsed;
}

const CHAINS: readonly (readonly [name: string, chain: ChainDescription])[] = [
  ...['london', 'shanghai', 'cancun', 'prague', 'osaka', 'amsterdam'].map((fork) => [fork, chainAt(fork)] as const),
  ...OP_FORK_NAMES.map((fork) => [fork, opChainAt(fork)] as const),
];

for (const [name, chain] of CHAINS) {
  test(`${name}: a pre-confirmed block has every header member, with the final value wherever it is already known`, async () => {
    const { soFar, header } = await blockOf(chain);
    const sealed = renderHeader(header);
    const rendered = renderHeader(encodeHeader(wholeHeaderSoFar(soFar, chain)));
    assert.deepEqual(Object.keys(rendered), Object.keys(sealed));
    for (const member of AT_THE_END) delete rendered[member];
    assert.deepEqual({ ...sealed, ...rendered }, sealed);
    assert.equal(headerSoFar(soFar, chain).blobGasUsed, wholeHeaderSoFar(soFar, chain).blobGasUsed);
  });
}

test('from Jovian on a pre-confirmed block shows the data footprint of its transactions, and not before', async () => {
  assert.equal(await footprintOf(opChainAt('isthmus')), 0n);
  // Two transactions of the minimum size, 100 bytes, at 7 gas per byte.
  assert.equal(await footprintOf(opChainAt('jovian')), 1400n);
});
