// One body while it is answered: a value that is passed along, so that what happens after an await belongs to it.
import { utf8Slice } from '../../lib/bytes/decode-text.js';
import type { Caller } from '../answer/response.js';
import { readPlainParams, type PlainParams } from '../params/plain-call.js';
import { BODY, type Decoder, NOTIFICATION, ROW_WORDS, SHAPE, WORD } from '../decode/request-row.js';

/** A decoded body and the state of its calls so far. */
export class RpcRequest {
  readonly caller: Caller;
  /** One of BODY. */
  readonly kind: number;
  /** Number of rows. */
  readonly count: number;
  /** Set if the table was reset under one of its calls. */
  wasReset = false;
  /** Set if a call was passed through to the upstream node, or submitted a transaction: it may not be repeated. */
  isPassedOn = false;
  /** Set if a result exceeded the size limit: nothing more is run, as in go-ethereum. */
  isFull = false;
  /** Bytes of the answer that are no longer in the writer. */
  answeredBytes = 0;
  /** Number of calls refused for overload. */
  overloads = 0;
  /** Set once a call of the batch has been answered. */
  isAnswered = false;
  #body: Uint8Array;
  #rows: Uint32Array;
  #isKept = false;

  /** `body` and the decoder's rows are borrowed: they are valid until the transport or the decoder continues. */
  constructor(kind: number, body: Uint8Array, decoder: Decoder, caller: Caller) {
    this.kind = kind;
    this.#body = body;
    this.#rows = decoder.rows;
    this.count = decoder.count;
    this.caller = caller;
  }

  /** The JSON in UTF-8; a copy once `keep` was called. */
  get body(): Uint8Array {
    return this.#body;
  }

  /** See request-row.ts. */
  get rows(): Uint32Array {
    return this.#rows;
  }

  /** Copies body and rows, for what is answered in a later event-loop tick. */
  keep(): void {
    if (this.#isKept) return;
    this.#body = new Uint8Array(this.#body);
    this.keepRows();
  }

  /** Copies the rows of a body that stays where it is until it is answered. */
  keepRows(): void {
    this.#isKept = true;
    this.#rows = this.#rows.slice(0, this.count * ROW_WORDS);
  }

  /** A word of a row. */
  word(row: number, word: number): number {
    return this.#rows[row * ROW_WORDS + word]!;
  }

  /** True if the row is not a valid call. */
  isInvalid(row: number): boolean {
    return (this.word(row, WORD.shape) & ~NOTIFICATION) === SHAPE.invalid;
  }

  /** True if the row needs no response. */
  isNotification(row: number): boolean {
    return (this.word(row, WORD.shape) & NOTIFICATION) !== 0;
  }

  /** Raw JSON text of the row's id. */
  id(row: number): string {
    const length = this.word(row, WORD.idLength);
    return length === 0 ? 'null' : this.#text(this.word(row, WORD.idOffset), length);
  }

  /** Text in front of the next response: a batch is answered by a list. */
  lead(): string {
    if (this.kind === BODY.single) return '';
    const lead = this.isAnswered ? ',' : '[';
    this.isAnswered = true;
    return lead;
  }

  /** True if the method's name as JSON is this. */
  isMethod(row: number, json: Uint8Array): boolean {
    const offset = this.word(row, WORD.methodOffset);
    if (this.word(row, WORD.methodLength) !== json.length) return false;
    for (let at = 0; at < json.length; at++) if (this.#body[offset + at] !== json[at]) return false;
    return true;
  }

  /** The method's name as JSON. */
  method(row: number): string {
    return this.#text(this.word(row, WORD.methodOffset), this.word(row, WORD.methodLength));
  }

  /** The params as JSON in UTF-8, as a view of the body; empty if it has none. */
  params(row: number): Uint8Array {
    const offset = this.word(row, WORD.paramsOffset);
    return this.#body.subarray(offset, offset + this.word(row, WORD.paramsLength));
  }

  /** The params of a call if they are plain, with a copy of their JSON. */
  plainParams(row: number): PlainParams | null {
    return readPlainParams(this.#body, this.word(row, WORD.paramsOffset), this.word(row, WORD.paramsLength));
  }

  #text(offset: number, length: number): string {
    return utf8Slice(this.#body, offset, offset + length);
  }
}
