// The first four stages of answering a body, in order: schedule, decode, view, run. The fifth stage, encode, is in
// encode-response.ts. The stages have no state of their own for a request; that is in `RequestBodyInProgress`.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { copyIntoChunksIfLong, ChunkedBuffer, releaseChunks } from '../../lib/bytes/chunked-buffer.js';
import { BufferPool } from '../../lib/memory/buffer-pool.js';
import { LIMITS } from '../../limits/index.js';
import {
  copyResponseBytes,
  EMPTY_RESPONSE,
  type BodyBytes,
  type EncodedRpcResponse,
  type RequestContext,
  type Caller,
  type ConnectionLoad,
  type MinimumPosition,
  type SyncOrAsyncResponse,
} from '../answer/request-response-types.js';
import { BATCH_LABEL, OTHER_LABEL, type RequestTiming } from '../answer/request-latency.js';
import { encodeErrorWithoutId } from '../answer/answer-writer.js';
import { RequestBodyInProgress } from '../call/request-in-progress.js';
import { BODY_KIND, type BodyDecoder } from '../decode/decoded-call-row.js';
import { PLAIN_METHODS } from '../reads/native-plain-reads.js';
import type { ReadView } from '../view/pinned-read-view.js';
import { BatchRun, type BatchRunDeps } from './run-batch.js';

/** What the stages use. All requests share it. */
export interface StageDeps extends BatchRunDeps {
  readonly decoder: BodyDecoder;
  /** Maximum number of calls in one batch. */
  readonly callsMax: number;
  /**
   * True if the state table is incomplete and missing state is fetched from an upstream node. The state table may then
   * be reset while a call runs.
   */
  readonly isBacked: boolean;
}

/** Buffers in which long bodies are joined. They are reused. */
const WHOLES = new BufferPool((bytes) => new ArrayBuffer(bytes), LIMITS.longBodiesKeptBytesMax);
/** Response to a body that is refused, before it is decoded, because of overload. */
const OVERLOADED: EncodedRpcResponse = {
  status: 429,
  bytes: encodeErrorWithoutId(rpcError('overload')),
  position: null,
};
const TOO_MANY_CALLS = rpcError('overload', 'too many calls of this connection are not answered yet');
const OPEN_BRACKET = 0x5b;

/**
 * Answers a body that contains only plain reads, in one call of the addon and without the stages. Returns `null` for
 * any other body.
 */
export function answerPlainReads(
  body: Uint8Array,
  timing: RequestTiming | null,
  { readView, runner }: StageDeps,
): EncodedRpcResponse | null {
  const { plainReads, pinned } = readView();
  if (plainReads === null || body.length > LIMITS.plainBodyBytesMax) return null;
  pinned.refresh();
  const bytes = plainReads.answer(body, 0, pinned);
  if (bytes === null) return null;
  runner.countPlain(plainReads.counts);
  timing?.end('read');
  if (timing !== null) timing.name = nameOfPlain(bytes, plainReads.counts);
  return { status: 200, bytes, position: pinned.position };
}

/**
 * Returns the label under which the time of a body of plain reads is counted: the name of its method, or BATCH_LABEL if
 * the response is a list.
 */
function nameOfPlain(answer: Uint8Array, counts: ArrayLike<number>): string {
  return answer[0] === OPEN_BRACKET ? BATCH_LABEL : PLAIN_METHODS[Array.from(counts).findIndex((count) => count > 0)]!;
}

/**
 * Answers a body that is not known to contain only plain reads. A large body waits for a slice of the main thread's
 * time, because reading it may take longer than a slice. A long body is joined and decoded in several steps.
 */
export function answerBody(body: BodyBytes, context: RequestContext, deps: StageDeps): SyncOrAsyncResponse {
  const isLarge = body.length > LIMITS.bodyAtOnceBytesMax;
  const isLong = body.length >= LIMITS.bodyInStepsBytesMin;
  return isLong || (isLarge && deps.slices.isBusy())
    ? answerLater(body, context, deps)
    : answerWhole(body, context, deps);
}

