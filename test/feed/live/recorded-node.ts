// Serves blocks recorded from go-ethereum as a node does: their RLP, the state after each, receipts, traces and access
// lists.
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { NodeError, type NodeBlock, type UpstreamNode } from '../../support/upstream-node.js';
import type { Json } from '../../support/node-json.js';
import { jsonOf } from '../diffs/access-list-forms.js';
import { tracesOf, type RecordedBlock } from '../diffs/recorded-chain.js';
import type { WholeState } from '../diffs/whole-state.js';

/** A recorded block with all of a node's responses about it. */
export interface WholeBlock extends RecordedBlock {
  /** RLP, `0x` hex. */
  readonly raw: string;
  readonly receipts: readonly Json[];
}

/** A block of the node, with the state after it. */
export interface StatedBlock extends NodeBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly state: WholeState;
}

export function statedBlock({ number, raw, block }: WholeBlock, state: WholeState): StatedBlock {
  const [header, transactions] = RLP.decode(fromHex(raw)) as NestedUint8Array as [NestedUint8Array, NestedUint8Array];
  const encoded = RLP.encode(header);
  return {
    number,
    hash: keccak256(encoded),
    header: encoded,
    // A typed transaction is a byte string, a legacy one a list.
    transactions: transactions.map((each, at) => ({
      raw: each instanceof Uint8Array ? each : RLP.encode(each),
      from: fromHex(block.transactions[at]!.from),
    })),
    withdrawals: block.withdrawals.map(({ index, validatorIndex, address, amount }) => ({
      index: BigInt(index!),
      validatorIndex: BigInt(validatorIndex!),
      address: fromHex(address!),
      amount: BigInt(amount!),
    })),
    state,
  };
}

/** Makes the node serve receipts, both tracers and, with `hasLists`, access lists of these blocks. */
export function serveRecorded(node: UpstreamNode, blocks: readonly WholeBlock[], hasLists: boolean): void {
  const byHash = new Map(blocks.map((block) => [block.block['hash']!, block]));
  const known = (hash: unknown): WholeBlock => {
    const block = byHash.get(String(hash));
    if (block === undefined) throw new NodeError(-32000, 'block not found');
    return block;
  };
  const calls = new Map(
    blocks.flatMap(({ block, calls: all = [] }) => block.transactions.map(({ hash }, at) => [hash, all[at]] as const)),
  );
  node.methods.set('eth_getBlockReceipts', ([hash]) => known(hash).receipts);
  node.methods.set('debug_traceBlockByHash', ([hash]) => tracesOf(known(hash)) as Json[]);
  node.methods.set('debug_traceTransaction', ([hash]) => calls.get(String(hash)) as Json);
  if (!hasLists) return;
  node.methods.set('eth_getBlockAccessList', ([hash]) => jsonOf(known(hash).blockAccessList!) as unknown as Json);
}
