// Four real blocks of OP Sepolia as a node serves them, with the state after each as far as the witnesses contain it.
import assert from 'node:assert/strict';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { encodeHeader, type Header } from '../../../src/chain/block/header.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import type { ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { toHex, fromHex } from '../../../src/lib/bytes/hex.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';
import { EMPTY_CODE_HASH, type StateView } from '../../../src/state/views/state-view.js';
import type { Upstream, UpstreamBlock } from '../../../src/upstream/upstream.js';
import { FIRST, LAST, WitnessView, rootAfter, witnessBlock, type WitnessBlock } from '../../execution/op/witness.js';
import type { NodeBlock } from '../../support/upstream-node.js';
import { EXECUTOR } from '../../support/engine.js';

/** State after block `number`: if a key is only in a later block's witness, the blocks before that did not touch it. */
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

export interface RealBlock extends NodeBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parsed: Header;
  readonly transactions: readonly ExecutedTransaction[];
}

/** The parent of the first block, without its transactions, which were not recorded. */
export function parentOfFirst(): RealBlock {
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

/** The header is built by executing the block, and correct if its hash is. */
export async function realBlock(block: WitnessBlock, rules: ChainRules): Promise<RealBlock> {
  const view = new WitnessView(block);
  const executor = new TransactionExecutor(rules, view, EXECUTOR);
  const blockExecutor = await BlockExecutor.open(block.plan(rules.chain), { executor, view, trie: null });
  for (const raw of block.transactions) assert.equal((await blockExecutor.apply(raw)).kind, 'applied');
  const sealed = await blockExecutor.seal();
  const changes: StateChanges = sealed.changes;
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

/** An upstream client that also serves the starting block, whose transactions could not be verified. */
export function serving(block: RealBlock): (upstream: Upstream) => Upstream {
  const known: UpstreamBlock = { ...block, sizeBytes: 0, unknownType: null, transactions: [] };
  return (upstream) => ({
    chainId: () => upstream.chainId(),
    block: (ref, announced) =>
      ref instanceof Uint8Array && Buffer.compare(ref, block.hash) === 0
        ? Promise.resolve(known)
        : upstream.block(ref, announced),
    blockBeside: async (hash, announced, questions) =>
      Buffer.compare(hash, block.hash) === 0
        ? { block: known, answers: [] }
        : upstream.blockBeside(hash, announced, questions),
    header: (ref) => upstream.header(ref),
    read: (anchor, wants) => upstream.read(anchor, wants),
    request: (method, params, untilMs) => upstream.request(method, params, untilMs),
    watchHeads: (listener) => upstream.watchHeads(listener),
    close: () => upstream.close(),
    stats: upstream.stats,
    returns: upstream.returns,
    silentSinceMs: upstream.silentSinceMs,
  });
}
