// Handles answers of the upstream node about a block that our feed has not delivered yet. They are held back until the
// block arrives. If it does not arrive in time, the client gets the same response as for an unknown block.

// Answers to requests for state at a block hash, and to methods of `--passthrough`, are not held back: a client that
// names a block which only the node has wants the node's answer. See DECISIONS.md.
import type { ErrorName, RpcError } from '../../rpc-errors.js';
import { monotonicMs } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import { isError, methodResultJson, type RpcCallOutcome } from '../answer/call-result.js';
import type { ChainEvents } from '../push/chain-events.js';
import type { BackingNodeDeps } from '../call/method-types.js';
import type { BackingNode, ForwardedCall } from '../view/upstream-node-access.js';
import type { UpstreamBlockRef } from '../view/stored-blocks.js';

/** The chain events, which know our newest block, and the upstream node, which may be ahead of that block. */
export interface UpstreamAheadDeps extends BackingNodeDeps {
  readonly events: ChainEvents;
}

/** Errors of a failed block look-up that are returned to the client as an error, not as null. */
export const BLOCK_LOOKUP_ERROR_NAMES: ReadonlySet<ErrorName> = new Set(['unknownBlock', 'notCanonical']);

/** Form of the result of a method that returns data of a block. */
interface BlockResultForm {
  /** Member of the result that contains the block number. If it is missing, the node is queried for the number. */
  readonly member: 'number' | 'blockNumber';
  /** The result if there is no such block, or if it does not arrive in time. */
  readonly none: RpcCallOutcome;
}

/** Names of the node's methods that return the same block data by number and by hash. Both may be the same method. */
export interface ByNumberAndByHashMethods extends BlockResultForm {
  readonly byNumber: string;
  readonly byHash: string;
}

/**
 * Creates the request to the node; if there is no reference to the block, returns the result for no such block. `more`
 * are the parameters after the block.
 */
export function createForwardedBlockRequest(
  upstream: UpstreamBlockRef | null,
  more: readonly unknown[],
  block: ByNumberAndByHashMethods,
  deps: UpstreamAheadDeps,
): ForwardedCall | RpcCallOutcome {
  if (upstream === null) return block.none;
  const { ref, isUnknown } = upstream;
  if (typeof ref === 'string') return { forward: [ref, ...more], method: block.byNumber };
  const hash = ref.blockHash;
  const question = { forward: [ref.requireCanonical === true ? ref : hash, ...more], method: block.byHash };
  return isUnknown === true ? holdUntilBlockArrives(question, hash, block, deps) : question;
}

/**
 * Creates a request about a block whose hash (`0x`, 64 digits) is known. Its answer is held back until the block has
 * arrived.
 */
export function holdUntilBlockArrives(
  question: ForwardedCall,
  hash: string,
  { member, none }: BlockResultForm,
  { backing, events }: UpstreamAheadDeps,
): ForwardedCall {
  const decorate = async (answer: NodeAnswer): Promise<RpcCallOutcome> => {
    const text = methodResultJson(answer);
    if (text === 'null') return answer;
    const number = numberIn(text, member) ?? (await queriedNumber(hash, backing));
    if (typeof number === 'object') return number ?? none;
    return (await events.waitForBlock(number)) ? answer : none;
  };
  return { ...question, decorate };
}

type NodeAnswer = Parameters<NonNullable<ForwardedCall['decorate']>>[0];

/**
 * Returns the block number in the first JSON member `member` of a result; `null` if there is none. A result concerns
 * only one block, so all these members have the same value.
 */
function numberIn(text: string, member: BlockResultForm['member']): number | null {
  const found = MEMBERS[member].exec(text);
  return found === null ? null : Number(found[1]);
}

const MEMBERS = { number: /"number":"(0x[0-9a-f]+)"/, blockNumber: /"blockNumber":"(0x[0-9a-f]+)"/ };

/** Asks the node for the number of the block; `null` if the node no longer knows it. */
async function queriedNumber(hash: string, backing: BackingNode | null): Promise<number | RpcError | null> {
  const block = await backing!.request('eth_getBlockByHash', [hash, false], monotonicMs() + LIMITS.fillMsMax);
  return isError(block) ? block : numberIn(methodResultJson(block), 'number');
}
