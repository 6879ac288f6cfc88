// First stage of answering a body: makes a large body wait for its turn on the main thread, and joins a body that is in
// pieces.
import type { TimeSlicer } from '../../fairness/time-slicer.js';
import { rpcError } from '../../rpc-errors.js';
import { copyChunkedIfLong, ChunkedBuffer, releaseChunks } from '../../lib/bytes/chunked-buffer.js';
import { BufferPool } from '../../lib/memory/buffer-pool.js';
import { LIMITS } from '../../limits/index.js';
import {
  copyResponseBytes,
  EMPTY_RESPONSE,
  type RpcResponse,
  type RequestContext,
} from '../answer/request-response-types.js';
import type { AnswerMemory } from '../answer/answer-memory-budget.js';
import { answerText } from '../answer/result-text.js';
import { encodeAnswerText } from '../answer/answer-writer.js';
import type { ErrorCounts } from '../answer/error-counts.js';
import type { DecodeStage } from './decode-body.js';
import type { RunCallsStage } from './run-calls.js';

export interface LargeBodySlicingStageDeps {
  readonly memory: AnswerMemory;
  readonly slices: TimeSlicer;
  readonly errors: ErrorCounts;
  readonly decode: DecodeStage;
  readonly run: RunCallsStage;
}

/** Buffers in which long bodies are joined. They are reused. */
const WHOLES = new BufferPool((bytes) => new ArrayBuffer(bytes), LIMITS.longBodiesKeptBytesMax);
/** Response to a body that is refused, before it is decoded, because of overload. */
const OVERLOADED: RpcResponse = {
  status: 429,
  bytes: encodeAnswerText(answerText('null', rpcError('overload'))),
  position: null,
};

/**
 * Makes a large body wait for a slice of the main thread's time, because reading it may take longer than a slice. A
 * body that contains only plain reads does not wait. A long body is joined and decoded in several steps.
 */
export class LargeBodySlicingStage {
  readonly #deps: LargeBodySlicingStageDeps;

  constructor(deps: LargeBodySlicingStageDeps) {
    this.#deps = deps;
  }

  /** Answers a body that is not known to contain only plain reads. */
  answer(body: Uint8Array | ChunkedBuffer, context: RequestContext): RpcResponse | Promise<RpcResponse> {
    const isLarge = body.length > LIMITS.bodyAtOnceBytesMax;
    const isLong = body.length >= LIMITS.bodyInStepsBytesMin;
    return isLong || (isLarge && this.#deps.slices.isBusy()) ? this.#later(body, context) : this.#whole(body, context);
  }

  async #later(body: Uint8Array | ChunkedBuffer, context: RequestContext): Promise<RpcResponse> {
    const { memory, slices, errors } = this.#deps;
    const { length } = body;
    if (!memory.take(length)) {
      releaseChunks(body);
      errors.add('overload');
      return OVERLOADED;
    }
    // After the await, the bytes of the body belong to the caller again, so they are copied before it.
    const kept = body instanceof ChunkedBuffer ? body : copyChunkedIfLong(body);
    await slices.turn(context.caller.client);
    context.timing?.waited();
    memory.give(length);
    if (context.caller.aborted) {
      releaseChunks(kept);
      return EMPTY_RESPONSE;
    }
    const isInSteps = kept instanceof ChunkedBuffer && length >= LIMITS.bodyInStepsBytesMin;
    return isInSteps ? this.#inSteps(kept, context) : copyResponseBytes(this.#whole(kept, context));
  }

  /**
   * Joins the pieces of a body and answers it; the addon does if the body contains only plain reads (plain-reads.ts).
   * The joined bytes are valid only during this call.
   */
  #whole(body: Uint8Array | ChunkedBuffer, context: RequestContext): RpcResponse | Promise<RpcResponse> {
    const { decode, run } = this.#deps;
    if (!(body instanceof ChunkedBuffer)) return decode.answer(body, context);
    const buffer = WHOLES.take(body.length);
    try {
      const whole = wholeIn(buffer, body);
      const plain = context.least === null ? run.plain(whole, context.timing) : null;
      return plain ?? decode.answer(whole, context);
    } finally {
      WHOLES.give(buffer);
    }
  }

  /**
   * Joins, decodes and answers a long body in steps. A step waits for a new time slice if the current one is used up.
   */
  async #inSteps(body: ChunkedBuffer, context: RequestContext): Promise<RpcResponse> {
    const buffer = WHOLES.take(body.length);
    const whole = new Uint8Array(buffer, 0, body.length);
    const rest = (): Promise<void> => this.#rest(context);
    try {
      for (let at = 0; at < whole.length && !context.caller.aborted; await rest()) at += body.moveFirst(whole, at);
      if (context.caller.aborted) return EMPTY_RESPONSE;
      return await this.#deps.decode.answerInSteps(whole, context, rest);
    } finally {
      body.release();
      WHOLES.give(buffer);
    }
  }

  async #rest({ caller, timing }: RequestContext): Promise<void> {
    if (!this.#deps.slices.isOver()) return;
    await this.#deps.slices.turn(caller.client);
    timing?.waited();
  }
}

/** Joins the pieces of a body at the start of `buffer`, and releases the memory of the pieces. */
function wholeIn(buffer: ArrayBuffer, body: ChunkedBuffer): Uint8Array {
  const whole = new Uint8Array(buffer, 0, body.length);
  for (let at = 0; at < whole.length;) at += body.moveFirst(whole, at);
  return whole;
}
