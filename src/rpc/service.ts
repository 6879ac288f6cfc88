// From the bytes of a body to the bytes of its answer. Runs on main.
import { rpcError, type RpcError } from '../errors.js';
import { BufferPool } from '../lib/memory/buffer-pool.js';
import { toHex } from '../lib/bytes/hex.js';
import { copyBytes, LongBytes, releaseBytes } from '../lib/bytes/long-bytes.js';
import type { TimeSlices } from '../clients/slices.js';
import { LIMITS } from '../limits/index.js';
import {
  viewOf,
  type Answer,
  type Asker,
  type BodyBytes,
  type ConnectionLoad,
  type LeastPosition,
  type RpcService,
} from './answer/answer.js';
import type { AnswerMemory } from './answer/answer-memory.js';
import { AnswerPieces } from './answer/answer-pieces.js';
import { answerText, writtenBytes } from './answer/answer-text.js';
import { Batch, type BatchParts } from './batch.js';
import { CallRunner, type CallCounts, type CallTerms } from './call/call-runner.js';
import { AnswerWriter } from './answer/encode.js';
import { ErrorCounts } from './answer/error-counts.js';
import { BATCH, OTHER, REFUSED, type Latency, type Timing } from './answer/latency.js';
import { LargeAnswers } from './answer/large-answers.js';
import { type Method } from './call/method.js';
import type { PassesOn } from './call/passthrough.js';
import { Request } from './call/request.js';
import { RowAnswers, type Waiting } from './call/row-answers.js';
import type { ReadView } from './view/read-view.js';
import { PLAIN_METHODS } from './reads/plain-reads.js';
import { isError } from './answer/call-result.js';
import { BODY, type Decoder, NOTIFICATION, WORD } from './decode/request-row.js';

/** Options by which the operator decides about calls. */
export interface ServiceOptions {
  /** Calls in one batch. */
  readonly callsMax: number;
  /** Which methods that are not served here go to the upstream node. */
  readonly passesOn: PassesOn;
}

/** Parts that bodies are answered with. */
export interface ServiceParts {
  readonly decoder: Decoder;
  readonly methods: readonly Method[];
  readonly terms: CallTerms;
  /** The read view of the present table. */
  readonly readView: () => ReadView;
  readonly memory: AnswerMemory;
  readonly slices: TimeSlices;
  /** Times requests; `null`: requests are not timed. */
  readonly latency: Latency | null;
}

const NO_BYTES = new Uint8Array();
/** Memory of long bodies in one piece, used again. */
const WHOLES = new BufferPool((bytes) => new ArrayBuffer(bytes), LIMITS.longBodiesKeptBytesMax);
const NOTHING: Answer = { status: 204, bytes: NO_BYTES, position: null };
const OVERLOADED: Answer = { status: 429, bytes: bytesOfRefusal(), position: null };
const TOO_MANY = rpcError('batchTooLarge');
const TOO_MANY_CALLS = rpcError('overload', 'too many calls of this connection are not answered yet');
const OPEN_BRACKET = 0x5b;

/** Every body of both transports passes here. It holds nothing of a request; see Request. */
export class Service implements RpcService {
  readonly #callsMax: number;
  readonly #parts: ServiceParts;
  readonly #runner: CallRunner;
  readonly #rows: RowAnswers;
  readonly #errors = new ErrorCounts();
  readonly #writer = new AnswerWriter(this.#errors);
  readonly #batchParts: BatchParts;

