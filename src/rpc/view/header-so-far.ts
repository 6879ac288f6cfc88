// Computes the header of a pre-confirmed block so far.

// A pre-confirmed block has the roots and the bloom filter of its transactions so far, computed on main for each
// increment that is requested. See DECISIONS.md.
import { encodeReceipt } from '../../chain/block/block-body.js';
import { buildHeader } from '../../chain/block/build-header.js';
import { EMPTY_REQUESTS_HASH } from '../../chain/block/execution-requests.js';
import { activeForkIndex, activeForks } from '../../chain/forks.js';
import type { Header } from '../../chain/block/header.js';
import { opRulesAt } from '../../chain/op/forks.js';
import { listTrieRoot } from '../../chain/list-trie-root.js';
import { EMPTY_TRIE_ROOT } from '../../chain/trie.js';
import { logsBloom } from '../../lib/bytes/bloom.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import type { BlockSoFar } from './pre-confirmed-blocks.js';
import { ZERO_WORD } from '../../lib/bytes/big-endian.js';

/** Fields that are derived from the transactions alone. */
type Sums = Pick<Header, 'transactionsRoot' | 'receiptsRoot' | 'logsBloom'>;

/** Cached by the last transaction of a block, which implies those before it. */
const SUMS = new WeakMap<ExecutedTransaction, Sums>();
const NO_SUMS: Sums = sumsOf([]);

/** Placeholders for fields that are derived from transactions. */
const WITHOUT_SUMS: Sums = { transactionsRoot: ZERO_WORD, receiptsRoot: ZERO_WORD, logsBloom: new Uint8Array(256) };

/** The header of a block so far, with its gas but without its roots. */
export function headerSoFar(soFar: BlockSoFar, chain: ChainDescription): Header {
  return headerWith(WITHOUT_SUMS, soFar, chain);
}

/**
 * The header with the fields that are derived from its transactions. They are computed once for each increment that is
 * requested, in 20 ms for 5,000 transactions. The state root, which only a complete block has, is zero.
 */
export function wholeHeaderSoFar(soFar: BlockSoFar, chain: ChainDescription): Header {
  const { transactions } = soFar;
  const last = transactions.at(-1);
  const sums = last === undefined ? NO_SUMS : (SUMS.get(last) ?? sumsOf(transactions));
  if (last !== undefined) SUMS.set(last, sums);
  return headerWith(sums, soFar, chain);
}

/** Fields computed at a block's end: the values for none (requests, withdrawals), or zero (from the state). */
function headerWith(
  sums: Sums,
  { env, coordinates, extraData, gasUsed, blobGasUsed }: BlockSoFar,
  chain: ChainDescription,
): Header {
  const { name } = chain.forks[activeForkIndex(chain.forks, env.number, env.timestamp)]!;
  const hasMessages = chain.op !== null && opRulesAt(chain.op, env.timestamp)?.has('isthmus') === true;
  return buildHeader(env, activeForks(name), {
    ...sums,
    parentHash: coordinates.parentHash,
    extraData,
    stateRoot: ZERO_WORD,
    gasUsed,
    blobGasUsed,
    withdrawalsRoot: hasMessages ? ZERO_WORD : EMPTY_TRIE_ROOT,
    requestsHash: EMPTY_REQUESTS_HASH,
    blockAccessListHash: ZERO_WORD,
  });
}

function sumsOf(transactions: readonly ExecutedTransaction[]): Sums {
  return {
    transactionsRoot: listTrieRoot(transactions.map(({ raw }) => raw)),
    receiptsRoot: listTrieRoot(transactions.map(({ receipt }) => encodeReceipt(receipt, receipt.root ?? null))),
    logsBloom: logsBloom(transactions.flatMap(({ receipt }) => receipt.logs)),
  };
}
