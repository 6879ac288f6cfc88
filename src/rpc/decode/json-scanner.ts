// Scans JSON (RFC 8259, strict) directly in UTF-8 bytes: finds where a value ends, or that it is malformed, without
// building the value. The rules are those of src/native/json/body_decoder.h. UTF-8 is validated (no overlong forms, no
// surrogates). As in JSON.parse, numbers of any size and lone surrogates in escapes are accepted.

/** What every `...End` function returns for text that is not valid JSON. */
export const MALFORMED_JSON = -1;

/** ASCII codes of the characters in JSON's grammar. Those that only this file uses are not exported. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
/** First letter of `null`, as an ASCII code. */
export const LETTER_N = 0x6e;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const LETTER_F = 0x66;
const LETTER_T = 0x74;
const LETTER_U = 0x75;
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** 1 for each byte that may be in a string as it is: printable ASCII other than quote and backslash. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

const HEX_VALUES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? 16 : digit;
});

/** Returns the byte at `at`. After the end of the text it returns 0, with which no JSON token starts. */
export function byteAt(text: Uint8Array, at: number): number {
  return at < text.length ? text[at]! : 0;
}

/** Returns the first offset from `at` on that is not white space. */
export function skipSpace(text: Uint8Array, at: number): number {
  while (isSpace(byteAt(text, at))) at++;
  return at;
}

/**
 * Returns the end of the value that starts exactly at `at`. At most `depth` levels of arrays and objects may be nested
 * in it.
 */
export function valueEnd(text: Uint8Array, at: number, depth: number): number {
  switch (byteAt(text, at)) {
    case QUOTE:
      return stringEnd(text, at);
    case OPEN_OBJECT:
    case OPEN_ARRAY:
      return containerEnd(text, at, depth);
    case LETTER_T:
      return atomEnd(text, at, TRUE);
    case LETTER_F:
      return atomEnd(text, at, FALSE);
    case LETTER_N:
      return atomEnd(text, at, NULL);
    default:
      return numberEnd(text, at);
  }
}

/** Returns the end of the string that starts at `at`, quotes included. */
export function stringEnd(text: Uint8Array, at: number): number {
  if (byteAt(text, at) !== QUOTE) return MALFORMED_JSON;
  at++;
  while (at !== MALFORMED_JSON) {
    while (PLAIN[byteAt(text, at)] === 1) at++;
    if (at >= text.length) return MALFORMED_JSON;
    const byte = text[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte < 0x20) return MALFORMED_JSON;
    at = byte === BACKSLASH ? escapeEnd(text, at) : utf8End(text, at);
  }
  return MALFORMED_JSON;
}

/**
 * True if the string from `at` to `end` (quotes included, already validated) equals the ASCII `name` when unescaped.
 */
export function stringIs(text: Uint8Array, at: number, end: number, name: string): boolean {
  let length = 0;
  for (at++; at < end - 1; length++) {
    let unit = text[at]!;
    if (unit === BACKSLASH) {
      if (text[at + 1] !== LETTER_U) return false; // names contain no character with a short escape
      unit = unicodeUnit(text, at + 2);
      at += 6;
    } else at++;
    if (length >= name.length || unit !== name.charCodeAt(length)) return false;
  }
  return length === name.length;
}

/** Returns the value of a hexadecimal digit, or 16 for every other byte. */
export function hexDigit(byte: number): number {
  return HEX_VALUES[byte]!;
}

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns the end of the object or array that starts at `at`. */
function containerEnd(text: Uint8Array, at: number, depth: number): number {
  if (depth === 0) return MALFORMED_JSON;
  const isObject = text[at] === OPEN_OBJECT;
  const close = isObject ? CLOSE_OBJECT : CLOSE_ARRAY;
  at = skipSpace(text, at + 1);
  if (byteAt(text, at) === close) return at + 1;
  for (;;) {
    if (isObject) at = memberValue(text, at);
    if (at !== MALFORMED_JSON) at = valueEnd(text, at, depth - 1);
    if (at === MALFORMED_JSON) return MALFORMED_JSON;
    at = skipSpace(text, at);
    const byte = byteAt(text, at);
    if (byte === close) return at + 1;
    if (byte !== COMMA) return MALFORMED_JSON;
    at = skipSpace(text, at + 1);
  }
}

/** Returns the start of the value that belongs to the object key at `at`. */
function memberValue(text: Uint8Array, at: number): number {
  at = stringEnd(text, at);
  if (at === MALFORMED_JSON) return MALFORMED_JSON;
  at = skipSpace(text, at);
  return byteAt(text, at) === COLON ? skipSpace(text, at + 1) : MALFORMED_JSON;
}

function atomEnd(text: Uint8Array, at: number, name: Uint8Array): number {
  for (let i = 0; i < name.length; i++) if (byteAt(text, at + i) !== name[i]) return MALFORMED_JSON;
  return at + name.length;
}

function numberEnd(text: Uint8Array, at: number): number {
  if (byteAt(text, at) === MINUS) at++;
  at = byteAt(text, at) === ZERO ? at + 1 : digitsEnd(text, at);
  if (at !== MALFORMED_JSON && byteAt(text, at) === 0x2e) at = digitsEnd(text, at + 1);
  if (at === MALFORMED_JSON || (byteAt(text, at) | 0x20) !== 0x65) return at;
  const sign = byteAt(text, at + 1);
  return digitsEnd(text, sign === 0x2b || sign === MINUS ? at + 2 : at + 1);
}

/** Returns the end of the decimal digits at `at`, of which there must be at least one. */
function digitsEnd(text: Uint8Array, at: number): number {
  const start = at;
  while (isDigit(byteAt(text, at))) at++;
  return at === start ? MALFORMED_JSON : at;
}

function escapeEnd(text: Uint8Array, at: number): number {
  const byte = byteAt(text, at + 1);
  if (byte !== LETTER_U) return ESCAPED.has(byte) ? at + 2 : MALFORMED_JSON;
  return unicodeUnit(text, at + 2) > 0xffff ? MALFORMED_JSON : at + 6;
}

/** Returns the UTF-16 code unit of four hexadecimal digits; a value above 0xffff if one of them is not a digit. */
function unicodeUnit(text: Uint8Array, at: number): number {
  let unit = 0;
  for (let i = 0; i < 4; i++) {
    const digit = hexDigit(byteAt(text, at + i));
    if (digit > 15) return 0x10000;
    unit = (unit << 4) | digit;
  }
  return unit;
}

/** Returns the end of a UTF-8 character of two to four bytes (Unicode 15, table 3-7: well-formed byte sequences). */
function utf8End(text: Uint8Array, at: number): number {
  const lead = text[at]!;
  if (lead < 0xc2 || lead > 0xf4) return MALFORMED_JSON;
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = byteAt(text, at + 1);
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return MALFORMED_JSON;
  for (let i = 2; i < size; i++) if (byteAt(text, at + i) >> 6 !== 2) return MALFORMED_JSON;
  return at + size;
}