  constructor({ callsMax, passesOn }: ServiceOptions, parts: ServiceParts) {
    const { methods, terms, readView } = parts;
    this.#callsMax = callsMax;
    this.#parts = parts;
    this.#runner = new CallRunner({ methods, terms, readView, passesOn });
    this.#rows = new RowAnswers(this.#writer, this.#runner);
    this.#batchParts = {
      ...parts,
      large: new LargeAnswers(),
      errors: this.#errors,
      writer: this.#writer,
      rows: this.#rows,
    };
  }

  /** See CallRunner. */
  get counts(): CallCounts {
    return this.#runner.counts;
  }

  /** The errors that calls were answered with. */
  get errors(): ErrorCounts['all'] {
    return this.#errors.all;
  }

  /**
   * A large body waits for a slice of main's time, as some take longer than one to read; not one of plain reads alone. A long
   * one is read in steps.
   */
  answer(body: BodyBytes, asker: Asker, least: LeastPosition | null = null): Answer | Promise<Answer> {
    this.#parts.slices.arrived();
    const timing = this.#parts.latency?.begin() ?? null;
    const plain = least !== null || body instanceof LongBytes ? null : this.#answerPlain(body, timing);
    const answer = plain ?? this.#answerOther(viewOf(body), asker, least, timing);
    return timing === null ? answer : timed(answer, timing);
  }

  #answerOther(
    body: Uint8Array | LongBytes,
    asker: Asker,
    least: LeastPosition | null,
    timing: Timing | null,
  ): Answer | Promise<Answer> {
    const isLarge = body.length > LIMITS.bodyAtOnceBytesMax;
    const isLong = body.length >= LIMITS.bodyInStepsBytesMin;
    return isLong || (isLarge && this.#parts.slices.isOver())
      ? this.#answerLater(body, asker, least, timing)
      : this.#answerWhole(body, asker, least, timing);
  }

  async #answerLater(
    body: Uint8Array | LongBytes,
    asker: Asker,
    least: LeastPosition | null,
    timing: Timing | null,
  ): Promise<Answer> {
    const { memory, slices } = this.#parts;
    const { length } = body;
    if (!memory.take(length)) {
      releaseBytes(body);
      this.#errors.add('overload');
      return OVERLOADED;
    }
    // Borrowed bytes are the caller's again once this awaits.
    const kept = body instanceof LongBytes ? body : copyBytes(body);
    await slices.turn(asker.client);
    timing?.waited();
    memory.give(length);
    if (asker.aborted) {
      releaseBytes(kept);
      return NOTHING;
    }
    if (length >= LIMITS.bodyInStepsBytesMin) return this.#answerInSteps(kept, asker, least, timing);
    return lasting(this.#answerWhole(kept, asker, least, timing));
  }

  /** A body in pieces is made one first, which lasts as long as borrowed bytes do, and may be of plain reads. */
  #answerWhole(
    body: Uint8Array | LongBytes,
    asker: Asker,
    least: LeastPosition | null,
    timing: Timing | null,
  ): Answer | Promise<Answer> {
    if (!(body instanceof LongBytes)) return this.#answerDecoded(body, asker, least, timing);
    const buffer = WHOLES.take(body.length);
    try {
      const whole = wholeIn(buffer, body);
      const plain = least === null ? this.#answerPlain(whole, timing) : null;
      return plain ?? this.#answerDecoded(whole, asker, least, timing);
    } finally {
      WHOLES.give(buffer);
    }
  }

  /** Made one piece, decoded and answered, each in a slice of its own where the one before is over. */
  async #answerInSteps(
    body: Uint8Array | LongBytes,
    asker: Asker,
    least: LeastPosition | null,
    timing: Timing | null,
  ): Promise<Answer> {
    const { decoder } = this.#parts;
    const buffer = WHOLES.take(body.length);
    try {
      const whole = wholeIn(buffer, body);
      await this.#rest(asker, timing);
      const kind = decoder.decode(whole);
      timing?.end('decode');
      const request = new Request(whole, decoder, asker);
      request.keepRows();
      await this.#rest(asker, timing);
      return lasting(this.#answerRequest(kind, request, least, timing));
    } finally {
      WHOLES.give(buffer);
    }
  }

  async #rest({ client }: Asker, timing: Timing | null): Promise<void> {
    if (!this.#parts.slices.isOver()) return;
    await this.#parts.slices.turn(client);
    timing?.waited();
  }

  /** A body of plain reads alone; `null` for any other. */
  #answerPlain(body: ArrayBuffer | Uint8Array, timing: Timing | null): Answer | null {
    const { plainReads, pinned } = this.#parts.readView();
    if (plainReads === null || body.byteLength > LIMITS.plainBodyBytesMax) return null;
    pinned.refresh();
    const bytes = plainReads.answer(body, pinned);
    if (bytes === null) return null;
    this.#runner.countPlain(plainReads.counts);
    timing?.end('read');
    if (timing !== null) timing.name = nameOfPlain(bytes, plainReads.counts);
    return { status: 200, bytes, position: pinned.position };
  }

  #answerDecoded(
    body: Uint8Array,
    asker: Asker,
    least: LeastPosition | null,
    timing: Timing | null,
  ): Answer | Promise<Answer> {
    const kind = this.#parts.decoder.decode(body);
    timing?.end('decode');
    return this.#answerRequest(kind, new Request(body, this.#parts.decoder, asker), least, timing);
  }

  /** A body that fell between two tables is answered as a whole from the new one. */
  #answerRequest(
    kind: number,
    request: Request,
    least: LeastPosition | null,
    timing: Timing | null,
  ): Answer | Promise<Answer> {
    if (timing !== null) timing.name = this.#nameOf(kind, request);
    const { load } = request.asker;
    if (load !== undefined && isTooMuch(load, request)) return this.#refuseUnread(kind, request, TOO_MANY_CALLS);
    const answer = this.#answerOnce(kind, request, least);
    timing?.end('read');
    if (!(answer instanceof Promise)) return answer;
    const settled = this.#parts.terms.backing === null ? answer : this.#retryAfterReset(answer, request, least);
    return load === undefined ? settled : counted(settled, request.count, load);
  }

  /** Name under which the times of a body are counted. */
  #nameOf(kind: number, request: Request): string {
    if (kind === BODY.single) return this.#runner.nameOf(request, 0);
    return kind === BODY.malformed ? OTHER : BATCH;
  }

  async #retryAfterReset(first: Promise<Answer>, failed: Request, least: LeastPosition | null): Promise<Answer> {
    let request = failed;
    request.keep();
    let answer = await first;
    for (let tries = 1; request.wasReset && !request.isPassedOn && tries < LIMITS.fillTriesMax; tries++) {
      releaseBytes(answer.bytes);
      const kind = this.#parts.decoder.decode(request.body);
      request = new Request(request.body, this.#parts.decoder, request.asker);
      answer = await lasting(this.#answerOnce(kind, request, least));
    }
    return answer;
  }

  #answerOnce(kind: number, request: Request, least: LeastPosition | null): Answer | Promise<Answer> {
    this.#writer.reset();
    const readView = this.#parts.readView();
    readView.pinned.begin();
    try {
      if (least !== null && isBehind(readView, least)) return this.#refuseBehind(kind, request, readView, least);
      return this.#answerKind(kind, request, readView);
    } finally {
      readView.pinned.end();
    }
  }

  #answerKind(kind: number, request: Request, readView: ReadView): Answer | Promise<Answer> {
    switch (kind) {
      case BODY.single:
        return this.#answerSingle(request, readView);
      case BODY.batch:
        if (request.count === 0) return this.#refuse('emptyBatch', request, readView);
        return request.count > this.#callsMax
          ? this.#refuseBatch(request, readView, TOO_MANY)
          : this.#answerBatch(request, readView);
      case BODY.batchTooLarge:
        return this.#refuseBatch(request, readView, TOO_MANY);
      default:
        return this.#refuse('parse', request, readView);
    }
  }

  #answerSingle(request: Request, readView: ReadView): Answer | Promise<Answer> {
    const waiting = this.#rows.answer(request, 0, readView);
    return waiting === null
      ? this.#finished(request, readView)
      : this.#answered(waiting, request.asker, readView.pinned.position);
  }

  /** Nearly all answers are small: written at once they cost 2 us less than joined from pieces. */
  #answered({ id, result }: Waiting, asker: Asker, position: Answer['position']): Promise<Answer> {
    return result.then((settled) => {
      if (id === '') return NOTHING;
      const text = answerText(id, settled);
      const { head, bytes, tail } = text;
      if (head.length + writtenBytes(text) > LIMITS.smallAnswerBytes)
        return this.#joined({ id, result }, asker, position);
      if (isError(settled)) this.#errors.add(settled.error);
      const isOverload = isError(settled) && settled.error === 'overload';
      return { status: isOverload ? 429 : 200, bytes: Buffer.from(`${head}${hexOf(bytes)}${tail}`), position };
    });
  }

  async #joined({ id, result }: Waiting, asker: Asker, position: Answer['position']): Promise<Answer> {
    const pieces = new AnswerPieces(this.#batchParts, asker);
    pieces.wait(id, result);
    const bytes = await pieces.join();
    return { status: pieces.overloads > 0 ? 429 : 200, bytes, position };
  }

  #answerBatch(request: Request, readView: ReadView): Answer | Promise<Answer> {
    return new Batch(request, this.#batchParts).answer(readView) ?? this.#finished(request, readView);
  }

  #refuse(error: 'parse' | 'emptyBatch' | 'batchTooLarge', request: Request, readView: ReadView): Answer {
    this.#writer.error(request.body, 0, 0, rpcError(error));
    return this.#finished(request, readView);
  }

  /** A client that has seen more elsewhere is told so, rather than answered from before that. */
  #refuseBehind(kind: number, request: Request, readView: ReadView, least: LeastPosition): Answer {
    const { block, index } = readView.pinned.position;
    const message = `at block ${block} index ${index}, behind block ${least.block} index ${least.index}`;
    return this.#refuseAll(kind, request, readView, rpcError('behind', message));
  }

  /** Refuses all calls of a body that is not looked at any further. */
  #refuseUnread(kind: number, request: Request, error: RpcError): Answer {
    this.#writer.reset();
    const readView = this.#parts.readView();
    readView.pinned.begin();
    try {
      return this.#refuseAll(kind, request, readView, error);
    } finally {
      readView.pinned.end();
    }
  }

  /** Every id gets the error; nothing is run. */
  #refuseAll(kind: number, request: Request, readView: ReadView, error: RpcError): Answer {
    if (kind === BODY.malformed) return this.#refuse('parse', request, readView);
    if (kind !== BODY.single) return this.#refuseBatch(request, readView, error);
    if ((request.word(0, WORD.shape) & NOTIFICATION) !== 0) return NOTHING;
    this.#writeError(request, 0, error);
    return this.#finished(request, readView);
  }

  /** Every id of the batch gets the error, unless there are too many even for that; nothing is run. */
  #refuseBatch(request: Request, readView: ReadView, error: RpcError): Answer {
    if (request.count >= LIMITS.batchIdsMax) return this.#refuse('batchTooLarge', request, readView);
    this.#writer.openBatch();
    let answered = false;
    for (let row = 0; row < request.count; row++) {
      if ((request.word(row, WORD.shape) & NOTIFICATION) !== 0) continue;
      if (answered) this.#writer.separate();
      this.#writeError(request, row, error);
      answered = true;
    }
    if (!answered) this.#writer.error(request.body, 0, 0, error);
    this.#writer.closeBatch();
    return this.#finished(request, readView);
  }

  #writeError(request: Request, row: number, error: RpcError): void {
    this.#writer.error(request.body, request.word(row, WORD.idOffset), request.word(row, WORD.idLength), error);
  }

  #finished({ overloads, count }: Request, { pinned }: ReadView): Answer {
    const bytes = this.#writer.bytes();
    if (bytes.length === 0) return NOTHING;
    return { status: overloads > 0 && overloads === count ? 429 : 200, bytes, position: pinned.position };
  }
}