async function answerLater(body: BodyBytes, context: RequestContext, deps: StageDeps): Promise<EncodedRpcResponse> {
  const { memory, slices, errors } = deps;
  const { length } = body;
  if (!memory.take(length)) {
    releaseChunks(body);
    errors.add('overload');
    return OVERLOADED;
  }
  // After the await, the bytes of the body belong to the caller again, so they are copied before it.
  const kept = body instanceof ChunkedBuffer ? body : copyIntoChunksIfLong(body);
  await slices.turn(context.caller.client);
  context.timing?.waited();
  memory.give(length);
  if (context.caller.aborted) {
    releaseChunks(kept);
    return EMPTY_RESPONSE;
  }
  const isInSteps = kept instanceof ChunkedBuffer && length >= LIMITS.bodyInStepsBytesMin;
  return isInSteps ? answerInSteps(kept, context, deps) : copyResponseBytes(answerWhole(kept, context, deps));
}

/**
 * Joins the pieces of a body and answers it. If it contains only plain reads, the addon answers it. The joined bytes
 * are valid only during this call.
 */
function answerWhole(body: BodyBytes, context: RequestContext, deps: StageDeps): SyncOrAsyncResponse {
  if (!(body instanceof ChunkedBuffer)) return answerDecoded(decoded(body, context, deps), context, deps);
  const buffer = WHOLES.take(body.length);
  try {
    const whole = new Uint8Array(buffer, 0, body.length);
    for (let at = 0; at < whole.length;) at += body.moveFirst(whole, at);
    const plain = context.least === null ? answerPlainReads(whole, context.timing, deps) : null;
    return plain ?? answerDecoded(decoded(whole, context, deps), context, deps);
  } finally {
    WHOLES.give(buffer);
  }
}

/** Joins, decodes and answers a long body in steps. A step waits for a new time slice if the current one is used up. */
async function answerInSteps(
  body: ChunkedBuffer,
  context: RequestContext,
  deps: StageDeps,
): Promise<EncodedRpcResponse> {
  const { caller, timing } = context;
  const buffer = WHOLES.take(body.length);
  const whole = new Uint8Array(buffer, 0, body.length);
  const rest = async (): Promise<void> => {
    if (!deps.slices.isOver()) return;
    await deps.slices.turn(caller.client);
    timing?.waited();
  };
  try {
    for (let at = 0; at < whole.length && !caller.aborted; await rest()) at += body.moveFirst(whole, at);
    if (caller.aborted) return EMPTY_RESPONSE;
    const request = decoded(whole, context, deps);
    request.keepRows();
    await rest();
    return await copyResponseBytes(answerDecoded(request, context, deps));
  } finally {
    body.release();
    WHOLES.give(buffer);
  }
}

/** Decodes `body` to rows, one for each call. The bytes of `body` are valid only until the caller returns. */
function decoded(body: Uint8Array, { caller, timing }: RequestContext, deps: StageDeps): RequestBodyInProgress {
  const request = decode(body, caller, deps);
  timing?.end('decode');
  if (timing !== null) timing.name = nameOf(request, deps);
  return request;
}

function decode(body: Uint8Array, caller: Caller, { decoder }: StageDeps): RequestBodyInProgress {
  return new RequestBodyInProgress(decoder.decode(body), body, decoder, caller);
}

function nameOf(request: RequestBodyInProgress, { runner }: StageDeps): string {
  if (request.kind === BODY_KIND.single) return runner.nameOf(request, 0);
  return request.kind === BODY_KIND.malformed ? OTHER_LABEL : BATCH_LABEL;
}

/**
 * Answers a decoded body. Until its calls are answered, they count as unanswered calls of the connection. Refuses the
 * body if the connection has too many unanswered calls.
 */
