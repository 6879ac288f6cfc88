// Methods that show blocks, transactions and receipts. Runs on main.
import { decodeHeader } from '../../chain/header.js';
import { toQuantity } from '../../lib/hex.js';
import type { Arguments, BlockRef } from './arguments.js';
import type { CallResult, Forward, MethodParts, Run } from './method.js';
import { renderConfirmed, renderPending, renderReceipt, renderUnconfirmed } from './render.js';
import type { UpstreamPosition } from '../chain-blocks.js';
import type { ReadView } from '../read-view.js';
import type { CompleteBlock, PublishedTransaction } from '../../state/block.js';

/** `[]`: the number of the newest complete block, without the pre-confirmed one. */
export const blockNumber: Run = (_args, readView) => `"${toQuantity(readView.pinned.record.heads.latest)}"`;

/** `[number or tag, full]`: the block, null when there is none. */
export const getBlockByNumber: Run = (args, readView, parts) => {
  args.required(0);
  const block = args.blockNumber(0);
  const full = args.has(1) && args.boolean(1);
  if (args.failure) return args.failure;
  if (block.kind === 'pending' && readView.pinned.isPreconfirmed()) return pendingBlock(readView, parts, full);
  return knownBlock(block, args, readView, parts, full);
};

/** `[hash, full]`: the block, null when there is none. */
export const getBlockByHash: Run = (args, readView, parts) => {
  const hash = args.hash(0);
  const full = args.has(1) && args.boolean(1);
  if (args.failure) return args.failure;
  return knownBlock({ kind: 'hash', hash }, args, readView, parts, full);
};

function knownBlock(
  ref: BlockRef,
  args: Arguments,
  readView: ReadView,
  { blocks }: MethodParts,
  full: boolean,
): CallResult | Forward {
  const position = readView.resolve(ref);
  if ('error' in position) return position.error === 'unknownBlock' ? position : 'null';
  if (position.kind === 'upstream') return forwardBlock(position, args);
  const text = blocks.at(readView.blocks, position.block, full);
  const elsewhere = text === null ? readView.blocks.upstream(position.block) : null;
  return elsewhere === null ? (text ?? 'null') : forwardBlock(elsewhere, args);
}

/** These methods take numbers or hashes, each its own: a method of the other kind may have to be asked. */
function forwardBlock({ ref }: UpstreamPosition, args: Arguments): Forward {
  const full = args.has(1) && args.boolean(1);
  if (typeof ref === 'string') return { forward: [ref, full], method: 'eth_getBlockByNumber' };
  return { forward: [ref.blockHash, full], method: 'eth_getBlockByHash' };
}

function pendingBlock(readView: ReadView, parts: MethodParts, full: boolean): string {
  const { coordinates, env } = readView.pinned.record;
  const { gasUsed, transactions } = parts.pending.at(coordinates.block, coordinates.index);
  return JSON.stringify(renderPending(coordinates, env, gasUsed, transactions, full));
}

/** `[transaction hash]`: the receipt once its block is complete, null before. */
export const getTransactionReceipt: Run = (args, readView) => {
  const hash = args.hash(0);
  if (args.failure) return args.failure;
  const found = confirmed(hash, readView);
  return found === null ? 'null' : JSON.stringify(renderReceipt(found.block, found.index));
};

/** `[transaction hash]`: the transaction, confirmed or pre-confirmed; null while it merely waits. */
export const getTransactionByHash: Run = (args, readView, parts) => {
  const hash = args.hash(0);
  if (args.failure) return args.failure;
  const found = confirmed(hash, readView);
  if (found !== null) {
    const { timestamp } = decodeHeader(found.block.header);
    return JSON.stringify(renderConfirmed(found.block, found.index, timestamp));
  }
  const tx = preConfirmed(hash, readView, parts);
  return tx === undefined ? 'null' : JSON.stringify(renderUnconfirmed(tx));
};

function confirmed(hash: Uint8Array, readView: ReadView): { block: CompleteBlock; index: number } | null {
  const place = readView.blocks.transaction(hash);
  const block = place === null ? null : readView.blocks.at(place.block);
  return place === null || block === null ? null : { block, index: place.index };
}

function preConfirmed(
  hash: Uint8Array,
  readView: ReadView,
  { pending }: MethodParts,
): PublishedTransaction | undefined {
  const { block, index } = readView.pinned.record.coordinates;
  return pending.at(block, index).transactions.find((tx) => Buffer.compare(tx.hash, hash) === 0);
}
