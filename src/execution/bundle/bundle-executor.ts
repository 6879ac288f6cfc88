// Executes the transactions of a bundle, and renders the response.

// Responses of eth_callBundle have the form of Flashbots and alloy: wei as decimal strings, gas and block number as
// JSON numbers. See DECISIONS.md.
import { revertMessage } from '../../evm/revert-reason.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { BlockEnv } from '../../state/state-diff.js';
import type { StateView } from '../../state/views/state-view.js';
import { failureOutcome, type Bundle, type JobOutcome } from '../../transaction/evm-job.js';
import {
  decodeSignedTransaction,
  effectiveGasPrice,
  type SignedTransaction,
} from '../../transaction/signed-transaction.js';
import { BlockGasCounter } from '../block/block-gas-counter.js';
import type { TransactionResult } from '../block/state-transition.js';
import type { TransactionExecutor } from '../block/transaction-executor.js';
import { ResponseSizeBudget, RESPONSE_TOO_LARGE } from '../call/response-size-budget.js';
import { MeterBundleResponseBuilder, type CoinbaseGainJson, type BundleTotals } from './meter-bundle-response.js';
import type { TracerSpec } from '../../transaction/trace-request-types.js';
import type { TracedEngines } from '../trace/traced-engines.js';
import type { Tracer } from '../trace/tracer.js';
import { createTracer } from '../trace/create-tracer.js';
import { StateDiffRenderer, type StateDiffJson } from './state-diff-renderer.js';
import { minBigInt } from '../../lib/min-max-bigint.js';

/** Dependencies of a bundle run. The block of `executor` has already started. */
export interface BundleDeps {
  readonly executor: TransactionExecutor;
  readonly rules: ForkRules;
  readonly env: BlockEnv;
  /** The state before the bundle. */
  readonly view: StateView;
  readonly gasCap: bigint;
  readonly bundle: Bundle;
  /** Engines and tracer for traces; `null` if the transactions are not traced. */
  readonly tracing: { readonly engines: TracedEngines; readonly spec: TracerSpec } | null;
}

/** What the fee recipient gains in wei: in total (`diff`), and from gas fees alone. */
interface Gain {
  readonly diff: bigint;
  readonly fees: bigint;
}

/** Execution time and trace of one transaction. */
interface Observed {
  readonly timeUs: number;
  /** The trace as JSON; `null` if there is none. */
  readonly trace: string | null;
}

/** Largest number of characters of one transaction's result without its data: names, hashes, and numbers. */
const RESULT_CHARACTERS = 400;

/** Executes one bundle. Call `add` for each transaction in order, then `text`. */
export class BundleExecutor {
  readonly #deps: BundleDeps;
  readonly #gas: BlockGasCounter;
  readonly #diffs: StateDiffRenderer | null;
  readonly #meter: MeterBundleResponseBuilder | null;
  readonly #budget = new ResponseSizeBudget();
  readonly #coinbaseWei: bigint;
  readonly #hashes: Uint8Array[] = [];
  readonly #results: string[] = [];
  #fees = 0n;
  #logs = 0;

  constructor(deps: BundleDeps) {
    const { env, executor, view, gasCap, bundle } = deps;
    this.#deps = deps;
    this.#gas = new BlockGasCounter(minBigInt(env.gasLimit, gasCap));
    this.#diffs = bundle.withStateDiff ? new StateDiffRenderer(executor.state, view) : null;
    this.#meter = bundle.isMetered ? new MeterBundleResponseBuilder() : null;
    this.#coinbaseWei = this.#coinbase();
  }

