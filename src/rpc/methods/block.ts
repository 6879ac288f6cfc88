// Methods that return blocks.

// In all methods, a request for a pre-confirmed block by its number, or by the zero hash that its receipts contain, is
// answered like a request for `pending`. In `eth_feeHistory`, the pre-confirmed block is the last one, as go-ethereum's
// pending block is. See DECISIONS.md.
import { decodeHeader } from '../../chain/block/header.js';
import { rpcError } from '../../rpc-errors.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import {
  createForwardedBlockRequest,
  BLOCK_LOOKUP_ERROR_NAMES,
  type ByNumberAndByHashMethods,
  type UpstreamAheadDeps,
} from './hold-answer-until-block-arrives.js';
import type { MethodFunctionByName, MethodResult } from '../call/method-types.js';
import { renderBlockAccessList } from '../render/block-access-list.js';
import { renderPendingBlock } from '../render/blocks-and-transactions.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { BlockParam } from '../view/block-param-types.js';
import type { RpcArguments } from '../params/arguments.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import type { BlockJsonCache } from '../render/block-json-cache.js';

export interface BlockMethodDeps extends UpstreamAheadDeps {
  readonly executed: ExecutedBlockLookup;
  readonly blocks: BlockJsonCache;
}

export const blockMethods = {
  /** `[]`: returns the number of the newest complete block, not of a pre-confirmed one. */
  eth_blockNumber: (_args, readView) => `"${toQuantity(readView.pinned.record.heads.latest)}"`,

  /** `[number or tag, full]`: returns the block, or null if there is none. */
  eth_getBlockByNumber: (args, readView, deps) => {
    args.required(0);
    return readBlock(args, args.blockNumber(0), readView, deps);
  },

  /** `[hash, full]`: returns the block, or null if there is none. */
  eth_getBlockByHash: (args, readView, deps) => readBlock(args, { kind: 'hash', hash: args.hash(0) }, readView, deps),

  /**
   * `[block]`: returns the access list of a block (EIP-7928), by number, tag or hash; null if there is no such complete
   * block.
   */
  eth_getBlockAccessList: (args, readView, deps) => {
    args.required(0);
    const ref = args.block(0);
    if (args.failure) return args.failure;
    if (ref.kind === 'pending' || readView.preConfirmedNumber(ref) !== null) return 'null';
    const position = readView.resolve(ref);
    if ('error' in position) return BLOCK_LOOKUP_ERROR_NAMES.has(position.error) ? position : 'null';
    if (position.kind === 'upstream') return createForwardedBlockRequest(position, [], LIST, deps);
    const record = readView.blocks.record(position.block);
    if (record?.accessList !== undefined) return renderBlockAccessList(record.accessList);
    if (record !== null && decodeHeader(record.header).blockAccessListHash === undefined)
      return rpcError('resourceNotFound');
    return createForwardedBlockRequest(readView.blocks.upstream(position.block), [], LIST, deps);
  },
} satisfies MethodFunctionByName<BlockMethodDeps>;

const LIST: ByNumberAndByHashMethods = {
  byNumber: 'eth_getBlockAccessList',
  byHash: 'eth_getBlockAccessList',
  member: 'number',
  none: 'null',
};

/**
 * Names of the two methods that return a block, by number and by hash. A request may be forwarded by the hash although
 * the client named the block by its number, and vice versa, so both methods are needed.
 */
const BLOCK: ByNumberAndByHashMethods = { ...LIST, byNumber: 'eth_getBlockByNumber', byHash: 'eth_getBlockByHash' };

/** Returns block `ref`; the second parameter says whether with whole transactions. */
function readBlock(args: RpcArguments, ref: BlockParam, readView: ReadView, deps: BlockMethodDeps): MethodResult {
  const full = args.has(1) && args.boolean(1);
  return args.failure ?? pendingBlock(ref, readView, deps, full) ?? knownBlock(ref, readView, deps, full);
}

function knownBlock(ref: BlockParam, readView: ReadView, deps: BlockMethodDeps, full: boolean): MethodResult {
  const position = readView.resolve(ref);
  if ('error' in position) return position.error === 'unknownBlock' ? position : 'null';
  if (position.kind === 'upstream') return createForwardedBlockRequest(position, [full], BLOCK, deps);
  const text = deps.blocks.at(readView.blocks, position.block, full);
  return text ?? createForwardedBlockRequest(readView.blocks.upstream(position.block), [full], BLOCK, deps);
}

/** Returns a pre-confirmed block as JSON; `null` if `ref` refers to another block. */
function pendingBlock(
  ref: BlockParam,
  readView: ReadView,
  { executed }: BlockMethodDeps,
  full: boolean,
): string | null {
  const number = readView.preConfirmedNumber(ref);
  const soFar = number === null ? null : executed.soFar(readView, number);
  if (number === null || soFar === null) return null;
  const by = ref.kind === 'pending' ? 'tag' : 'number';
  return JSON.stringify(renderPendingBlock(executed.announced(number, soFar), { full, by }));
}
