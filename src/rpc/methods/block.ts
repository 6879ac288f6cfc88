// Methods that show blocks. Runs on main.

// Decision (2026-11, two cores): The number of a pre-confirmed block means `pending` everywhere, and so does the zero
// hash that its receipts name; `eth_feeHistory` ends with that block, as go-ethereum's does at `pending`. A range of
// logs from it on ends with it. Gain: what clients ask behind a receipt is served. Price: what is asked by that number
// may change until the block is complete; fees after it are those after what there is of it.
import { decodeHeader } from '../../chain/block/header.js';
import { rpcError, type ErrorName } from '../../errors.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import type { Arguments } from '../params/arguments.js';
import { withItsBlock, type ComingParts } from './coming-block.js';
import type { Run } from '../call/method.js';
import { accessListText } from '../render/access-list.js';
import { renderPending } from '../render/render.js';
import type { UpstreamPosition } from '../view/chain-blocks.js';
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
  return pendingBlock(block, readView, parts, full) ?? knownBlock(block, args, readView, parts, full);
};

/** `[hash, full]`: the block, null when there is none. */
export const getBlockByHash: Run<BlockParts> = (args, readView, parts) => {
  const hash = args.hash(0);
  const full = args.has(1) && args.boolean(1);
  if (args.failure) return args.failure;
  const block: BlockRef = { kind: 'hash', hash };
  return pendingBlock(block, readView, parts, full) ?? knownBlock(block, args, readView, parts, full);
};

/** `[block]`: all that it has read and written, by number, tag or hash (EIP-7928); null where there is none, or it is not complete. */
export const getBlockAccessList: Run<ComingParts> = (args, readView, parts) => {
  args.required(0);
  const ref = args.block(0);
  if (args.failure) return args.failure;
  if (ref.kind === 'pending' || readView.preConfirmedNumber(ref) !== null) return 'null';
  const position = readView.resolve(ref);
  if ('error' in position) return TOLD.has(position.error) ? position : 'null';
  if (position.kind === 'upstream') return forwardList(position, parts);
  const record = readView.blocks.record(position.block);
  if (record?.accessList !== undefined) return accessListText(record.accessList);
  if (record !== null && decodeHeader(record.header).blockAccessListHash === undefined)
    return rpcError('resourceNotFound');
  const elsewhere = readView.blocks.upstream(position.block);
  return elsewhere === null ? 'null' : forwardList(elsewhere, parts);
};

/** Reasons for which there is no block that are an error and not null. */
const TOLD: ReadonlySet<ErrorName> = new Set(['unknownBlock', 'notCanonical']);

function forwardList({ ref, isUnknown }: UpstreamPosition, parts: ComingParts): Forward {
  const method = 'eth_getBlockAccessList';
  if (typeof ref === 'string') return { forward: [ref], method };
  const hash = ref.blockHash;
  const question = { forward: [ref.requireCanonical === true ? ref : hash], method };
  return isUnknown === true ? withItsBlock({ question, hash, member: 'number', none: 'null' }, parts) : question;
}

function knownBlock(
  ref: BlockRef,
  args: Arguments,
  readView: ReadView,
  parts: BlockParts,
  full: boolean,
): CallResult | Forward {
  const position = readView.resolve(ref);
  if ('error' in position) return position.error === 'unknownBlock' ? position : 'null';
  if (position.kind === 'upstream') return forwardBlock(position, args, parts);
  const text = parts.blocks.at(readView.blocks, position.block, full);
  const elsewhere = text === null ? readView.blocks.upstream(position.block) : null;
  return elsewhere === null ? (text ?? 'null') : forwardBlock(elsewhere, args, parts);
}

/** These methods take numbers or hashes, each its own: a method of the other kind may have to be asked. */
function forwardBlock({ ref, isUnknown }: UpstreamPosition, args: Arguments, parts: ComingParts): Forward {
  const full = args.has(1) && args.boolean(1);
  if (typeof ref === 'string') return { forward: [ref, full], method: 'eth_getBlockByNumber' };
  const hash = ref.blockHash;
  const question = { forward: [hash, full], method: 'eth_getBlockByHash' };
  return isUnknown === true ? withItsBlock({ question, hash, member: 'number', none: 'null' }, parts) : question;
}

/** A pre-confirmed block; `null` where the reference means another one. */
function pendingBlock(ref: BlockRef, readView: ReadView, { executed }: BlockParts, full: boolean): string | null {
  const number = readView.preConfirmedNumber(ref);
  const soFar = number === null ? null : executed.soFar(readView, number);
  const block = number === null ? null : executed.preConfirmed(readView, number);
  return soFar === null || block === null
    ? null
    : JSON.stringify(renderPending(soFar, block, { full, by: ref.kind === 'pending' ? 'tag' : 'number' }));
}