  /**
   * Executes a transaction; returns the error outcome if the whole bundle fails. Throws `DeadlineError` and
   * `NonEvmCodeError`.
   */
  async add(index: number): Promise<JobOutcome | null> {
    const { bundle, executor, rules, env } = this.#deps;
    const raw = bundle.transactions[index]!;
    const signed = decodeSignedTransaction(raw, rules, bundle.senders?.[index]);
    if (typeof signed === 'string') return refused(signed, keccak256(raw));
    const charges = executor.charges(signed);
    const invalid = executor.invalid(signed, charges, this.#gas);
    if (invalid !== null) return refused(invalid.message, signed.hash);
    const before = this.#coinbase();
    const startedMs = performance.now();
    const tracer = this.#attached(signed);
    const result = await executor.run(signed, charges, this.#gas);
    const timeUs = Math.round((performance.now() - startedMs) * 1000);
    const fees = result.gasUsed * (effectiveGasPrice(signed, env.baseFeePerGas) - env.baseFeePerGas);
    const trace = this.#traced(tracer, result);
    const isShown = this.#show(signed, result, { diff: this.#coinbase() - before, fees }, { timeUs, trace });
    this.#hashes.push(signed.hash);
    this.#fees += fees;
    return isShown ? null : RESPONSE_TOO_LARGE;
  }

  /** Returns the response as JSON. `stateBlock` is the number of the block on whose state the bundle was executed. */
  text(stateBlock: number): string {
    const { bundleGasPrice, gains, times } = this.#meter?.totals(this.#gas.paid) ?? this.#totals();
    const totals = {
      bundleGasPrice,
      bundleHash: toHex(keccak256(Buffer.concat(this.#hashes))),
      ...gains,
      stateBlockNumber: stateBlock,
      totalGasUsed: Number(this.#gas.paid),
      ...times,
    };
    return `${JSON.stringify(totals).slice(0, -1)},"results":[${this.#results.join(',')}]}`;
  }

  #totals(): BundleTotals {
    const diff = this.#coinbase() - this.#coinbaseWei;
    return { bundleGasPrice: `${perGas(diff, this.#gas.paid)}`, gains: gainMembers({ diff, fees: this.#fees }) };
  }

  /**
   * Adds a result. Returns false if the response has no space for it, which is checked before bytes are turned into
   * hex.
   */
  #show(signed: SignedTransaction, result: TransactionResult, gain: Gain, { timeUs, trace }: Observed): boolean {
    const { returnData, gasUsed } = result;
    const isMetered = this.#meter !== null;
    if (!this.#budget.take(RESULT_CHARACTERS + (isMetered ? 0 : 2 * returnData.length))) return false;
    const stateDiff = this.#diffs?.next(this.#budget);
    if (stateDiff === null) return false;
    const shown = this.#meter?.add(signed, gasUsed, timeUs) ?? resultOf(signed, result, { gain, stateDiff });
    const text = JSON.stringify(shown);
    this.#results.push(trace === null ? text : `${text.slice(0, -1)},"trace":${trace}}`);
    return true;
  }

  /** Attaches a tracer to the next transaction and returns it; `null` if no trace was requested. */
  #attached(signed: SignedTransaction): Tracer | null {
    const { tracing, rules, env } = this.#deps;
    if (tracing === null) return null;
    const tracer = createTracer(tracing.spec, this.#budget);
    tracing.engines.attach(tracer, signed, { rules, coinbase: env.coinbase, logsBefore: this.#logs });
    return tracer;
  }

  #traced(tracer: Tracer | null, { gasUsed, logs }: TransactionResult): string | null {
    this.#logs += logs.length;
    if (tracer === null) return null;
    this.#deps.tracing!.engines.detach();
    tracer.end(gasUsed);
    return tracer.text();
  }

  #coinbase(): bigint {
    return this.#deps.executor.state.accountOf(this.#deps.env.coinbase)?.balance ?? 0n;
  }
}

function resultOf(
  { from, to, hash }: SignedTransaction,
  result: TransactionResult,
  { gain, stateDiff }: { readonly gain: Gain; readonly stateDiff: StateDiffJson | undefined },
): object {
  return {
    ...gainMembers(gain),
    fromAddress: toHex(from),
    gasPrice: `${perGas(gain.diff, result.gasUsed)}`,
    gasUsed: Number(result.gasUsed),
    toAddress: to === null ? null : toHex(to),
    txHash: toHex(hash),
    ...endMembers(result),
    stateDiff,
  };
}

function gainMembers({ diff, fees }: Gain): CoinbaseGainJson {
  return { coinbaseDiff: `${diff}`, ethSentToCoinbase: `${diff - fees}`, gasFees: `${fees}` };
}

/** Members that tell how a transaction ended: `value` after success, `error` after failure, `revert` with its data. */
function endMembers({ status, halted, returnData }: TransactionResult): object {
  if (status === 1) return { value: toHex(returnData) };
  if (halted !== null) return { error: halted };
  return { error: revertMessage(returnData), revert: toHex(returnData) };
}

/** Divides wei by gas, rounding down even if negative. `gas` is never zero, because every transaction uses some. */
function perGas(wei: bigint, gas: bigint): bigint {
  const rest = wei % gas;
  return wei / gas - (rest < 0n ? 1n : 0n);
}

/** Returns the outcome of a refused bundle, with mev-geth's message. */
function refused(text: string, hash: Uint8Array): JobOutcome {
  return failureOutcome(`err: ${text}; txhash ${toHex(hash)}`);
}