/** A body in one piece at the beginning of `buffer`; its own memory is given back. */
function wholeIn(buffer: ArrayBuffer, body: Uint8Array | LongBytes): Uint8Array {
  const whole = new Uint8Array(buffer, 0, body.length);
  if (body instanceof LongBytes) body.copyTo(whole);
  else whole.set(body);
  releaseBytes(body);
  return whole;
}

/**
 * True if a connection waits for so many calls that it has to wait with this body. One that waits for none may ask
 * anything.
 */
function isTooMuch({ calls }: ConnectionLoad, { count }: Request): boolean {
  return calls > 0 && calls + count > LIMITS.socketCallsMax;
}

/** Counts the calls of a body until it is answered. */
function counted(answer: Promise<Answer>, count: number, load: ConnectionLoad): Promise<Answer> {
  load.calls += count;
  return answer.finally(() => (load.calls -= count));
}

/** Digits without a prefix. */
function hexOf(bytes: Uint8Array): string {
  return bytes.length === 0 ? '' : toHex(bytes).slice(2);
}

/** Name under which the times of a body of plain reads are counted; the answer to a batch is a list. */
function nameOfPlain(answer: Uint8Array, counts: ArrayLike<number>): string {
  return answer[0] === OPEN_BRACKET ? BATCH : PLAIN_METHODS[Array.from(counts).findIndex((count) => count > 0)]!;
}

