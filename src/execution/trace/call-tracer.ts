// callTracer: the nested call frames of a transaction.
import { revertReason } from '../../evm/revert-reason.js';
import type { StartedFrame, EndedFrame } from '../../evm/trace-hooks.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { Log } from '../../state/complete-block.js';
import type { TracerSpec } from '../../transaction/trace-request-types.js';
import type { ResponseSizeBudget } from '../call/response-size-budget.js';
import { NothingTracedError, Tracer, type TracedTransaction } from './tracer.js';

/** JSON of a frame. Members are in go-ethereum's order; undefined ones are left out. */
interface FrameJson {
  readonly from: string;
  readonly gas: string;
  gasUsed: string;
  to: string | undefined;
  readonly input: string;
  output: string | undefined;
  error: string | undefined;
  revertReason: string | undefined;
  calls: FrameJson[] | undefined;
  logs: object[] | undefined;
  readonly value: string | undefined;
  readonly type: string;
}

/** A frame that has not ended, and the log index at which it started. */
interface OpenFrame {
  readonly json: FrameJson;
  readonly logsBefore: number;
}

/** Approximate number of characters in the response for a frame, for a log and for a topic, without byte strings. */
const FRAME_CHARACTERS = 260;
const LOG_CHARACTERS = 140;
const TOPIC_CHARACTERS = 69;

export class CallTracer extends Tracer {
  override readonly seesLogs: boolean;
  readonly #spec: Extract<TracerSpec, { name: 'callTracer' }>;
  readonly #open: OpenFrame[] = [];
  #outermost: FrameJson | null = null;
  #gasLimit = 0n;
  #logsBefore = 0;
  /** Number of logs in the block so far, without the logs of failed frames. */
  #logs = 0;

  constructor(spec: Extract<TracerSpec, { name: 'callTracer' }>, budget: ResponseSizeBudget) {
    super(budget);
    this.#spec = spec;
    this.seesLogs = spec.withLog;
  }

  override begin({ gasLimit, logsBefore }: TracedTransaction): void {
    this.#gasLimit = gasLimit;
    this.#logs = this.#logsBefore = logsBefore;
  }

  override restarted(): void {
    this.giveBack();
    this.#open.length = 0;
    this.#outermost = null;
    this.#logs = this.#logsBefore;
  }

  override entered(frame: StartedFrame): void {
    const outer = this.#open.at(-1)?.json;
    const isShown = outer === undefined || !this.#spec.onlyTopCall;
    if (isShown) this.take(FRAME_CHARACTERS + 2 * frame.input.length);
    const json = isShown ? frameJson(frame, outer === undefined ? this.#gasLimit : frame.gas) : outer;
    this.#open.push({ json, logsBefore: this.#logs });
  }

  override left(end: EndedFrame): void {
    const { json, logsBefore } = this.#open.pop()!;
    if (end.error !== null) this.#logs = logsBefore;
    const outer = this.#open.at(-1)?.json;
    if (json === outer) return;
    json.gasUsed = toQuantity(end.gasUsed);
    this.#showEnd(json, end);
    if (outer === undefined) this.#outermost = json;
    else (outer.calls ??= []).push(json);
  }

  override logged({ address, topics, data }: Log): void {
    const index = this.#logs++;
    if (!this.seesLogs || (this.#spec.onlyTopCall && this.#open.length > 1)) return;
    this.take(LOG_CHARACTERS + TOPIC_CHARACTERS * topics.length + 2 * data.length);
    const { json } = this.#open.at(-1)!;
    (json.logs ??= []).push({
      address: toHex(address),
      topics: topics.map(toHex),
      data: toHex(data),
      index: toQuantity(index),
      position: toQuantity(json.calls?.length ?? 0),
    });
  }

  override end(gasUsed: bigint): void {
    if (this.#outermost === null) return;
    this.#outermost.gasUsed = toQuantity(gasUsed);
    if (this.#spec.withLog) withoutFailedLogs(this.#outermost, false);
  }

  text(): string {
    if (this.#outermost === null) throw new NothingTracedError('incorrect number of top-level calls');
    return JSON.stringify(this.#outermost);
  }

  #showEnd(json: FrameJson, { output, error }: EndedFrame): void {
    if (error === null || error === REVERTED) this.take(2 * output.length);
    if (error !== null) {
      json.error = error;
      if (json.type === 'CREATE' || json.type === 'CREATE2') json.to = undefined;
      if (error !== REVERTED) return;
      // Leave out an empty reason.
      json.revertReason = revertReason(output) || undefined;
    }
    if (output.length > 0) json.output = toHex(output);
  }
}

const REVERTED = 'execution reverted';

function frameJson({ kind, from, to, input, value }: StartedFrame, gas: bigint): FrameJson {
  return {
    from: toHex(from),
    gas: toQuantity(gas),
    gasUsed: '0x0',
    to: toHex(to),
    input: toHex(input),
    output: undefined,
    error: undefined,
    revertReason: undefined,
    calls: undefined,
    logs: undefined,
    value: value === null ? undefined : toQuantity(value),
    type: kind,
  };
}

/** Removes the logs of failed frames and of all frames inside them. */
function withoutFailedLogs(frame: FrameJson, isInFailed: boolean): void {
  const hasFailed = isInFailed || frame.error !== undefined;
  if (hasFailed) frame.logs = undefined;
  for (const call of frame.calls ?? []) withoutFailedLogs(call, hasFailed);
}
