// What fee methods need to know about a block, in one cached row per block.
import type { ChainDescription } from '../../chain/chain-description.js';
import { GAS_PER_BLOB, activeForkIndex, blobRules, type BlobRules } from '../../chain/forks.js';
import { decodeHeader, type Header } from '../../chain/block/header.js';
import { BoundedCache } from '../../lib/memory/bounded-cache.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import type { ChainBlocks } from './chain-blocks.js';
import { headerSoFar } from './header-so-far.js';
import type { BlockSoFar } from './pre-confirmed-blocks.js';

/** Fees of one block, as in eth_feeHistory. */
export interface BlockFees {
  /** Base fees as quantities. */
  readonly baseFee: string;
  readonly blobBaseFee: string;
  /** From the header. From Amsterdam on it is not the sum of what the transactions paid for (EIP-8037). */
  readonly gasUsed: number;
  readonly gasUsedRatio: number;
  readonly blobGasUsedRatio: number;
  /** Tips per gas that its transactions paid, in wei and ascending order. */
  readonly tips: readonly bigint[];
  /** Gas used by the transactions up to and including the one with the same index in `tips`. */
  readonly gasUpTo: Float64Array;
  /** The lowest tips that show what inclusion costs, ascending: 2 wei or more, not by the fee recipient. */
  readonly lowestTips: readonly bigint[];
  /** True if another transaction as large as the block's largest would not have fitted. */
  readonly isFull: boolean;
}

export type FeeBlockSource = Pick<ChainBlocks, 'key' | 'at'>;

/** Number of tips sampled from a block, and the lowest tip in wei per gas that counts, as in go-ethereum. */
const SAMPLED_TIPS = 3;
const SAMPLED_TIP_MIN = 2n;

/** The rows of the most recently requested blocks, bounded by the number of their transactions. */
export class CachedBlockFees {
  #chain: ChainDescription;
  #rows = new BoundedCache<string, BlockFees>(LIMITS.feeRowItemsMax);

  constructor(chain: ChainDescription) {
    this.#chain = chain;
  }

  /** See `RuleDependent`. Prices depend on the rules. */
  useChain(chain: ChainDescription): void {
    if (chain === this.#chain) return;
    this.#chain = chain;
    this.#rows = new BoundedCache(LIMITS.feeRowItemsMax);
  }

  /** The row of block `number`; `null` if the block is not here. Making a row reads the whole block. */
  at(blocks: FeeBlockSource, number: number): BlockFees | null {
    const key = blocks.key(number);
    if (key === null) return null;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const block = blocks.at(number);
    if (block === null) return null;
    const row = rowOf(decodeHeader(block.header), block.transactions, this.#chain);
    this.#rows.set(key, row, 1 + row.tips.length);
    return row;
  }
}

export function blobRulesAt({ number, timestamp }: Header, chain: ChainDescription): BlobRules {
  return blobRules(chain, activeForkIndex(chain.forks, number, timestamp));
}

export function preConfirmedBlockFees(soFar: BlockSoFar, chain: ChainDescription): BlockFees {
  return rowOf(headerSoFar(soFar, chain), soFar.transactions, chain);
}

function rowOf(header: Header, transactions: readonly ExecutedTransaction[], chain: ChainDescription): BlockFees {
  const rules = blobRulesAt(header, chain);
  const blobGasMax = BigInt(rules.blobsMax) * GAS_PER_BLOB;
  return {
    baseFee: toQuantity(header.baseFeePerGas ?? 0n),
    blobBaseFee: toQuantity(header.excessBlobGas === null ? 0n : rules.blobBaseFee(header.excessBlobGas)),
    gasUsed: Number(header.gasUsed),
    gasUsedRatio: Number(header.gasUsed) / Number(header.gasLimit),
    // From Jovian on, OP-Stack headers use the field for something else.
    blobGasUsedRatio: chain.op === null ? Number(header.blobGasUsed ?? 0n) / Number(blobGasMax) : 0,
    ...tipsOf(paidIn(transactions, header), header),
  };
}

/** What one transaction of a block has paid. */
interface Paid {
  /** Wei per gas; 0 for an OP-Stack deposit, which pays nothing. */
  readonly tip: bigint;
  readonly gasUsed: number;
  readonly isOfRecipient: boolean;
}

/** What the transactions have paid, ascending by tip. */
function paidIn(transactions: readonly ExecutedTransaction[], { baseFeePerGas, coinbase }: Header): readonly Paid[] {
  const paid = transactions.map(({ from, receipt }) => ({
    tip: receipt.depositNonce === undefined ? receipt.effectiveGasPrice - (baseFeePerGas ?? 0n) : 0n,
    gasUsed: Number(receipt.gasUsed),
    isOfRecipient: sameBytes(from, coinbase),
  }));
  return paid.sort((a, b) => compareBigints(a.tip, b.tip));
}

function tipsOf(
  paid: readonly Paid[],
  { gasUsed, gasLimit }: Header,
): Pick<BlockFees, 'tips' | 'gasUpTo' | 'lowestTips' | 'isFull'> {
  let [sum, largest] = [0, 0];
  for (const each of paid) largest = Math.max(largest, each.gasUsed);
  const sampled = paid.filter(({ tip, isOfRecipient }) => tip >= SAMPLED_TIP_MIN && !isOfRecipient);
  return {
    tips: paid.map(({ tip }) => tip),
    gasUpTo: Float64Array.from(paid, (each) => (sum += each.gasUsed)),
    lowestTips: sampled.slice(0, SAMPLED_TIPS).map(({ tip }) => tip),
    isFull: largest <= Number(gasLimit) && Number(gasUsed) + largest > Number(gasLimit),
  };
}

/** Comparison of bigints, for `sort`. */
export function compareBigints(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
