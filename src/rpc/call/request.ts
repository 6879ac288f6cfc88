// One body while it is answered: a value that is passed along, so that whatever happens after an await belongs to it. Runs
// on main.
import { latin1Slice, utf8Slice } from '../../lib/bytes/slices.js';
import type { Asker } from '../answer/answer.js';
import type { PlainParams } from '../params/arguments.js';
import { readPlainCall } from '../params/plain-call.js';
import { BODY, type Decoder, NOTIFICATION, ROW_WORDS, SHAPE, WORD } from '../decode/request-row.js';

/** A decoded body and what has happened to its calls so far. */
export class Request {
  readonly asker: Asker;
  /** One of BODY. */
  readonly kind: number;
  /** Rows of calls. */
  readonly count: number;
  /** A call of it fell between two tables. */
  wasReset = false;
  /** A call of it went to the upstream node as it is, or handed in a transaction, and may not be made twice. */
  isPassedOn = false;
  /** An answer did not fit the response: nothing more is run, as in go-ethereum. */
  isFull = false;
  /** Bytes of the answer that the writer does not hold any more. */
  answeredBytes = 0;
  /** Calls refused for overload. */
  overloads = 0;
  /** Some call of the batch has its answer. */
  isAnswered = false;
  #body: Buffer;
  #rows: Uint32Array;
  #isKept = false;

  /** `body` and the decoder's rows are borrowed: they are valid until the transport or the decoder goes on. */
  constructor(kind: number, body: Uint8Array, decoder: Decoder, asker: Asker) {
    this.kind = kind;
    this.#body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#rows = decoder.rows;
    this.count = decoder.count;
    this.asker = asker;
  }

  /** The JSON as it came in UTF-8; a copy once the request is kept. */
  get body(): Uint8Array {
    return this.#body;
  }

  /** See request-row.ts. */
  get rows(): Uint32Array {
    return this.#rows;
  }

  /** Makes body and rows the request's own, for what is answered in a later turn of the event loop. */
  keep(): void {
    if (this.#isKept) return;
    this.#isKept = true;
    this.#body = Buffer.from(this.#body);
    this.keepRows();
  }

  /** Makes the rows the request's own, before another body is decoded. */
  keepRows(): void {
    this.#rows = this.#rows.slice(0, this.count * ROW_WORDS);
  }

  /** A word of a row. */
  word(row: number, word: number): number {
    return this.#rows[row * ROW_WORDS + word]!;
  }

  /** True if the row is no call at all. */
  isInvalid(row: number): boolean {
    return (this.word(row, WORD.shape) & ~NOTIFICATION) === SHAPE.invalid;
  }

  /** True if nobody waits for the row's answer. */
  isNotification(row: number): boolean {
    return (this.word(row, WORD.shape) & NOTIFICATION) !== 0;
  }

  /** Raw JSON text of the row's id. */
  id(row: number): string {
    const length = this.word(row, WORD.idLength);
    return length === 0 ? 'null' : this.#text(this.word(row, WORD.idOffset), length);
  }

  /** Text in front of the next answer: a batch is answered by a list. */
  lead(): string {
    if (this.kind === BODY.single) return '';
    const lead = this.isAnswered ? ',' : '[';
    this.isAnswered = true;
    return lead;
  }

  /** The method as JSON. */
  method(row: number): string {
    return this.#text(this.word(row, WORD.methodOffset), this.word(row, WORD.methodLength));
  }

  /** The params as JSON in UTF-8, as they lie in the body; empty where it has none. */
  params(row: number): Uint8Array {
    const offset = this.word(row, WORD.paramsOffset);
    return this.#body.subarray(offset, offset + this.word(row, WORD.paramsLength));
  }

  /** The params of a call, where they are plain, with a copy of their JSON. */
  plainParams(row: number): PlainParams | null {
    const offset = this.word(row, WORD.paramsOffset);
    const length = this.word(row, WORD.paramsLength);
    const plain = readPlainCall(this.#body, offset, length);
    return plain === null ? null : { plain, json: latin1Slice(this.#body, offset, offset + length) };
  }

  #text(offset: number, length: number): string {
    return utf8Slice(this.#body, offset, offset + length);
  }
}
