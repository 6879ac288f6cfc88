// Renders the response of base_meterBundle: gas and time of a bundle's transactions.

// Fields and values are those of Base's node: wei as quantities, gas and times as JSON numbers. See DECISIONS.md.
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { SignedTransaction } from '../../transaction/signed-transaction.js';

/** What the fee recipient gains, in wei: as decimal strings, or as hex quantities for base_meterBundle. */
export interface CoinbaseGainJson {
  readonly coinbaseDiff: string;
  readonly ethSentToCoinbase: string;
  readonly gasFees: string;
}

/** Response fields that are totals over all transactions. */
export interface BundleTotals {
  readonly bundleGasPrice: string;
  readonly gains: CoinbaseGainJson;
  /** Times in microseconds; absent if the response shows no times. */
  readonly times?: { readonly totalExecutionTimeUs: number; readonly stateRootTimeUs: number };
}

export class MeterBundleResponseBuilder {
  #fees = 0n;
  #timeUs = 0;

  /** Adds one transaction; returns its result as JSON. */
  add({ from, to, hash, feeCap, value }: SignedTransaction, gasUsed: bigint, timeUs: number): object {
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

  /** Returns the totals. `gasUsed` is the gas that all transactions have used; it must not be 0. */
  totals(gasUsed: bigint): BundleTotals {
    return {
      bundleGasPrice: toQuantity(this.#fees / gasUsed),
      gains: gains(this.#fees),
      times: { totalExecutionTimeUs: this.#timeUs, stateRootTimeUs: 0 },
    };
  }
}

function gains(fees: bigint): CoinbaseGainJson {
  return { coinbaseDiff: toQuantity(fees), ethSentToCoinbase: '0x0', gasFees: toQuantity(fees) };
}
