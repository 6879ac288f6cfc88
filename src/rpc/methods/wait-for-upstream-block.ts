// Handles answers of the upstream node about a block that has not arrived here yet. They are returned when the block
// has arrived, or as if there were no such block.

// Requests for state at a hash, and methods of `--passthrough`, are forwarded as they are: a client that names a block
// of the node reads it there. See DECISIONS.md.
import type { ErrorName, RpcError } from '../../errors.js';
import { monotonicMs } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import { isError, resultJson, type CallResult } from '../answer/call-result.js';
import type { ChainEvents } from '../push/chain-events.js';
import type { BackingNode, ForwardedCall } from '../view/backing-node.js';
import type { UpstreamPosition } from '../view/chain-blocks.js';

/** The events, which have our newest block, and the node that may be ahead of it. */
export interface UpstreamAheadDeps {
  readonly backing: BackingNode | null;
  readonly events: ChainEvents;
}

/** True if we have block `number`, or it arrives within LIMITS.headWaitMs. Also true if our newest block is unknown. */
export function blockHasArrived(number: number, events: ChainEvents): boolean | Promise<boolean> {
  const isHere = (): boolean => events.head === null || events.head >= number;
  if (isHere() || events.listeners >= LIMITS.receiptWaitersMax) return isHere();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      unlisten();
      resolve(isHere());
    };
    const timer = setTimeout(end, LIMITS.headWaitMs);
    const unlisten = events.listen(() => {
      if (isHere()) end();
    });
  });
}

/** Failures to find a block that are returned as an error instead of null. */
export const BLOCK_NOT_FOUND_ERRORS: ReadonlySet<ErrorName> = new Set(['unknownBlock', 'notCanonical']);

/** How a method answers if it is about a block. */
interface BlockResultForm {
  /** The member of the result with the block's number. If it is missing, the node is asked for it. */
  readonly member: 'number' | 'blockNumber';
  /** The result if there is no such block, or it does not arrive in time. */
  readonly none: CallResult;
}

/** A method about a block by number or by hash, which may be two methods. */
export interface BlockMethodNames extends BlockResultForm {
  readonly byNumber: string;
  readonly byHash: string;
}

/** The request to the node. `more` are the parameters after the block. */
export function forwardBlockRequest(
  { ref, isUnknown }: UpstreamPosition,
  more: readonly unknown[],
  block: BlockMethodNames,
  deps: UpstreamAheadDeps,
): ForwardedCall {
  if (typeof ref === 'string') return { forward: [ref, ...more], method: block.byNumber };
  const hash = ref.blockHash;
  const question = { forward: [ref.requireCanonical === true ? ref : hash, ...more], method: block.byHash };
  return isUnknown === true ? holdUntilBlockArrives(question, hash, block, deps) : question;
}

/** A request about a block of which we know the hash (`0x`, 64 digits): it waits until the block is here. */
export function holdUntilBlockArrives(
  question: ForwardedCall,
  hash: string,
  { member, none }: BlockResultForm,
  { backing, events }: UpstreamAheadDeps,
): ForwardedCall {
  const decorate = async (answer: NodeAnswer): Promise<CallResult> => {
    const text = resultJson(answer);
    if (text === 'null') return answer;
    const number = numberIn(text, member) ?? (await queriedNumber(hash, backing));
    if (typeof number === 'object') return number ?? none;
    return (await blockHasArrived(number, events)) ? answer : none;
  };
  return { ...question, decorate };
}

type NodeAnswer = Parameters<NonNullable<ForwardedCall['decorate']>>[0];

/** The number in the first `member`: everything in one result is of the same block. */
function numberIn(text: string, member: BlockResultForm['member']): number | null {
  const found = MEMBERS[member].exec(text);
  return found === null ? null : Number(found[1]);
}

const MEMBERS = { number: /"number":"(0x[0-9a-f]+)"/, blockNumber: /"blockNumber":"(0x[0-9a-f]+)"/ };

/** Asks the node for the block's number; `null` if the node no longer knows the block. */
async function queriedNumber(hash: string, backing: BackingNode | null): Promise<number | RpcError | null> {
  const block = await backing!.request('eth_getBlockByHash', [hash, false], monotonicMs() + LIMITS.fillMsMax);
  return isError(block) ? block : numberIn(resultJson(block), 'number');
}
