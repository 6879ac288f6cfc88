// Packs the well-formed params of FAST_METHODS into the words of a row (see request-row.ts). Runs on main.
import { byteAt, CLOSE_ARRAY, COMMA, hexDigit, LETTER_N, QUOTE, skipSpace } from './json-bytes.js';
import { BLOCK, WORD } from './request-row.js';

const SLOW = -1;
const ADDRESS_BYTES = 20;
const SLOT_BYTES = 32;
const QUANTITY_DIGITS_MAX = 16;

const TAGS = (['latest', 'pending', 'safe', 'finalized', 'earliest'] as const).map((name) => ({
  quoted: Buffer.from(`"${name}"`),
  block: BLOCK[name],
}));

/** A row in a table of rows: its memory as words and as bytes. */
export interface Row {
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
  /** Index of the row's first word. */
  at: number;
}

/**
 * Packs the params array that starts at `at`, which must be valid JSON. Answers false for what is not fast; then some
 * words from WORD.block on may have been written.
 */
export function packFastParams(text: Uint8Array, at: number, withSlot: boolean, row: Row): boolean {
  at = packHex(text, skipSpace(text, at + 1), row, WORD.address, ADDRESS_BYTES, true);
  if (at !== SLOW && withSlot) {
    at = commaEnd(text, at);
    if (at !== SLOW) at = packHex(text, at, row, WORD.slot, SLOT_BYTES, false);
  }
  if (at !== SLOW) at = packBlock(text, skipSpace(text, at), row);
  return at !== SLOW && byteAt(text, skipSpace(text, at)) === CLOSE_ARRAY;
}

/** Start of the element after the comma. */
function commaEnd(text: Uint8Array, at: number): number {
  at = skipSpace(text, at);
  return byteAt(text, at) === COMMA ? skipSpace(text, at + 1) : SLOW;
}

/** First digit of the `"0x...` at `at`. */
function prefixEnd(text: Uint8Array, at: number): number {
  const found = byteAt(text, at) === QUOTE && byteAt(text, at + 1) === 0x30 && byteAt(text, at + 2) === 0x78;
  return found ? at + 3 : SLOW;
}

/** Right-aligned bytes of at most (or `exactly`) `size` bytes of digits; answers the offset after the closing quote. */
function packHex(text: Uint8Array, at: number, row: Row, word: number, size: number, exactly: boolean): number {
  const start = prefixEnd(text, at);
  if (start === SLOW) return SLOW;
  let end = start;
  while (end - start <= size * 2 && hexDigit(byteAt(text, end)) < 16) end++;
  const digits = end - start;
  if (byteAt(text, end) !== QUOTE || digits > size * 2 || (exactly && digits < size * 2)) return SLOW;
  let byte = (row.at + word) * 4 + size;
  for (let low = end - 1; low >= start; low -= 2) {
    const high = low > start ? hexDigit(text[low - 1]!) : 0;
    row.bytes[--byte] = (high << 4) | hexDigit(text[low]!);
  }
  return end + 1;
}

/** The block element, if there is one; answers the offset after it. */
function packBlock(text: Uint8Array, at: number, row: Row): number {
  if (byteAt(text, at) === CLOSE_ARRAY) return setBlock(row, BLOCK.latest, at);
  const start = commaEnd(text, at);
  if (start === SLOW) return SLOW;
  if (byteAt(text, start) === LETTER_N) return setBlock(row, BLOCK.latest, start + 4);
  for (const { quoted, block } of TAGS) {
    if (startsWith(text, start, quoted)) return setBlock(row, block, start + quoted.length);
  }
  return packNumber(text, start, row);
}

function startsWith(text: Uint8Array, at: number, wanted: Uint8Array): boolean {
  if (text.length - at < wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (text[at + i] !== wanted[i]) return false;
  return true;
}

/** A strict quantity of at most 64 bits. */
function packNumber(text: Uint8Array, at: number, row: Row): number {
  const start = prefixEnd(text, at);
  if (start === SLOW || (byteAt(text, start) === 0x30 && byteAt(text, start + 1) !== QUOTE)) return SLOW;
  let low = 0;
  let high = 0;
  let end = start;
  for (; byteAt(text, end) !== QUOTE; end++) {
    const digit = hexDigit(byteAt(text, end));
    if (digit > 15 || end - start === QUANTITY_DIGITS_MAX) return SLOW;
    high = (high << 4) | (low >>> 28);
    low = (low << 4) | digit;
  }
  if (end === start) return SLOW;
  row.words[row.at + WORD.numberLow] = low;
  row.words[row.at + WORD.numberHigh] = high;
  return setBlock(row, BLOCK.number, end + 1);
}

function setBlock(row: Row, block: number, end: number): number {
  row.words[row.at + WORD.block] = block;
  return end;
}
