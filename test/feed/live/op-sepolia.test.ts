// Four real blocks of OP Sepolia (Holocene), served by a node that answers plain reads from their witnesses: followed block
// by block and increment by increment, they come to the gas, receipts and state that the chain says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { BlockExecutor, type Changes } from '../../../src/execution/block/executor.js';
import { encodeHeader, type Header } from '../../../src/chain/header.js';
import { keccak256 } from '../../../src/lib/keccak.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { parseRollupConfig } from '../../../src/chain/op/rollup-config.js';
import { createRules, type Rules } from '../../../src/evm/ethereumjs/fork-rules.js';
import { toHex, fromHex } from '../../../src/lib/hex.js';
import { toBigInt } from '../../../src/lib/words.js';
import type { ConfirmedTransaction } from '../../../src/state/block.js';
import { EMPTY_CODE_HASH, type StateView } from '../../../src/state/view.js';
import type { Upstream, UpstreamBlock } from '../../../src/upstream/upstream.js';
import { FIRST, LAST, WitnessView, rootAfter, witnessBlock, type WitnessBlock } from '../../execution/op/witness.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import type { NodeBlock } from '../../support/upstream-node.js';
import { LiveRig } from './live-rig.js';
import { opFrames } from './op-frames.js';
import { EXECUTOR } from '../../support/engine.js';

const skip = withoutData('op-sepolia');
const INCREMENT_TRANSACTIONS = 4;

/** State after block `number`: what its child's witness does not hold, no block before the one whose witness does has touched. */
function stateAfter(number: number): StateView {
  const views: WitnessView[] = [];
  for (let child = number + 1; child <= LAST; child++) views.push(new WitnessView(witnessBlock(child)));
  const first = <T>(read: (view: WitnessView) => T, otherwise: T): T => {
    for (const view of views) {
      try {
        return read(view);
      } catch {
        // Not in this witness.
      }
    }
    return otherwise;
  };
  return {
    account: (address) => first((view) => view.account(address), null),
    code: (hash) =>
      Buffer.compare(hash, EMPTY_CODE_HASH) === 0
        ? new Uint8Array(0)
        : first((view) => view.code(hash), new Uint8Array(0)),
    storage: (address, slot) => first((view) => view.storage(address, slot), new Uint8Array(32)),
    blockHash: () => null,
  };
}

interface RealBlock extends NodeBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parsed: Header;
  readonly transactions: readonly ConfirmedTransaction[];
}

/** The block that the first one is built on, without its transactions, which nobody has. */
function parentOfFirst(): RealBlock {
  const { parent } = witnessBlock(FIRST);
  const header = encodeHeader(parent);
  const state = stateAfter(parent.number);
  return {
    number: parent.number,
    hash: keccak256(header),
    parsed: parent,
    header,
    transactions: [],
    withdrawals: [],
    state,
  };
}

/** Its header is made by executing it, and right where the hash is. */
async function realBlock(block: WitnessBlock, rules: Rules): Promise<RealBlock> {
  const view = new WitnessView(block);
  const executor = new TransactionExecutor(rules, view, EXECUTOR);
  const blockExecutor = await BlockExecutor.open(block.plan(rules.chain), { executor, view, trie: null });
  for (const raw of block.transactions) assert.equal((await blockExecutor.apply(raw)).kind, 'applied');
  const sealed = await blockExecutor.seal();
  const changes: Changes = sealed.changes;
  const parsed = { ...sealed.header, stateRoot: await rootAfter(block, changes) };
  const header = encodeHeader(parsed);
  assert.equal(toHex(keccak256(header)), block.hash);
  const { transactions } = sealed.block;
  const { number } = block;
  return {
    number,
    hash: fromHex(block.hash),
    parsed,
    header,
    transactions,
    withdrawals: [],
    state: stateAfter(number),
  };
}

/** Serves the block that the chain is begun with, whose transactions the client could not check. */
function serving(block: RealBlock): (upstream: Upstream) => Upstream {
  const known: UpstreamBlock = { ...block, sizeBytes: 0, unknownType: null, transactions: [] };
  return (upstream) => ({
    chainId: () => upstream.chainId(),
    tagged: (tag) => upstream.tagged(tag),
    block: (ref) =>
      ref instanceof Uint8Array && Buffer.compare(ref, block.hash) === 0 ? Promise.resolve(known) : upstream.block(ref),
    read: (anchor, wants) => upstream.read(anchor, wants),
    request: (method, params, untilMs) => upstream.request(method, params, untilMs),
    watchHeads: (listener) => upstream.watchHeads(listener),
    close: () => upstream.close(),
    stats: upstream.stats,
    silentSinceMs: upstream.silentSinceMs,
  });
}

interface Leaf {
  readonly address?: string;
  readonly nonce: string;
  readonly balance: string;
  readonly codeHash: string;
  readonly slots: Readonly<Record<string, string>>;
}

/**
 * Every account of the next block's witness whose address is known, and every slot that was touched, reads as it says there;
 * how many accounts and slots there were.
 */
async function compared(rig: LiveRig, touched: Changes, number: number): Promise<number> {
  const file = readFileSync(sharedData('op-sepolia/state-leaves-26207960-26207963.json'), 'utf8');
  const { blocks } = JSON.parse(file) as { blocks: Record<string, { accounts: Record<string, Leaf> }> };
  const leaves = blocks[number + 1]!.accounts;
  let count = 0;
  const named = Object.values(leaves).flatMap((leaf) => (leaf.address === undefined ? [] : [fromHex(leaf.address)]));
  const accounts = [...named, ...touched.accounts.map(({ address }) => address)];
  // A connection that has been idle for as long as a block takes may be closed the moment it is used: the client tries once.
  const failure = await rig.hold({ accounts, slots: [] });
  if (failure !== null) assert.equal(await rig.hold({ accounts, slots: [] }), null, failure);
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

/** What the block changes. */
async function changesOf(number: number, rules: Rules): Promise<Changes> {
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

for (const hasFeed of [false, true]) {
  describe(`blocks of OP Sepolia, ${hasFeed ? 'in increments' : 'whole'}`, { skip }, () => {
    let rig: LiveRig;
    let rules: Rules;
    let blocks: RealBlock[];
    before(async () => {
      rules = createRules(parseRollupConfig('rollup.json', witnessBlock(FIRST).rollupConfig));
      blocks = [];
      for (let number = FIRST; number <= LAST; number++) blocks.push(await realBlock(witnessBlock(number), rules));
      // Whole, the last two alone: the second one costs ten seconds.
      const parent = hasFeed ? parentOfFirst() : blocks.splice(0, 2)[1]!;
      rig = await LiveRig.start({ blocks: [parent], hasFeed, rules, wrap: serving(parent) });
    });
    after(() => rig.stop());

    test('come to the gas, receipts and state that the chain says', async () => {
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
        rig.node.push(block);
        await rig.atHead(block);
        if (block.number < LAST) count += await compared(rig, await changesOf(block.number, rules), block.number);
      }
      const { counts } = rig.status;
      assert.equal(counts.mismatches, 0, rig.notes.join('; '));
      assert.equal(rig.epochs, 1, rig.notes.join('; '));
      assert.equal(hasFeed ? counts.blocksPromoted : counts.blocksExecuted, blocks.length);
      assert.ok(count > (hasFeed ? 60 : 20), `${count} accounts and slots compared`);
    });
  });
}
