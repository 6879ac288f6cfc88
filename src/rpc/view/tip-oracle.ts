// Suggests a tip for the next block, as go-ethereum does, or on the OP Stack as op-geth does.
//
// Each sampled block that yields at most one tip adds an older block to the sample. go-ethereum adds them in the order
// in which its threads have read the blocks, and this file goes from the newest to the oldest. So go-ethereum's sample
// may end at another block.
import type { ChainDescription } from '../../chain/chain-description.js';
import { compareBigints, type BlockFees, type CachedBlockFees, type FeeBlockReader } from './cached-block-fees.js';

/** Smallest and largest number of blocks that are sampled. A block that yields at most one tip adds another block. */
const BLOCKS = { least: 20, most: 40 } as const;
/** The suggestion is this percentile of the sampled tips. */
const PERCENTILE = 60;
/** Suggested tip in wei per gas before any block was sampled. */
const FIRST_TIP = 1_000_000n;
/** Minimum tip in wei per gas on the OP Stack. It is also the suggestion while blocks are not full. */
const OP_TIP_MIN = 1_000_000n;
/** Highest suggestion in wei per gas: 500 gwei. */
const TIP_MAX = 500_000_000_000n;

/** Computes the suggested tip once for each new head block. */
export class TipOracle {
  readonly #rows: CachedBlockFees;
  readonly #isOp: boolean;
  #head: string | null = null;
  /** The last suggestion. It is used in place of a block's tips if the block has none. */
  #tip = FIRST_TIP;

  constructor(rows: CachedBlockFees, { op }: Pick<ChainDescription, 'op'>) {
    this.#rows = rows;
    this.#isOp = op !== null;
  }

  /** Returns the suggested tip, in wei per gas, after block `head`; `null` if a block that is needed is not stored. */
  suggest(blocks: FeeBlockReader, head: number): bigint | null {
    const key = blocks.key(head);
    if (key !== null && key === this.#head) return this.#tip;
    const tip = this.#isOp ? this.#aboveMedian(blocks, head) : this.#ofSamples(blocks, head);
    if (tip === null) return null;
    this.#head = key;
    return (this.#tip = tip < TIP_MAX ? tip : TIP_MAX);
  }

  /**
   * Suggests a tip on the OP Stack. If the newest block is full, the tip has to be above the block's median. Otherwise
   * any tip is enough, because a single sequencer builds all blocks.
   */
  #aboveMedian(blocks: FeeBlockReader, head: number): bigint | null {
    const row = this.#rows.at(blocks, head);
    if (row === null) return null;
    const median = row.tips[Math.floor(row.tips.length / 2)] ?? 0n;
    const tip = row.isFull ? median + median / 10n : 0n;
    return tip > OP_TIP_MIN ? tip : OP_TIP_MIN;
  }

  #ofSamples(blocks: FeeBlockReader, head: number): bigint | null {
    const samples: bigint[] = [];
    let due = Math.min(BLOCKS.least, head);
    for (let number = head; due > 0; number--) {
      const row = this.#rows.at(blocks, number);
      if (row === null) return null;
      due--;
      const tips = this.#sampled(row);
      const isPoor = tips.length === 1 && samples.length + 1 + due < BLOCKS.most;
      // The genesis block (number 0) is never sampled.
      if (isPoor && number - due > 1) due++;
      samples.push(...tips);
    }
    samples.sort(compareBigints);
    return samples[Math.floor(((samples.length - 1) * PERCENTILE) / 100)] ?? this.#tip;
  }

  #sampled({ lowestTips }: BlockFees): readonly bigint[] {
    return lowestTips.length === 0 ? [this.#tip] : lowestTips;
  }
}
