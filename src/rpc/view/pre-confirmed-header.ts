// Computes the header of a pre-confirmed block from its increments so far.

// A pre-confirmed block has the roots and the bloom filter of its transactions so far. They are computed on the main
// thread for each increment that is requested. See DECISIONS.md.
import { encodeReceipt } from '../../chain/block/encode-block.js';
import { buildHeader } from '../../chain/block/build-header.js';
import { EMPTY_REQUESTS_HASH } from '../../chain/block/execution-requests.js';
import { activeForkIndex, forksUpTo } from '../../chain/active-forks.js';
import type { Header } from '../../chain/block/header.js';
import { opRulesAt } from '../../chain/op/forks.js';
import { listTrieRoot } from '../../chain/list-trie-root.js';
import { EMPTY_TRIE_ROOT } from '../../chain/trie.js';
import { logsBloom } from '../../lib/bytes/bloom.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import type { BlockSoFar } from './pre-confirmed-blocks.js';
import { ZERO_WORD } from '../../lib/bytes/big-endian.js';

/** Header fields that are computed from the transactions alone. */
type Sums = Pick<Header, 'transactionsRoot' | 'receiptsRoot' | 'logsBloom'>;

/** Caches these fields by the last transaction of a block, which implies the transactions before it. */
const SUMS = new WeakMap<ExecutedTransaction, Sums>();
const NO_SUMS: Sums = sumsOf([]);

/** Placeholders for the header fields that are computed from transactions. */
const WITHOUT_SUMS: Sums = { transactionsRoot: ZERO_WORD, receiptsRoot: ZERO_WORD, logsBloom: new Uint8Array(256) };

/** Returns the header of a block so far, with its gas, but with placeholders for its roots and bloom filter. */
export function headerSoFar(soFar: BlockSoFar, chain: ChainDescription): Header {
  return headerWith(WITHOUT_SUMS, soFar, chain);
}

/**
 * Returns the header of a block so far, with the fields that are computed from its transactions. They are computed once
 * for each increment that is requested, in 20 ms for 5,000 transactions. The state root, which only a complete block
 * has, is zero.
 */
export function wholeHeaderSoFar(soFar: BlockSoFar, chain: ChainDescription): Header {
  const { transactions } = soFar;
  const last = transactions.at(-1);
  const sums = last === undefined ? NO_SUMS : (SUMS.get(last) ?? sumsOf(transactions));
  if (last !== undefined) SUMS.set(last, sums);
  return headerWith(sums, soFar, chain);
}

/**
 * Builds a header. Some fields are only known at the end of the block. The requests hash and the withdrawals root are
 * those of empty lists, and the fields that are computed from the state are zero.
 */
function headerWith(
  sums: Sums,
  { env, coordinates, extraData, gasUsed, blobGasUsed }: BlockSoFar,
  chain: ChainDescription,
): Header {
  const { name } = chain.forks[activeForkIndex(chain.forks, env.number, env.timestamp)]!;
  const hasMessages = chain.op !== null && opRulesAt(chain.op, env.timestamp)?.has('isthmus') === true;
  return buildHeader(env, forksUpTo(name), {
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
    receiptsRoot: listTrieRoot(transactions.map(({ receipt }) => encodeReceipt(receipt))),
    logsBloom: logsBloom(transactions.flatMap(({ receipt }) => receipt.logs)),
  };
}
