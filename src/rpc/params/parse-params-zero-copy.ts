// Parses the parameters of a call. Long strings are left in the body: if such a string is decoded to bytes, no
// JavaScript string is needed, and allocating one takes more time than everything else.

// Long strings stay in the body. See DECISIONS.md.
import { indexOfByte } from '../../lib/bytes/index-of-byte.js';

/** Strings shorter than this are parsed with the other values. */
const LONG_BYTES_MIN = 16 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/**
 * First character of the placeholder for a long string. No other string starts with it: JSON allows this control
 * character only as an escape, and JSON with escapes is parsed without placeholders.
 */
const MARK = '\0';

/** Parsed JSON in which placeholders stand for the long strings. */
export interface ParamsWithPlaceholders {
  readonly values: unknown;
  readonly long: LongStringViews;
}

/** The long strings of some parameters, as views of the body that are valid as long as the body is. */
export class LongStringViews {
  static readonly none = new LongStringViews([]);
  readonly #texts: readonly Uint8Array[];

  constructor(texts: readonly Uint8Array[]) {
    this.#texts = texts;
  }

  /** Returns the UTF-8 text of the long string for which `value` is a placeholder; `null` if it is no placeholder. */
  textOf(value: unknown): Uint8Array | null {
    if (this.#texts.length === 0 || typeof value !== 'string' || !value.startsWith(MARK)) return null;
    return this.#texts[Number(value.slice(MARK.length))]!;
  }

  /** Returns a copy that does not depend on the body. */
  copy(): LongStringViews {
    return this.#texts.length === 0 ? this : new LongStringViews(this.#texts.map((text) => new Uint8Array(text)));
  }

  /** Returns `value` with every placeholder replaced by its string. */
  whole(value: unknown): unknown {
    if (this.#texts.length === 0) return value;
    if (Array.isArray(value)) return value.map((item) => this.whole(item));
    if (typeof value !== 'object' || value === null) return this.#text(value);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.#text(name), this.whole(item)]));
  }

  #text(value: unknown): unknown {
    const text = this.textOf(value);
    return text === null ? value : utf8(text);
  }
}

/**
 * Parses JSON, which the decoder has validated as UTF-8. Long strings in the result are views of `json`, valid only as
 * long as its bytes are. Empty text means null.
 */
export function parseParams(json: Uint8Array): ParamsWithPlaceholders {
  if (json.length === 0) return { values: null, long: LongStringViews.none };
  if (json.length < LONG_BYTES_MIN || indexOfByte(json, BACKSLASH) >= 0)
    return { values: JSON.parse(utf8(json)), long: LongStringViews.none };
  const long: Uint8Array[] = [];
  let rest = '';
  let from = 0;
  for (let open = indexOfByte(json, QUOTE); open >= 0;) {
    const close = indexOfByte(json, QUOTE, open + 1);
    if (close - open > LONG_BYTES_MIN) {
      rest += `${utf8(json.subarray(from, open))}"\\u0000${long.length}"`;
      long.push(json.subarray(open + 1, close));
      from = close + 1;
    }
    open = indexOfByte(json, QUOTE, close + 1);
  }
  return { values: JSON.parse(rest + utf8(json.subarray(from))), long: new LongStringViews(long) };
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
