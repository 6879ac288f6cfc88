// A body being answered, passed along as a value: what follows an await belongs to the right body.
import { utf8Slice } from '../../lib/bytes/decode-text.js';
import type { Caller } from '../answer/rpc-handler-types.js';
import { parseCallNatively, type NativelyParsedParams } from '../params/native-call-parser.js';
import {
  BODY_KIND,
  type BodyDecoder,
  NOTIFICATION_FLAG,
  ROW_WORDS,
  ROW_SHAPE,
  ROW_WORD_INDEX,
} from '../decode/decoded-call-row.js';

/** A decoded body, and the state of its calls so far. */
export class RequestInProgress {
  readonly caller: Caller;
  /** One of the values of BODY. */
  readonly kind: number;
  /** Number of its rows. */
  readonly count: number;
  /** Set if the table was reset while one of its calls ran. */
  wasReset = false;
  /** Set if a call was forwarded to the node, or has submitted a transaction: it may not be repeated. */
  isPassedOn = false;
  /** Set if a result exceeded the size limit. Nothing more is run then, as in go-ethereum. */
  isFull = false;
  /** Bytes of the response that are no longer in the writer. */
  answeredBytes = 0;
  /** Number of calls that were refused for overload. */
  overloads = 0;
  /** Set when a call of the batch has been answered. */
  isAnswered = false;
  #body: Uint8Array;
  #rows: Uint32Array;
  #isKept = false;

  /** `body` and the decoder's rows are only valid until the transport or the decoder continues. */
  constructor(kind: number, body: Uint8Array, decoder: BodyDecoder, caller: Caller) {
    this.kind = kind;
    this.#body = body;
    this.#rows = decoder.rows;
    this.count = decoder.count;
    this.caller = caller;
  }

  /** The JSON in UTF-8. After `keep` it is a copy. */
  get body(): Uint8Array {
    return this.#body;
  }

  /** See decoded-call-row.ts. */
  get rows(): Uint32Array {
    return this.#rows;
  }

  /** Copies body and rows, if it is answered in a later event-loop tick. */
  keep(): void {
    if (this.#isKept) return;
    this.#body = new Uint8Array(this.#body);
    this.keepRows();
  }

  /** Copies only the rows, if the body stays where it is until it is answered. */
  keepRows(): void {
    this.#isKept = true;
    this.#rows = this.#rows.slice(0, this.count * ROW_WORDS);
  }

  word(row: number, word: number): number {
    return this.#rows[row * ROW_WORDS + word]!;
  }

  isInvalid(row: number): boolean {
    return (this.word(row, ROW_WORD_INDEX.shape) & ~NOTIFICATION_FLAG) === ROW_SHAPE.invalid;
  }

  /** True if the row needs no response. */
  isNotification(row: number): boolean {
    return (this.word(row, ROW_WORD_INDEX.shape) & NOTIFICATION_FLAG) !== 0;
  }

  /** The row's id as raw JSON. */
  id(row: number): string {
    const length = this.word(row, ROW_WORD_INDEX.idLength);
    return length === 0 ? 'null' : this.#text(this.word(row, ROW_WORD_INDEX.idOffset), length);
  }

  /** Text before the next response: the response to a batch is a list. */
  lead(): string {
    if (this.kind === BODY_KIND.single) return '';
    const lead = this.isAnswered ? ',' : '[';
    this.isAnswered = true;
    return lead;
  }

  /** True if the row's method has this name as JSON. */
  isMethod(row: number, json: Uint8Array): boolean {
    const offset = this.word(row, ROW_WORD_INDEX.methodOffset);
    if (this.word(row, ROW_WORD_INDEX.methodLength) !== json.length) return false;
    for (let at = 0; at < json.length; at++) if (this.#body[offset + at] !== json[at]) return false;
    return true;
  }

  /** The method's name as JSON. */
  method(row: number): string {
    return this.#text(this.word(row, ROW_WORD_INDEX.methodOffset), this.word(row, ROW_WORD_INDEX.methodLength));
  }

  /** The params as JSON in UTF-8, as a view of the body; empty if there are none. */
  params(row: number): Uint8Array {
    const offset = this.word(row, ROW_WORD_INDEX.paramsOffset);
    return this.#body.subarray(offset, offset + this.word(row, ROW_WORD_INDEX.paramsLength));
  }

  /** The params of a call if they are in plain form, with a copy of their JSON. */
  plainParams(row: number): NativelyParsedParams | null {
    return parseCallNatively(
      this.#body,
      this.word(row, ROW_WORD_INDEX.paramsOffset),
      this.word(row, ROW_WORD_INDEX.paramsLength),
    );
  }

  #text(offset: number, length: number): string {
    return utf8Slice(this.#body, offset, offset + length);
  }
}
