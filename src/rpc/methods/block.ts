// Methods that show blocks. Runs on main.

// Decision (2026-11, two cores): The number of a pre-confirmed block means `pending` everywhere, and so does the zero
// hash that its receipts name; `eth_feeHistory` ends with that block, as go-ethereum's does at `pending`. A range of
// logs from it on ends with it. Gain: what clients ask behind a receipt is served. Price: what is asked by that number
// may change until the block is complete; fees after it are those after what there is of it.
import { decodeHeader } from '../../chain/block/header.js';
import { rpcError } from '../../errors.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import { forwardBlock, TOLD, type BlockQuestion, type ComingParts } from './coming-block.js';
import type { Run } from '../call/method.js';
import { accessListText } from '../render/access-list.js';
import { renderPending } from '../render/render.js';
import type { ReadView } from '../view/read-view.js';
import type { BlockRef } from '../view/block-ref.js';
import type { CallResult } from '../answer/call-result.js';
import type { Forward } from '../view/backing.js';
import type { ExecutedBlocks } from '../view/executed-blocks.js';
import type { BlockTexts } from '../render/block-texts.js';

/** Parts of methods that show blocks. */
export interface BlockParts extends ComingParts {
  readonly executed: ExecutedBlocks;
  readonly blocks: BlockTexts;
}

/** `[]`: the number of the newest complete block, without the pre-confirmed one. */
export const blockNumber: Run = (_args, readView) => `"${toQuantity(readView.pinned.record.heads.latest)}"`;

/** `[number or tag, full]`: the block, null when there is none. */
export const getBlockByNumber: Run<BlockParts> = (args, readView, parts) => {
  args.required(0);
  const block = args.blockNumber(0);
  const full = args.has(1) && args.boolean(1);
  if (args.failure) return args.failure;
  return pendingBlock(block, readView, parts, full) ?? knownBlock(block, readView, parts, full);
};

/** `[hash, full]`: the block, null when there is none. */
export const getBlockByHash: Run<BlockParts> = (args, readView, parts) => {
  const hash = args.hash(0);
  const full = args.has(1) && args.boolean(1);
  if (args.failure) return args.failure;
  const block: BlockRef = { kind: 'hash', hash };
  return pendingBlock(block, readView, parts, full) ?? knownBlock(block, readView, parts, full);
};

/** `[block]`: all that it has read and written, by number, tag or hash (EIP-7928); null where there is none, or it is not complete. */
export const getBlockAccessList: Run<ComingParts> = (args, readView, parts) => {
  args.required(0);
  const ref = args.block(0);
  if (args.failure) return args.failure;
  if (ref.kind === 'pending' || readView.preConfirmedNumber(ref) !== null) return 'null';
  const position = readView.resolve(ref);
  if ('error' in position) return TOLD.has(position.error) ? position : 'null';
  if (position.kind === 'upstream') return forwardBlock(position, [], LIST, parts);
  const record = readView.blocks.record(position.block);
  if (record?.accessList !== undefined) return accessListText(record.accessList);
  if (record !== null && decodeHeader(record.header).blockAccessListHash === undefined)
    return rpcError('resourceNotFound');
  const elsewhere = readView.blocks.upstream(position.block);
  return elsewhere === null ? 'null' : forwardBlock(elsewhere, [], LIST, parts);
};

const LIST: BlockQuestion = {
  byNumber: 'eth_getBlockAccessList',
  byHash: 'eth_getBlockAccessList',
  member: 'number',
  none: 'null',
};

/** These methods take numbers or hashes, each its own: a method of the other kind may have to be asked. */
const BLOCK: BlockQuestion = { ...LIST, byNumber: 'eth_getBlockByNumber', byHash: 'eth_getBlockByHash' };

function knownBlock(ref: BlockRef, readView: ReadView, parts: BlockParts, full: boolean): CallResult | Forward {
  const position = readView.resolve(ref);
  if ('error' in position) return position.error === 'unknownBlock' ? position : 'null';
  if (position.kind === 'upstream') return forwardBlock(position, [full], BLOCK, parts);
  const text = parts.blocks.at(readView.blocks, position.block, full);
  const elsewhere = text === null ? readView.blocks.upstream(position.block) : null;
  return elsewhere === null ? (text ?? 'null') : forwardBlock(elsewhere, [full], BLOCK, parts);
}

/** A pre-confirmed block; `null` where the reference means another one. */
function pendingBlock(ref: BlockRef, readView: ReadView, { executed }: BlockParts, full: boolean): string | null {
  const number = readView.preConfirmedNumber(ref);
  const soFar = number === null ? null : executed.soFar(readView, number);
  return number === null || soFar === null
    ? null
    : JSON.stringify(
        renderPending(executed.announced(number, soFar), { full, by: ref.kind === 'pending' ? 'tag' : 'number' }),
      );
}
