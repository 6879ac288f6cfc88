// A request body that is being answered, with the state of its calls. It is passed to functions as an argument, so that
// code after an `await` works on the right body.
import { utf8Slice } from '../../lib/bytes/decode-text.js';
import type { Caller } from '../answer/request-response-types.js';
import { parseCallNatively, type NativelyParsedParams } from '../params/native-call-parser.js';
import {
  BODY_KIND,
  type BodyDecoder,
  NOTIFICATION_FLAG,
  ROW_WORDS,
  ROW_KIND,
  ROW_WORD_INDEX,
} from '../decode/decoded-call-row.js';

/** A decoded body, and the state of its calls so far. */
export class RequestBodyInProgress {
  readonly caller: Caller;
  /** Whether the body is a single call, a batch or invalid: one of the values of BODY_KIND. */
  readonly kind: number;
  /** Number of calls in the body. Each of them is decoded to one row. */
  readonly count: number;
  /** The JSON of the request in UTF-8. After `keep` it is a copy. */
  body: Uint8Array;
  /** Set if the state table was reset while one of the body's calls ran. */
  wasReset = false;
  /**
   * Set if one of the body's calls was forwarded to the node or has submitted a transaction, so that the body must not
   * be run again.
   */
  isPassedOn = false;
  /** Set if the response exceeded the size limit. Then no further call is run, as in go-ethereum. */
  isFull = false;
  /** Number of bytes of the response that were already moved out of the answer writer. */
  answeredBytes = 0;
  /** Number of calls that were refused for overload. */
  overloads = 0;
  /** Set when the first call of the batch has been answered. */
  isAnswered = false;
  #rows: Uint32Array;
  #isKept = false;

  /**
   * `body` belongs to the transport and `decoder.rows` to the decoder: both are overwritten by the next request, unless
   * `keep` copies them.
   */
  constructor(kind: number, body: Uint8Array, decoder: BodyDecoder, caller: Caller) {
    this.kind = kind;
    this.body = body;
    this.#rows = decoder.rows;
    this.count = decoder.count;
    this.caller = caller;
  }

  /** Copies the body and its decoded rows. Must be called if the body is answered in a later event-loop tick. */
  keep(): void {
    if (this.#isKept) return;
    this.body = new Uint8Array(this.body);
    this.keepRows();
  }

  /** Copies only the decoded rows, for a body whose bytes stay in place until it is answered. */
  keepRows(): void {
    this.#isKept = true;
    this.#rows = this.#rows.slice(0, this.count * ROW_WORDS);
  }

  word(row: number, word: number): number {
    return this.#rows[row * ROW_WORDS + word]!;
  }

  isInvalid(row: number): boolean {
    return (this.word(row, ROW_WORD_INDEX.shape) & ~NOTIFICATION_FLAG) === ROW_KIND.invalid;
  }

  /** True if the call in `row` is a notification, which gets no response. */
  isNotification(row: number): boolean {
    return (this.word(row, ROW_WORD_INDEX.shape) & NOTIFICATION_FLAG) !== 0;
  }

  /** Returns the id of the call in `row`, as raw JSON. */
  id(row: number): string {
    const length = this.word(row, ROW_WORD_INDEX.idLength);
    return length === 0 ? 'null' : this.#text(this.word(row, ROW_WORD_INDEX.idOffset), length);
  }

  /** Returns the text before the next call's response: empty for a single call; `[` or `,` in the list of a batch. */
  lead(): string {
    if (this.kind === BODY_KIND.single) return '';
    const lead = this.isAnswered ? ',' : '[';
    this.isAnswered = true;
    return lead;
  }

  /** True if the method name of the call in `row` equals `json`. */
  isMethod(row: number, json: Uint8Array): boolean {
    const offset = this.word(row, ROW_WORD_INDEX.methodOffset);
    if (this.word(row, ROW_WORD_INDEX.methodLength) !== json.length) return false;
    for (let at = 0; at < json.length; at++) if (this.body[offset + at] !== json[at]) return false;
    return true;
  }

  /** Returns the method name of the call in `row`, as JSON. */
  method(row: number): string {
    return this.#text(this.word(row, ROW_WORD_INDEX.methodOffset), this.word(row, ROW_WORD_INDEX.methodLength));
  }

  /** Returns the params of the call in `row` as JSON in UTF-8, as a view of the body; empty if there are none. */
  params(row: number): Uint8Array {
    const offset = this.word(row, ROW_WORD_INDEX.paramsOffset);
    return this.body.subarray(offset, offset + this.word(row, ROW_WORD_INDEX.paramsLength));
  }

  /**
   * Returns the params of a call, parsed by the addon, with a copy of their JSON; `null` if they have a form that it
   * does not parse.
   */
  plainParams(row: number): NativelyParsedParams | null {
    return parseCallNatively(
      this.body,
      this.word(row, ROW_WORD_INDEX.paramsOffset),
      this.word(row, ROW_WORD_INDEX.paramsLength),
    );
  }

  #text(offset: number, length: number): string {
    return utf8Slice(this.body, offset, offset + length);
  }
}
