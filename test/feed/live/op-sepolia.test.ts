// Four real blocks of OP Sepolia (Holocene), served by a node that answers plain reads from their witnesses: followed
// by block, by increment and by diff, they have the chain's gas, receipts and state.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { blockEnvOfHeader } from '../../../src/chain/block/header.js';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { parseRollupConfig } from '../../../src/chain/op/rollup-config.js';
import { createChainRules, type ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { toHex, fromHex } from '../../../src/lib/bytes/hex.js';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';
import { FIRST, LAST, WitnessView, witnessBlock } from '../../execution/op/witness.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { LiveRig } from './live-rig.js';
import { parentOfFirst, realBlock, serving, type RealBlock } from './op-sepolia-blocks.js';
import { opFrames } from './op-frames.js';
import { TracedChain, type TracedBlock } from './traced-chain.js';
import { EXECUTOR } from '../../support/engine.js';

const skip = withoutData('op-sepolia');
const INCREMENT_TRANSACTIONS = 4;

interface Leaf {
  readonly address?: string;
  readonly nonce: string;
  readonly balance: string;
  readonly codeHash: string;
  readonly slots: Readonly<Record<string, string>>;
}

/**
 * Every account of the next block's witness with a known address and every touched slot reads as recorded there;
 * returns the number of accounts and slots.
 */
async function compared(rig: LiveRig, touched: StateChanges, number: number): Promise<number> {
  const file = readFileSync(sharedData('op-sepolia/state-leaves-26207960-26207963.json'), 'utf8');
  const { blocks } = JSON.parse(file) as { blocks: Record<string, { accounts: Record<string, Leaf> }> };
  const leaves = blocks[number + 1]!.accounts;
  let count = 0;
  const named = Object.values(leaves).flatMap((leaf) => (leaf.address === undefined ? [] : [fromHex(leaf.address)]));
  const accounts = [...named, ...touched.accounts.map(({ address }) => address)];
  // A connection that was idle for as long as a block takes may be closed just as it is reused: the client retries
  // once.
  const failure = await rig.fetch({ accounts, slots: [] });
  if (failure !== null) assert.equal(await rig.fetch({ accounts, slots: [] }), null, failure);
  for (const address of accounts) {
    const leaf = leaves[toHex(keccak256(address))];
    if (leaf === undefined) continue;
    const account = rig.latest.account(address)!;
    const read = [account.nonce, account.balance, toHex(account.codeHash)];
    assert.deepEqual(read, [BigInt(leaf.nonce), BigInt(leaf.balance), leaf.codeHash], toHex(address));
    count++;
  }
  for (const { address, slot } of touched.slots) {
    const value = leaves[toHex(keccak256(address))]?.slots[toHex(keccak256(slot))];
    if (value === undefined) continue;
    assert.equal(toBigInt(rig.latest.storage(address, slot)), BigInt(value), `${toHex(address)} ${toHex(slot)}`);
    count++;
  }
  return count;
}

/** Everything that executing the block changed is cached with the right value. */
function assertChanged(rig: LiveRig, { accounts, slots }: StateChanges): void {
  for (const { address, account } of accounts) assert.deepEqual(rig.latest.account(address), account, toHex(address));
  for (const { address, slot, value } of slots)
    assert.deepEqual(rig.latest.storage(address, slot), value, `${toHex(address)} ${toHex(slot)}`);
}

/** The block with traces derived from its witness. */
function tracedBlock(block: RealBlock, parent: RealBlock): TracedBlock {
  return { hash: block.hash, env: blockEnvOfHeader(block.parsed), block, parent };
}

/** Changes made by the block. */
async function changesOf(number: number, rules: ChainRules): Promise<StateChanges> {
  const block = witnessBlock(number);
  const view = new WitnessView(block);
  const plan = block.plan(rules.chain);
  const blockExecutor = await BlockExecutor.open(plan, {
    executor: new TransactionExecutor(rules, view, EXECUTOR),
    view,
    trie: null,
  });
  for (const raw of block.transactions) await blockExecutor.apply(raw);
  return (await blockExecutor.seal()).changes;
}

const COUNTERS = {
  whole: 'blocksExecuted',
  'in increments': 'blocksPromoted',
  'as diffs': 'blocksByPrestate',
} as const;

for (const way of ['whole', 'in increments', 'as diffs'] as const) {
  const hasFeed = way === 'in increments';
  describe(`blocks of OP Sepolia, ${way}`, { skip }, () => {
    let rig: LiveRig;
    let rules: ChainRules;
    let blocks: RealBlock[];
    before(async () => {
      rules = createChainRules(parseRollupConfig('rollup.json', witnessBlock(FIRST).rollupConfig).chain);
      blocks = [];
      for (let number = FIRST; number <= LAST; number++) blocks.push(await realBlock(witnessBlock(number), rules));
      // Only the last two blocks are followed whole: the second one takes ten seconds.
      const parent = hasFeed ? parentOfFirst() : blocks.splice(0, 2)[1]!;
      const traced = blocks.map((block, at) => tracedBlock(block, blocks[at - 1] ?? parent));
      rig = await LiveRig.start({
        blocks: [parent],
        hasFeed,
        rules,
        wrap: serving(parent),
        ...(way === 'as diffs' ? { following: { followBy: 'diffs', diffSample: 0 } } : {}),
        prepare: (node) => new TracedChain(traced, rules).serveOn(node),
      });
    });
    after(() => rig.stop());

    test('have the gas, receipts and state of the chain', async () => {
      let count = 0;
      for (const block of blocks) {
        if (hasFeed) {
          const frames = opFrames(block, INCREMENT_TRANSACTIONS);
          rig.send(...frames);
          const atEnd = (): boolean => {
            const { block: number, index } = rig.newest.coordinates;
            return number === block.number && index === frames.length - 1;
          };
          await rig.until(atEnd, `increments of block ${block.number}`);
        }
        await rig.confirm(block);
        const changes = await changesOf(block.number, rules);
        if (way === 'as diffs') assertChanged(rig, changes);
        if (block.number < LAST) count += await compared(rig, changes, block.number);
      }
      const { counts } = rig.status;
      assert.equal(counts.mismatches, 0, rig.notes.join('; '));
      assert.equal(rig.epochs, 1, rig.notes.join('; '));
      assert.equal(counts[COUNTERS[way]], blocks.length);
      assert.ok(count > (hasFeed ? 60 : 20), `${count} accounts and slots compared`);
    });
  });
}
