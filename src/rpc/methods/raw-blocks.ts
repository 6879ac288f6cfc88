// Methods that return complete blocks in RLP, the encoding from which hashes and roots are computed.
import { encodeBlock, encodeReceipt } from '../../chain/block/encode-block.js';
import { rpcError } from '../../rpc-errors.js';
import { toHex } from '../../lib/bytes/hex.js';
import type { CompleteBlock } from '../../state/complete-block.js';
import type { RpcCallOutcome } from '../answer/call-result.js';
import type { MethodFunction, MethodFunctionByName } from '../call/method-types.js';
import type { ReadView } from '../view/pinned-read-view.js';
import { createForwardedBlockRequest, type UpstreamAheadDeps } from './hold-answer-until-block-arrives.js';

/**
 * Creates a method that returns a block by number, tag or hash. The request is forwarded to the upstream node if the
 * block is not stored or `show` returns `null`.
 */
function ofBlock(
  method: string,
  show: (blocks: ReadView['blocks'], number: number) => RpcCallOutcome | null,
): MethodFunction<UpstreamAheadDeps> {
  const question = { byNumber: method, byHash: method, member: 'number', none: rpcError('blockNotFound') } as const;
  return (args, readView, deps) => {
    args.required(0);
    const ref = args.block(0);
    if (args.failure) return args.failure;
    if (ref.kind === 'pending' || readView.preConfirmedNumber(ref) !== null)
      return rpcError('blockNotFound', 'the block is not complete');
    const position = readView.resolve(ref);
    if ('error' in position) return position;
    if (position.kind === 'upstream') return createForwardedBlockRequest(position, [], question, deps);
    const { blocks } = readView;
    const shown = show(blocks, position.block);
    return shown ?? createForwardedBlockRequest(blocks.upstream(position.block), [], question, deps);
  };
}

function ofWhole(method: string, show: (block: CompleteBlock) => unknown): MethodFunction<UpstreamAheadDeps> {
  return ofBlock(method, (blocks, number) => {
    const block = blocks.at(number);
    return block === null ? null : JSON.stringify(show(block));
  });
}

export const rawBlockMethods = {
  /** `[block]`: returns the header of the block. */
  debug_getRawHeader: ofBlock('debug_getRawHeader', (blocks, number) => {
    const header = blocks.header(number);
    return header === null ? null : `"${toHex(header)}"`;
  }),

  /** `[block]`: returns the whole block. */
  debug_getRawBlock: ofWhole('debug_getRawBlock', (block) => toHex(encodeBlock(block))),

  /** `[block]`: returns the block's receipts, encoded as in the receipts trie. */
  debug_getRawReceipts: ofWhole('debug_getRawReceipts', ({ transactions }) =>
    transactions.map(({ receipt }) => toHex(encodeReceipt(receipt))),
  ),
} satisfies MethodFunctionByName<UpstreamAheadDeps>;
