// Last stage of a body: results become the bytes of its answer. Runs on main.
import { rpcError, type RpcError } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import { NOTHING, type Answer, type Asker } from '../answer/answer.js';
import { AnswerPieces, type AnswerPiecesParts } from '../answer/answer-pieces.js';
import { answerText, textIn, writtenBytes } from '../answer/answer-text.js';
import { isError } from '../answer/call-result.js';
import type { AnswerWriter } from '../answer/encode.js';
import type { Request } from '../call/request.js';
import type { Waiting } from '../call/row-answers.js';
import { BODY, NOTIFICATION, WORD } from '../decode/request-row.js';
import type { ReadView } from '../view/read-view.js';

/** The writer of what is known at once, and bounds of what is not. */
export interface EncodeParts extends AnswerPiecesParts {
  readonly writer: AnswerWriter;
}

/** Finishes answers, and refuses bodies whose calls are not run. */
export class EncodeStage {
  readonly #parts: EncodeParts;

  constructor(parts: EncodeParts) {
    this.#parts = parts;
  }

  /** A new answer begins. */
  begin(): void {
    this.#parts.writer.reset();
  }

  /** The answer that the writer has; no bytes where there were only notifications. */
  finished({ overloads, count }: Request, { pinned }: ReadView): Answer {
    const bytes = this.#parts.writer.bytes();
    if (bytes.length === 0) return NOTHING;
    return { status: overloads > 0 && overloads === count ? 429 : 200, bytes, position: pinned.position };
  }

  /** Nearly all answers are small: written at once they cost 2 us less than joined from pieces. */
  later(waiting: Waiting, asker: Asker, position: Answer['position']): Promise<Answer> {
    const { id, result } = waiting;
    return result.then((settled) => {
      if (id === '') return NOTHING;
      const text = answerText(id, settled);
      if (text.head.length + writtenBytes(text) > LIMITS.smallAnswerBytes)
        return this.#joined(waiting, asker, position);
      if (isError(settled)) this.#parts.errors.add(settled.error);
      const isOverload = isError(settled) && settled.error === 'overload';
      return { status: isOverload ? 429 : 200, bytes: Buffer.from(textIn(text)), position };
    });
  }

  async #joined({ id, result }: Waiting, asker: Asker, position: Answer['position']): Promise<Answer> {
    const pieces = new AnswerPieces(this.#parts, asker);
    pieces.wait(id, result);
    const bytes = await pieces.join();
    return { status: pieces.overloads > 0 ? 429 : 200, bytes, position };
  }

  /** Every id gets the error, unless there are too many even for that; a body that is no JSON gets its own. */
  refuse(request: Request, readView: ReadView, error: RpcError): Answer {
    if (request.kind === BODY.malformed) return this.refuseWhole(request, readView, rpcError('parse'));
    if (request.kind !== BODY.single) return this.#refuseBatch(request, readView, error);
    if (isNotification(request, 0)) return NOTHING;
    this.#error(request, 0, error);
    return this.finished(request, readView);
  }

  /** One error without an id for the whole body. */
  refuseWhole(request: Request, readView: ReadView, error: RpcError): Answer {
    this.#parts.writer.error(request.body, 0, 0, error);
    return this.finished(request, readView);
  }

  #refuseBatch(request: Request, readView: ReadView, error: RpcError): Answer {
    const { writer } = this.#parts;
    if (request.count >= LIMITS.batchIdsMax) return this.refuseWhole(request, readView, rpcError('batchTooLarge'));
    writer.openBatch();
    let answered = false;
    for (let row = 0; row < request.count; row++) {
      if (isNotification(request, row)) continue;
      if (answered) writer.separate();
      this.#error(request, row, error);
      answered = true;
    }
    if (!answered) writer.error(request.body, 0, 0, error);
    writer.closeBatch();
    return this.finished(request, readView);
  }

  #error(request: Request, row: number, error: RpcError): void {
    const { writer } = this.#parts;
    writer.error(request.body, request.word(row, WORD.idOffset), request.word(row, WORD.idLength), error);
  }
}

function isNotification(request: Request, row: number): boolean {
  return (request.word(row, WORD.shape) & NOTIFICATION) !== 0;
}
