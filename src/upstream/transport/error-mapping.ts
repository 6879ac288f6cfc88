// Maps an error of the upstream node to one of ours if there is an equivalent, because each node implementation has its
// own codes and messages. Pure.
import type { ErrorName } from '../../rpc-errors.js';
import type { RpcErrorObject } from './upstream-error.js';

/** The names in our error table (rpc-errors.ts) to which an error of the node may be mapped. */
export type MappedErrorName = Extract<
  ErrorName,
  | 'revert'
  | 'methodNotFound'
  | 'notCanonical'
  | 'stateNotKept'
  | 'blockNotFound'
  | 'tooManyResults'
  | 'responseTooLarge'
  | 'overload'
  | 'timeout'
>;

interface Words {
  readonly means: MappedErrorName;
  readonly text: RegExp;
  /** Error codes of nodes that map to this error, whatever the message is. */
  readonly codes: readonly number[];
}

/**
 * Error messages of go-ethereum, reth, Erigon, Nethermind, Besu, anvil and Hardhat. The first match counts. Messages
 * about pruned state are listed before those about unknown blocks, because some of them mention blocks as well.
 */
const WORDS: readonly Words[] = [
  { means: 'revert', codes: [3], text: /^(execution reverted|vm exception while processing transaction: revert)/i },
  {
    means: 'methodNotFound',
    codes: [-32601, -32004],
    text: /method (\S+ )?(not found|does not exist|is not|not (supported|allowed|available))|unsupported method/i,
  },
  { means: 'notCanonical', codes: [], text: /\bhash \S*( ?\S+)? ?is not currently canonical/i },
  {
    means: 'stateNotKept',
    // 4444 is EIP-4444's code for pruned history.
    codes: [4444],
    text: /missing trie node|state( \S+){0,4} (not found|unavailable|is not available|not available)|historical state|no state (available|found)|required data unavailable|(is|been|to) pruned|pruned history|due to pruning|distance to target block|non-archive node/i,
  },
  {
    means: 'blockNotFound',
    codes: [-39001],
    text: /(header|block)( \S+){0,4} (not found|unavailable|is not available|not available)|(header|block) not found|unknown block|^\S+ could not be found|cannot find (header|block)|specified in filter \S* ?.*cannot be found|canonical hash not found|blockoutofrange|received invalid block (tag|hash|number)|^resource not found|request beyond head block/i,
  },
  {
    means: 'tooManyResults',
    codes: [],
    text: /query returned more than|exceeds? max(imum)? (block range|results)|exceeds maximum rpc range limit|block range (is )?(too (large|wide|big)|exceeds)/i,
  },
  {
    means: 'responseTooLarge',
    codes: [-32003, -32008],
    text: /response (is )?too (large|big)|response size exceeded/i,
  },
  { means: 'overload', codes: [-32005], text: /too many requests|rate limit/i },
  {
    means: 'timeout',
    codes: [-32016],
    text: /request timed out|execution aborted \(timeout|^timeout( expired)?$|due to enabled timeout/i,
  },
];

/** Returns the name of our equivalent of a node's error; `null` if we have no equivalent. */
export function mapNodeError({ code, message }: RpcErrorObject): MappedErrorName | null {
  return WORDS.find(({ codes, text }) => codes.includes(code) || text.test(message))?.means ?? null;
}
