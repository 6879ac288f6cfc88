// Answers of base_meterBundle: gas and time of a bundle's transactions. Runs on the estimators.

// Decision (2026-11, two cores): Members and values are those of Base's node: wei as quantities, gas and times as JSON numbers. A
// gas price is the most that a transaction pays, and its fees all that the fee recipient gains, so that nothing is below
// zero, which no client of it decodes; eth_callBundle tells the real gain. A time is that of execution alone, without the
// sender's recovery, as there, and without validation; execution that the fork's engine compiles anew is slower. Roots are
// not made for calls: their time is 0, as Base's node says where it measures none, and counts of trie nodes, which are 0
// to a client that misses them, are left out, as the index of the increment is. Nonces and fees hold as in eth_callBundle,
// where Base's node sets the first nonce of each sender and lowers the base fee. Price: a bundle that no block could hold
// has no measure.
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { SignedTransaction } from '../../transaction/signed.js';

/** The fee recipient's gain, wei: in decimal, or quantities where metered. */
export interface GainJson {
  readonly coinbaseDiff: string;
  readonly ethSentToCoinbase: string;
  readonly gasFees: string;
}

/** Members of an answer that tell of all transactions. */
export interface Totals {
  readonly bundleGasPrice: string;
  readonly gains: GainJson;
  /** Microseconds; absent where none are told. */
  readonly times?: { readonly totalExecutionTimeUs: number; readonly stateRootTimeUs: number };
}

/** Measures of one transaction. */
export interface Metered {
  readonly gasUsed: bigint;
  /** Microseconds of its execution. */
  readonly timeUs: number;
}

/** Results of a bundle, and their sums. */
export class Meter {
  #fees = 0n;
  #timeUs = 0;

  /** The result of a transaction. */
  add({ from, to, hash, feeCap, value }: SignedTransaction, { gasUsed, timeUs }: Metered): object {
    const fees = gasUsed * feeCap;
    this.#fees += fees;
    this.#timeUs += timeUs;
    return {
      ...gains(fees),
      fromAddress: toHex(from),
      gasPrice: toQuantity(feeCap),
      gasUsed: Number(gasUsed),
      toAddress: to === null ? null : toHex(to),
      txHash: toHex(hash),
      value: toQuantity(value),
      executionTimeUs: timeUs,
    };
  }

  /** `gasUsed`: of all of them, which is not 0. */
  totals(gasUsed: bigint): Totals {
    return {
      bundleGasPrice: toQuantity(this.#fees / gasUsed),
      gains: gains(this.#fees),
      times: { totalExecutionTimeUs: this.#timeUs, stateRootTimeUs: 0 },
    };
  }
}

function gains(fees: bigint): GainJson {
  return { coinbaseDiff: toQuantity(fees), ethSentToCoinbase: '0x0', gasFees: toQuantity(fees) };
}
