// Answers a batch of calls: at once if the main thread has the time, otherwise in several time slices. All calls are
// answered from one state version.
import { rpcError } from '../../rpc-errors.js';
import { EMPTY_RESPONSE, type EncodedRpcResponse } from '../answer/request-response-types.js';
import { AsyncAnswer } from '../answer/async-answer.js';
import type { MethodRunner } from '../call/method-runner.js';
import type { RequestBodyInProgress } from '../call/request-in-progress.js';
import { ROW_WORD_INDEX } from '../decode/decoded-call-row.js';
import type { ReadView } from '../view/pinned-read-view.js';
import { BATCH_END_BYTES, type EncodeStage, type EncodeStageDeps } from './encode-response.js';

/**
 * What runs and encodes the calls. All requests share the writer: between two time slices of a batch, other requests
 * use it.
 */
export interface BatchRunDeps extends EncodeStageDeps {
  readonly runner: MethodRunner;
  readonly encode: EncodeStage;
}

/** The clock is read again after work that takes as long as this many plain reads, of some 0.1 us each. */
const PLAIN_READS_PER_CLOCK_CHECK = 256;
/** When the writer contains this many bytes, they are moved out of it to a piece of the response. */
const WRITER_BYTES = 256 * 1024;

/**
 * A batch that is being answered. Its calls are answered in order; results of asynchronous calls are inserted at their
 * positions.
 */
export class BatchRun {
  readonly #request: RequestBodyInProgress;
  readonly #deps: BatchRunDeps;
  readonly #pieces: AsyncAnswer;
  #row = 0;
  /** True while the writer contains the whole response so far. */
  #isWhole = true;

  constructor(request: RequestBodyInProgress, deps: BatchRunDeps) {
    this.#request = request;
    this.#deps = deps;
    this.#pieces = new AsyncAnswer(deps, request.caller);
  }

  /**
   * Answers the batch from the pinned `readView`. Returns `null` if the writer then contains the whole response, which
   * is empty if all calls are notifications.
   */
  answer(readView: ReadView): Promise<EncodedRpcResponse> | null {
    this.#fill(readView);
    const isDone = this.#row === this.#request.count;
    if (isDone && this.#isWhole) return null;
    this.#add();
    return isDone ? this.#joined(readView.pinned.position) : this.#goOn(readView, readView.pinned.hold());
  }

  /** Answers calls until all are answered or the time slice is used up. */
  #fill(readView: ReadView): void {
    let plainReads = 0;
    while (this.#row < this.#request.count) {
      if (plainReads >= PLAIN_READS_PER_CLOCK_CHECK) {
        if (this.#deps.slices.isOver()) return;
        plainReads = 0;
      }
      plainReads += this.#answerRun(readView) || this.#answerRow(readView);
      if (this.#deps.writer.length >= WRITER_BYTES) this.#flush();
    }
  }

  /**
   * Moves the writer's bytes to a piece. This keeps the writer's buffer short: a buffer that has grown is allocated
   * again for the next response, which takes longer than a copy.
   */
  #flush(): void {
    this.#isWhole = false;
    this.#add();
  }

  /**
   * If the next calls of the batch read nonces, balances or storage words, answers them with one call of the addon.
   * Returns their number; 0 if the next call is of another method.
   */
  #answerRun({ plainReads, pinned }: ReadView): number {
    const request = this.#request;
    const { writer, encode, runner } = this.#deps;
    request.isFull ||= this.#pieces.isFull;
    const offset = request.word(this.#row, ROW_WORD_INDEX.offset);
    if (plainReads === null || offset === 0 || request.isFull) return 0;
    const bytes = plainReads.answer(request.body, offset, pinned);
    if (bytes === null || !encode.fits(request, bytes.length)) return 0;
    writer.text(request.lead());
    writer.append(bytes);
    const count = runner.countPlain(plainReads.counts);
    this.#row += count;
    return count;
  }

  /** Answers one call. Returns the work done, in units of some 0.1 us (one nonce, balance or storage word). */
  #answerRow(readView: ReadView): number {
    const request = this.#request;
    const { encode, runner } = this.#deps;
    const row = this.#row++;
    const result = runner.run(request, row, readView);
    if (!(result instanceof Promise)) encode.respond(request, row, result);
    else if (!request.isNotification(row)) {
      this.#flush();
      this.#pieces.wait(request.id(row), result, request.lead());
    }
    return PLAIN_READS_PER_CLOCK_CHECK;
  }

  /**
   * Answers the remaining calls in later ticks, from the same state version, which `release` releases at the end. Stops
   * after a disconnect.
   */
  async #goOn(first: ReadView, release: () => void): Promise<EncodedRpcResponse> {
    const { writer, slices, memory } = this.#deps;
    const { epoch, pinned } = first;
    const { version, position } = pinned;
    let { announcedIndex } = pinned;
    const { caller } = this.#request;
    this.#request.keep();
    while (this.#row < this.#request.count) {
      await slices.turn(caller.client);
      if (caller.aborted) break;
      const readView = this.#deps.readView();
      writer.reset();
      this.#request.answeredBytes = this.#pieces.bytes;
      if (memory.isFull) this.#refuseRest('overload');
      else if (readView.epoch !== epoch || !readView.pinned.beginAt(version, announcedIndex))
        this.#refuseRest('stateReset');
      else {
        this.#fillPinned(readView);
        ({ announcedIndex } = readView.pinned);
      }
      this.#add();
    }
    release();
    return this.#joined(position);
  }

  #fillPinned(readView: ReadView): void {
    try {
      this.#fill(readView);
    } finally {
      readView.pinned.end();
    }
  }

  #refuseRest(reason: 'overload' | 'stateReset'): void {
    const request = this.#request;
    request.wasReset ||= reason === 'stateReset';
    for (; this.#row < request.count; this.#row++) {
      this.#deps.encode.respond(request, this.#row, rpcError(reason));
      if (reason === 'overload') request.overloads++;
    }
  }

  /** Moves the bytes in the writer to a piece of the response. */
  #add(): void {
    const { writer } = this.#deps;
    if (writer.length === 0) return;
    this.#pieces.add(writer.bytes());
    this.#request.answeredBytes = this.#pieces.bytes;
    writer.reset();
  }

  async #joined(position: EncodedRpcResponse['position']): Promise<EncodedRpcResponse> {
    const { isAnswered, isPassedOn, count } = this.#request;
    if (isAnswered) this.#pieces.add(BATCH_END_BYTES);
    const bytes = await this.#pieces.join();
    if (!isAnswered) return EMPTY_RESPONSE;
    const overloads = this.#request.overloads + this.#pieces.overloads;
    const at = isPassedOn ? this.#deps.encode.newest() : position;
    return { status: overloads === count ? 429 : 200, bytes, position: at };
  }
}