function answerDecoded(request: RequestBodyInProgress, context: RequestContext, deps: StageDeps): SyncOrAsyncResponse {
  const { load } = context.caller;
  if (load !== undefined && isTooMuch(load, request)) {
    deps.writer.reset();
    return deps.readView().atNewest((readView) => deps.encode.refuse(request, readView, TOO_MANY_CALLS));
  }
  const { least, timing } = context;
  const answer = answerOnce(request, least, deps);
  timing?.end('read');
  if (!(answer instanceof Promise)) return answer;
  const last = deps.isBacked ? retriedAfterReset(answer, request, least, deps) : answer;
  return load === undefined ? last : counted(last, request.count, load);
}

/**
 * True if a connection with this body would have too many unanswered calls. A body is never refused for this reason if
 * its connection has no other unanswered calls.
 */
function isTooMuch({ calls }: ConnectionLoad, { count }: RequestBodyInProgress): boolean {
  return calls > 0 && calls + count > LIMITS.socketCallsMax;
}

function counted(
  answer: Promise<EncodedRpcResponse>,
  count: number,
  load: ConnectionLoad,
): Promise<EncodedRpcResponse> {
  load.calls += count;
  return answer.finally(() => (load.calls -= count));
}

/** If the state table was reset meanwhile, the whole body is decoded and answered again. */
async function retriedAfterReset(
  first: Promise<EncodedRpcResponse>,
  failed: RequestBodyInProgress,
  least: MinimumPosition | null,
  deps: StageDeps,
): Promise<EncodedRpcResponse> {
  let request = failed;
  request.keep();
  let answer = await first;
  for (let tries = 1; request.wasReset && !request.isPassedOn && tries < LIMITS.fillTriesMax; tries++) {
    releaseChunks(answer.bytes);
    request = decode(failed.body, failed.caller, deps);
    answer = await copyResponseBytes(answerOnce(request, least, deps));
  }
  return answer;
}

/** Answers a body from the newest state version. */
function answerOnce(
  request: RequestBodyInProgress,
  least: MinimumPosition | null,
  deps: StageDeps,
): SyncOrAsyncResponse {
  deps.writer.reset();
  return deps.readView().atNewest<SyncOrAsyncResponse>((readView) => {
    if (least === null || !isBehind(readView, least)) return runCalls(request, readView, deps);
    return deps.encode.refuse(request, readView, behind(readView, least));
  });
}

/**
 * True if the pinned version is older than the position `least`. A complete block is newer than all of its increments.
 */
function isBehind({ pinned }: ReadView, least: MinimumPosition): boolean {
  const { block, index, hash } = pinned.record.coordinates;
  return block < least.block || (block === least.block && index < least.index && hash === null);
}

/** Creates the error for a client that has already seen a newer position at another server. */
function behind({ pinned }: ReadView, least: MinimumPosition): RpcError {
  const { block, index } = pinned.position;
  return rpcError('behind', `at block ${block} index ${index}, behind block ${least.block} index ${least.index}`);
}

/** Runs the call of a body, or the calls of a batch. */
function runCalls(request: RequestBodyInProgress, readView: ReadView, deps: StageDeps): SyncOrAsyncResponse {
  const { encode, callsMax } = deps;
  switch (request.kind) {
    case BODY_KIND.single:
      return runSingle(request, readView, deps);
    case BODY_KIND.batch:
      if (request.count === 0) return encode.refuseWhole(request, readView, rpcError('emptyBatch'));
      if (request.count > callsMax) return encode.refuse(request, readView, rpcError('batchTooLarge'));
      return new BatchRun(request, deps).answer(readView) ?? encode.finished(request, readView);
    case BODY_KIND.batchTooLarge:
      return encode.refuse(request, readView, rpcError('batchTooLarge'));
    default:
      return encode.refuse(request, readView, rpcError('parse'));
  }
}

function runSingle(
  request: RequestBodyInProgress,
  readView: ReadView,
  { runner, encode }: StageDeps,
): SyncOrAsyncResponse {
  const result = runner.run(request, 0, readView);
  if (result instanceof Promise) return encode.later(request, result, readView.pinned.position);
  encode.respond(request, 0, result);
  return encode.finished(request, readView);
}
