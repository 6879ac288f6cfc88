// flatCallTracer: the frames of a transaction as a flat list; each entry names its transaction and block.
import type { EndedFrame, StartedFrame } from '../../evm/trace-hooks.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { TracerSpec } from '../../transaction/trace-request-types.js';
import type { ResponseSizeBudget } from '../call/response-size-budget.js';
import { ParityTracer, parityErrorText, type ParityFrame } from './parity-frame-tracer.js';
import type { TracedTransaction } from './tracer.js';

/** Approximate number of response characters that go-ethereum's form of a frame has in addition to Parity's. */
const FURTHER_CHARACTERS = 240;

/**
 * The tracer; see `TracerSpec` for its settings. Where go-ethereum differs from Parity's trace_call, this tracer
 * follows go-ethereum.
 */
export class FlatCallTracer extends ParityTracer {
  readonly #spec: Extract<TracerSpec, { name: 'flatCallTracer' }>;
  #included: TracedTransaction['included'] = null;
  #gasLimit = 0n;

  constructor(spec: Extract<TracerSpec, { name: 'flatCallTracer' }>, budget: ResponseSizeBudget) {
    super(budget);
    this.#spec = spec;
  }

  override begin(transaction: TracedTransaction): void {
    super.begin(transaction);
    this.#included = transaction.included;
    this.#gasLimit = transaction.gasLimit;
  }

  override entered(frame: StartedFrame): void {
    this.take(FURTHER_CHARACTERS);
    super.entered(frame);
  }

  /** Gives the outermost frame the gas of the whole transaction. */
  override end(gasUsed: bigint): void {
    const [outermost] = this.frames;
    if (outermost === undefined) return;
    outermost.action = { ...outermost.action, gas: toQuantity(this.#gasLimit) };
    if (outermost.result !== null) outermost.result = { ...outermost.result, gasUsed: toQuantity(gasUsed) };
  }

  override text(): string {
    const { blockHash = null, blockNumber = 0, hash = null, index = 0 } = this.#included ?? {};
    const frames = this.frames.map(({ action, error, result, subtraces, traceAddress, type }) => ({
      action,
      blockHash,
      blockNumber,
      error,
      result: result ?? undefined,
      subtraces,
      traceAddress,
      transactionHash: hash === null ? null : toHex(hash),
      transactionPosition: index,
      type,
    }));
    return JSON.stringify(frames);
  }

  /** Hides calls to precompiles, with or without ether. DELEGATECALL and CALLCODE to a precompile are shown. */
  protected override isHidden({ kind, to }: StartedFrame): boolean {
    return !this.#spec.includePrecompiles && (kind === 'CALL' || kind === 'STATICCALL') && this.isPrecompile(to);
  }

  protected override ended(json: ParityFrame, end: EndedFrame, address: Uint8Array): void {
    super.ended(json, end, address);
    if (end.error === null) return;
    json.error = this.#spec.convertParityErrors ? parityErrorText(end.error) : end.error;
    if (json.result !== null) delete json.result.address;
  }
}
