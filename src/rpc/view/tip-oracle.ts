// The tip that is suggested for the next block, as go-ethereum suggests it, on the OP Stack as op-geth does. Runs on main.
//
// go-ethereum takes blocks in whatever order its threads have read them, newest first here: where most blocks tell of one tip or none,
// it may stop at another block.
import type { ChainDescription } from '../../chain/spec.js';
import { ascending, type FeeRow, type FeeRows, type RowBlocks } from './fee-rows.js';

/** Blocks that are sampled at the least and, where most of them tell of no more than one tip, at the most. */
const BLOCKS = { least: 20, most: 40 } as const;
/** Percentile of the sampled tips, ascending. */
const PERCENTILE = 60;
/** Wei per gas: before any block was sampled. */
const FIRST_TIP = 1_000_000n;
/** Wei per gas: the least that is suggested on the OP Stack, and all while its blocks have room. */
const OP_TIP_MIN = 1_000_000n;
/** Wei per gas: 500 gwei. */
const TIP_MAX = 500_000_000_000n;

/** Suggests a tip once for each head. */
export class TipOracle {
  readonly #rows: FeeRows;
  readonly #isOp: boolean;
  #head: string | null = null;
  /** Tip that was suggested last: it stands for blocks that tell of none. */
  #tip = FIRST_TIP;

  constructor(rows: FeeRows, { op }: Pick<ChainDescription, 'op'>) {
    this.#rows = rows;
    this.#isOp = op !== null;
  }

  /** Wei per gas, at the block `head`; `null`: blocks are missing here that have to be looked at. */
  suggest(blocks: RowBlocks, head: number): bigint | null {
    const key = blocks.key(head);
    if (key !== null && key === this.#head) return this.#tip;
    const tip = this.#isOp ? this.#aboveMedian(blocks, head) : this.#ofSamples(blocks, head);
    if (tip === null) return null;
    this.#head = key;
    return (this.#tip = tip < TIP_MAX ? tip : TIP_MAX);
  }

  /** While blocks have room any tip will do, as one sequencer builds them all; in full ones more than most others pay. */
  #aboveMedian(blocks: RowBlocks, head: number): bigint | null {
    const row = this.#rows.at(blocks, head);
    if (row === null) return null;
    const median = row.tips[Math.floor(row.tips.length / 2)] ?? 0n;
    const tip = row.isFull ? median + median / 10n : 0n;
    return tip > OP_TIP_MIN ? tip : OP_TIP_MIN;
  }

  #ofSamples(blocks: RowBlocks, head: number): bigint | null {
    const samples: bigint[] = [];
    let due = Math.min(BLOCKS.least, head);
    for (let number = head; due > 0; number--) {
      const row = this.#rows.at(blocks, number);
      if (row === null) return null;
      due--;
      const tips = this.#sampled(row);
      const isPoor = tips.length === 1 && samples.length + 1 + due < BLOCKS.most;
      // Blocks after the first are sampled, not the first itself.
      if (isPoor && number - due > 1) due++;
      samples.push(...tips);
    }
    samples.sort(ascending);
    return samples[Math.floor(((samples.length - 1) * PERCENTILE) / 100)] ?? this.#tip;
  }

  #sampled({ lowestTips }: FeeRow): readonly bigint[] {
    return lowestTips.length === 0 ? [this.#tip] : lowestTips;
  }
}
