// The next block's base fee on a live chain: computed locally if the newest header and verified rules allow it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeHeader, type Header } from '../../../src/chain/block/header.js';
import { feeMethods, type FeeDeps } from '../../../src/rpc/methods/suggest-fees.js';
import type { ReadView } from '../../../src/rpc/view/pinned-read-view.js';
import { opChainAt } from '../../execution/op/blocks.js';
import { headerForEnv } from '../../support/header-for-env.js';
import { blockEnv, chainAt } from '../../support/jobs.js';

const FULL = { gasLimit: 30_000_000n, gasUsed: 30_000_000n, baseFeePerGas: 800n };
const EXTRA = { extraData: Uint8Array.of(0, 0, 0, 0, 8, 0, 0, 0, 2) };

/** The result if the newest block has this header. */
function baseFeeFor(header: Partial<Header> | null, parts: Partial<FeeDeps> = {}): unknown {
  const bytes = header === null ? null : encodeHeader({ ...headerForEnv(blockEnv(), new Uint8Array(32)), ...header });
  const readView = { blocks: { header: () => bytes }, pinned: { record: { heads: { latest: 9 } } } };
  const all = { chain: chainAt('cancun'), backing: {}, doubt: () => null, ...parts } as FeeDeps;
  return feeMethods.eth_baseFee({ all: [] } as never, readView as unknown as ReadView, all);
}

test('the next base fee of a live chain is computed from its newest header', () => {
  assert.equal(baseFeeFor(FULL), '"0x384"');
  assert.equal(baseFeeFor({ ...FULL, gasUsed: 15_000_000n }), '"0x320"');
  assert.equal(baseFeeFor({ ...FULL, ...EXTRA }, { chain: opChainAt('holocene') }), '"0x384"');
});

test('the node is queried for it if the header is missing or insufficient, or the rules are unverified', () => {
  const forward = { forward: [] };
  assert.deepEqual(baseFeeFor(null), forward);
  assert.deepEqual(baseFeeFor(FULL, { chain: opChainAt('holocene') }), forward);
  assert.deepEqual(baseFeeFor(FULL, { doubt: () => 'a fork' }), forward);
});