/** The answer of a request that is timed. One refused for overload says nothing of its method. */
function timed(answer: Answer | Promise<Answer>, timing: Timing): Answer | Promise<Answer> {
  const mark = (ready: Answer): Answer => {
    if (ready.status === 429) timing.name = REFUSED;
    return { status: ready.status, bytes: ready.bytes, position: ready.position, timing };
  };
  if (!(answer instanceof Promise)) return mark(answer);
  return answer.then((ready) => {
    timing.waited();
    return mark(ready);
  });
}

/** An answer whose bytes are its own: those of a synchronous one are the writer's. */
function lasting(answer: Answer | Promise<Answer>): Answer | Promise<Answer> {
  if (answer instanceof Promise || answer.bytes instanceof LongBytes) return answer;
  return { ...answer, bytes: copyBytes(answer.bytes) };
}

/** The answer to a body that is not even decoded. */
function bytesOfRefusal(): Uint8Array {
  const { head, tail } = answerText('null', rpcError('overload'));
  return Buffer.from(head + tail);
}

/** A complete block is past all of its increments. */
function isBehind({ pinned }: ReadView, least: LeastPosition): boolean {
  const { block, index, hash } = pinned.record.coordinates;
  return block < least.block || (block === least.block && index < least.index && hash === null);
}
