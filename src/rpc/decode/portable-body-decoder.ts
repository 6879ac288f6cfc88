// Decodes a body to rows of 32-bit words without native code. It is used if the simdjson addon could not be built, and
// the addon is tested against it.
import { LIMITS } from '../../limits/index.js';
import {
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isDigit,
  LETTER_N,
  MALFORMED_JSON,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  stringEnd,
  stringIs,
  valueEnd,
} from './json-scanner.js';
import {
  BODY_KIND,
  type BodyDecoder,
  NOTIFICATION_FLAG,
  ROW_WORDS,
  ROW_KIND,
  ROW_WORD_INDEX,
} from './decoded-call-row.js';

/** Start and end offset of a JSON member's value; `end` is 0 if the member is absent. */
interface Span {
  offset: number;
  end: number;
}

/** The body decoder in TypeScript. It has mutable state, so each thread has its own. */
export class PortableBodyDecoder implements BodyDecoder {
  readonly name = 'bytes';
  readonly reason: string;
  rows = new Uint32Array(LIMITS.batchCallsMax * ROW_WORDS);
  count = 0;
  readonly #keptRows = this.rows;
  readonly #version: Span = { offset: 0, end: 0 };
  readonly #method: Span = { offset: 0, end: 0 };
  readonly #params: Span = { offset: 0, end: 0 };
  readonly #id: Span = { offset: 0, end: 0 };
  readonly #unknown: Span = { offset: 0, end: 0 };

  /** `reason` says in the log why this decoder is used. */
  constructor(reason: string) {
    this.reason = reason;
  }

  decode(body: Uint8Array): number {
    this.count = 0;
    this.rows = this.#keptRows;
    if (body.length > LIMITS.bodyBytesMax) return BODY_KIND.malformed;
    const at = skipSpace(body, 0);
    if (byteAt(body, at) === OPEN_ARRAY) return this.#batch(body, at);
    const end = this.#element(body, at, LIMITS.jsonDepthMax, 0);
    if (end === MALFORMED_JSON || skipSpace(body, end) !== body.length) return BODY_KIND.malformed;
    this.count = 1;
    return BODY_KIND.single;
  }

  #batch(text: Uint8Array, at: number): number {
    let count = 0;
    at = skipSpace(text, at + 1);
    if (byteAt(text, at) !== CLOSE_ARRAY) {
      for (; ; at = skipSpace(text, at + 1)) {
        at = this.#element(text, at, LIMITS.jsonDepthMax - 1, Math.min(count++, LIMITS.batchIdsMax));
        if (at === MALFORMED_JSON) return BODY_KIND.malformed;
        at = skipSpace(text, at);
        if (byteAt(text, at) !== COMMA) break;
      }
    }
    if (byteAt(text, at) !== CLOSE_ARRAY || skipSpace(text, at + 1) !== text.length) return BODY_KIND.malformed;
    this.count = Math.min(count, LIMITS.batchIdsMax);
    if (count <= LIMITS.batchCallsMax) return BODY_KIND.batch;
    for (let row = 0; row < this.count; row++) this.#keepId(row * ROW_WORDS);
    return BODY_KIND.batchTooLarge;
  }

  #keepId(row: number): void {
    this.rows[row + ROW_WORD_INDEX.shape] = ROW_KIND.invalid;
    this.rows[row + ROW_WORD_INDEX.offset] = 0;
    this.rows.fill(0, row + ROW_WORD_INDEX.paramsOffset, row + ROW_WORDS);
  }

  /**
   * Decodes one element of the body, of any JSON type, in which `depth` more levels may be nested. Returns the offset
   * of its end.
   */
  #element(text: Uint8Array, at: number, depth: number, index: number): number {
    const row = this.#clearRow(index);
    if (byteAt(text, at) !== OPEN_OBJECT) return valueEnd(text, at, depth);
    const end = this.#members(text, at, depth);
    if (end !== MALFORMED_JSON) this.#fill(text, at, row);
    return end;
  }

  #clearRow(index: number): number {
    const row = index * ROW_WORDS;
    if (row >= this.rows.length) {
      const rows = new Uint32Array(this.rows.length * 2);
      rows.set(this.rows);
      this.rows = rows;
    }
    this.rows.fill(0, row, row + ROW_WORDS);
    return row;
  }

  /** Records the offsets of one object's members. If a key is repeated, its last value counts, as in go-ethereum. */
  #members(text: Uint8Array, at: number, depth: number): number {
    this.#version.end = this.#method.end = this.#params.end = this.#id.end = 0;
    if (depth === 0) return MALFORMED_JSON;
    at = skipSpace(text, at + 1);
    if (byteAt(text, at) === CLOSE_OBJECT) return at + 1;
    for (; ; at = skipSpace(text, at + 1)) {
      const keyEnd = stringEnd(text, at);
      if (keyEnd === MALFORMED_JSON) return MALFORMED_JSON;
      const member = this.#memberOf(text, at, keyEnd);
      at = skipSpace(text, keyEnd);
      if (byteAt(text, at) !== COLON) return MALFORMED_JSON;
      member.offset = skipSpace(text, at + 1);
      member.end = at = valueEnd(text, member.offset, depth - 1);
      if (at === MALFORMED_JSON) return MALFORMED_JSON;
      at = skipSpace(text, at);
      if (byteAt(text, at) !== COMMA) break;
    }
    return byteAt(text, at) === CLOSE_OBJECT ? at + 1 : MALFORMED_JSON;
  }

  #memberOf(text: Uint8Array, at: number, end: number): Span {
    if (stringIs(text, at, end, 'jsonrpc')) return this.#version;
    if (stringIs(text, at, end, 'method')) return this.#method;
    if (stringIs(text, at, end, 'params')) return this.#params;
    return stringIs(text, at, end, 'id') ? this.#id : this.#unknown;
  }

  #fill(text: Uint8Array, at: number, row: number): void {
    const idValid = isIdStart(firstOf(text, this.#id));
    if (idValid) this.#setSpan(row + ROW_WORD_INDEX.idOffset, this.#id);
    if (!idValid || !this.#versionAndMethodValid(text)) return;
    this.rows[row + ROW_WORD_INDEX.offset] = at;
    this.#setSpan(row + ROW_WORD_INDEX.paramsOffset, this.#params);
    this.#setSpan(row + ROW_WORD_INDEX.methodOffset, this.#method);
    this.rows[row + ROW_WORD_INDEX.shape] = ROW_KIND.call | (this.#id.end === 0 ? NOTIFICATION_FLAG : 0);
  }

  #versionAndMethodValid(text: Uint8Array): boolean {
    const [version, method] = [this.#version, this.#method];
    return (
      firstOf(text, version) === QUOTE &&
      stringIs(text, version.offset, version.end, '2.0') &&
      firstOf(text, method) === QUOTE &&
      !stringIs(text, method.offset, method.end, '')
    );
  }

  #setSpan(word: number, span: Span): void {
    if (span.end === 0) return;
    this.rows[word] = span.offset;
    this.rows[word + 1] = span.end - span.offset;
  }
}

/** Returns the first byte of a member's value; 0 if the member is absent. */
function firstOf(text: Uint8Array, span: Span): number {
  return span.end === 0 ? 0 : text[span.offset]!;
}

function isIdStart(byte: number): boolean {
  return byte === 0 || byte === QUOTE || byte === MINUS || byte === LETTER_N || isDigit(byte);
}
