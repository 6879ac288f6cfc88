// Answers the rows of a decoded body, one by one. Runs on main.
import { rpcError } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import type { CallRunner } from './call-runner.js';
import type { AnswerWriter } from '../answer/encode.js';
import type { Request } from './request.js';
import type { ReadView } from '../view/read-view.js';
import { NOTIFICATION, SHAPE, WORD } from '../decode/request-row.js';
import { type CallResult, JsonBytes, isError } from '../answer/call-result.js';

/** A call that is answered elsewhere. */
export interface Waiting {
  /** Raw JSON text; '' for a notification. */
  readonly id: string;
  /** Never rejects. */
  readonly result: Promise<CallResult>;
}

/** Writes what is known at once into the writer, and hands back what is not. */
export class RowAnswers {
  readonly #writer: AnswerWriter;
  readonly #runner: CallRunner;

  constructor(writer: AnswerWriter, runner: CallRunner) {
    this.#writer = writer;
    this.#runner = runner;
  }

  /** Answers one row into the writer; what has to be waited for is returned instead. */
  answer(request: Request, row: number, readView: ReadView): Waiting | null {
    if (request.isFull) return this.refuse(request, row, 'responseTooLarge');
    const shape = request.word(row, WORD.shape);
    if ((shape & ~NOTIFICATION) === SHAPE.invalid) {
      this.#write(request, row, rpcError('invalidRequest'));
      return null;
    }
    const result = this.#runner.run(request, row, readView);
    const isNotification = (shape & NOTIFICATION) !== 0;
    if (result instanceof Promise) return { id: isNotification ? '' : request.id(row), result };
    if (!isNotification) this.#write(request, row, result);
    return null;
  }

  /** Answers plain reads that stand one behind the other in a batch, from `row` on, and says how many; 0 where the first is none. */
  answerRun(request: Request, row: number, readView: ReadView): number {
    const { plainReads, pinned } = readView;
    const offset = request.word(row, WORD.offset);
    if (plainReads === null || offset === 0 || request.isFull) return 0;
    const bytes = plainReads.run(request.body, offset, pinned);
    if (bytes === null || !this.#fits(request, bytes.length)) return 0;
    this.#writer.append(bytes);
    return this.#runner.countPlain(plainReads.counts);
  }

  /** Answers a row without running it; nothing for a notification. */
  refuse(request: Request, row: number, reason: 'overload' | 'stateReset' | 'responseTooLarge'): null {
    const isNotification = (request.word(row, WORD.shape) & NOTIFICATION) !== 0;
    if (!isNotification) this.#write(request, row, rpcError(reason));
    return null;
  }

  #write(request: Request, row: number, result: CallResult): void {
    const before = this.#writer.length;
    const idOffset = request.word(row, WORD.idOffset);
    const idLength = request.word(row, WORD.idLength);
    const text = result instanceof JsonBytes ? Buffer.from(result.bytes).toString() : result;
    if (typeof text === 'string') this.#writer.result(request.body, idOffset, idLength, text);
    else if (isError(text)) this.#writer.error(request.body, idOffset, idLength, text);
    else this.#writer.hex(request.body, idOffset, idLength, text);
    this.#bound(request, row, before);
  }

  /** Takes back an answer that no longer fits the response, and says so instead. */
  #bound(request: Request, row: number, before: number): void {
    if (this.#fits(request, 0)) return;
    request.isFull = true;
    const idOffset = request.word(row, WORD.idOffset);
    const idLength = request.word(row, WORD.idLength);
    this.#writer.truncate(before);
    this.#writer.error(request.body, idOffset, idLength, rpcError('responseTooLarge'));
  }

  #fits(request: Request, bytes: number): boolean {
    return request.answeredBytes + this.#writer.length + bytes <= LIMITS.responseBytesMax;
  }
}
