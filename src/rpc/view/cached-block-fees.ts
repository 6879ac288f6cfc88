// Fees of blocks, for eth_feeHistory and for suggesting tips. The fees of each block are cached as one row.
import type { ChainDescription } from '../../chain/chain-description.js';
import { GAS_PER_BLOB, activeForkIndex, blobRules, type BlobRules } from '../../chain/active-forks.js';
import { decodeHeader, type Header } from '../../chain/block/header.js';
import { BoundedCache } from '../../lib/memory/bounded-cache.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import type { StoredBlocks } from './stored-blocks.js';
import { headerSoFar } from './pre-confirmed-header.js';
import type { BlockSoFar } from './pre-confirmed-blocks.js';

/** Fees of one block, as in eth_feeHistory. */
export interface BlockFees {
  /** The block's base fee and blob base fee in wei per gas, as quantities. */
  readonly baseFee: string;
  readonly blobBaseFee: string;
  /**
   * Gas used, from the header. From Amsterdam on it is not the sum of the gas that transactions paid for (EIP-8037).
   */
  readonly gasUsed: number;
  readonly gasUsedRatio: number;
  readonly blobGasUsedRatio: number;
  /** Tips that the block's transactions paid, in wei per gas, ascending. */
  readonly tips: readonly bigint[];
  /** For each entry of `tips`: gas used by its transaction and by the transactions of all entries before it. */
  readonly gasUpTo: Float64Array;
  /**
   * The lowest tips, ascending, that show what inclusion costs: at least 2 wei, and not paid by the block's fee
   * recipient.
   */
  readonly lowestTips: readonly bigint[];
  /** True if the block had too little gas left for another transaction that uses as much gas as its largest one. */
  readonly isFull: boolean;
}

export type FeeBlockReader = Pick<StoredBlocks, 'key' | 'at'>;

/** Number of tips sampled from a block, as in go-ethereum. */
const SAMPLED_TIPS = 3;
/** Lowest tip that is sampled, in wei per gas. */
const SAMPLED_TIP_MIN = 2n;

/** Caches the fees of the most recently requested blocks. The number of their transactions in total is limited. */
export class CachedBlockFees {
  #chain: ChainDescription;
  #rows = new BoundedCache<string, BlockFees>(LIMITS.feeRowItemsMax);

  constructor(chain: ChainDescription) {
    this.#chain = chain;
  }

  /** Drops all cached fees if the rules have changed, because fees depend on the rules; see `RuleDependent`. */
  useChain(chain: ChainDescription): void {
    if (chain === this.#chain) return;
    this.#chain = chain;
    this.#rows = new BoundedCache(LIMITS.feeRowItemsMax);
  }

  /** Returns the fees of block `number`; `null` if the block is not stored. Computing them reads the whole block. */
  at(blocks: FeeBlockReader, number: number): BlockFees | null {
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
    // From Jovian on, OP-Stack headers use the field `blobGasUsed` for something else (the DA footprint).
    blobGasUsedRatio: chain.op === null ? Number(header.blobGasUsed ?? 0n) / Number(blobGasMax) : 0,
    ...tipsOf(paidIn(transactions, header), header),
  };
}

/** What one transaction in a block has paid. */
interface Paid {
  /** Tip in wei per gas; 0 for an OP-Stack deposit, which pays nothing. */
  readonly tip: bigint;
  readonly gasUsed: number;
  readonly isOfRecipient: boolean;
}

/** Returns what each transaction of a block has paid, ascending by tip. */
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

/** Compares two bigints, for `sort`. */
export function compareBigints(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
