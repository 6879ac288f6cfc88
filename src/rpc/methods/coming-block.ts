// The upstream node's word of a block that has not come here yet: told with that block, or as of no block. Runs on main.

// Decision (2026-11, two cores): State at a hash, and methods of `--passthrough`, are passed on as they are: who names a
// block there reads it there. Price: what is asked here beside it may be of the block before.
import type { ErrorName, RpcError } from '../../errors.js';
import { monotonicMs } from '../../lib/time/clock.js';
import { LIMITS } from '../../limits/index.js';
import { isError, textOf, type CallResult } from '../answer/call-result.js';
import type { ChainEvents } from '../push/chain-events.js';
import type { Backing, Forward } from '../view/backing.js';
import type { UpstreamPosition } from '../view/chain-blocks.js';

/** The newest block here, and the node that may be ahead. */
export interface ComingParts {
  readonly backing: Backing | null;
  readonly events: ChainEvents;
}

/**
 * True if the chain here has block `number`, or gets it in LIMITS.headWaitMs; also where it is not known how far it has
 * got.
 */
export function hasCome(number: number, events: ChainEvents): boolean | Promise<boolean> {
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

/** Reasons for which there is no block that are an error and not null. */
export const TOLD: ReadonlySet<ErrorName> = new Set(['unknownBlock', 'notCanonical']);

/** Answers to a question about a block. */
export interface BlockAnswers {
  /** Member by which one names its block; without it the node is asked. */
  readonly member: 'number' | 'blockNumber';
  /** Answer where there is no such block, or it does not come in time. */
  readonly none: CallResult;
}

/** A method's question about a block, by number or by hash: each may be another method's. */
export interface BlockQuestion extends BlockAnswers {
  readonly byNumber: string;
  readonly byHash: string;
}

/** The question for the node, `more` behind the block. */
export function forwardBlock(
  { ref, isUnknown }: UpstreamPosition,
  more: readonly unknown[],
  asked: BlockQuestion,
  parts: ComingParts,
): Forward {
  if (typeof ref === 'string') return { forward: [ref, ...more], method: asked.byNumber };
  const hash = ref.blockHash;
  const question = { forward: [ref.requireCanonical === true ? ref : hash, ...more], method: asked.byHash };
  return isUnknown === true ? withItsBlock(question, hash, asked, parts) : question;
}

/** A question on a block of which only the hash is known here (`0x` and 64 digits): its answer is told once the block has come. */
export function withItsBlock(
  question: Forward,
  hash: string,
  { member, none }: BlockAnswers,
  { backing, events }: ComingParts,
): Forward {
  const told = async (answer: Told): Promise<CallResult> => {
    const text = textOf(answer);
    if (text === 'null') return answer;
    const number = numberIn(text, member) ?? (await askedNumber(hash, backing));
    if (typeof number === 'object') return number ?? none;
    return (await hasCome(number, events)) ? answer : none;
  };
  return { ...question, told };
}

type Told = Parameters<NonNullable<Forward['told']>>[0];

/** Number that `member` has where it stands first: all that an answer holds is of one block. */
function numberIn(text: string, member: BlockAnswers['member']): number | null {
  const found = MEMBERS[member].exec(text);
  return found === null ? null : Number(found[1]);
}

const MEMBERS = { number: /"number":"(0x[0-9a-f]+)"/, blockNumber: /"blockNumber":"(0x[0-9a-f]+)"/ };

/** The node's word; `null`: it does not know the block any more. */
async function askedNumber(hash: string, backing: Backing | null): Promise<number | RpcError | null> {
  const block = await backing!.request('eth_getBlockByHash', [hash, false], monotonicMs() + LIMITS.fillMsMax);
  return isError(block) ? block : numberIn(textOf(block), 'number');
}
