// Converts hexadecimal strings to and from bytes and numbers.

const HEX_DIGITS = Buffer.from('0123456789abcdef', 'latin1');

/** The two hex digits of every byte value as one 16-bit number, little-endian as in memory. */
export const HEX_PAIRS = Uint16Array.from(
  { length: 256 },
  (_, byte) => HEX_DIGITS[byte >> 4]! | (HEX_DIGITS[byte & 15]! << 8),
);

/** Up to this many bytes, hex digits are copied in pairs: 160 ns for a word, where Buffer's hex takes 450 ns. */
const SHORT_BYTES_MAX = 64;
const SHORT_PAIRS = new Uint16Array(1 + SHORT_BYTES_MAX);
const SHORT_TEXT = Buffer.from(SHORT_PAIRS.buffer);
SHORT_TEXT.write('0x', 'latin1');

/** Formats bytes as lower-case hex with `0x`. */
export function toHex(bytes: Uint8Array): string {
  const { length } = bytes;
  if (length > SHORT_BYTES_MAX) return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('hex')}`;
  for (let i = 0; i < length; i++) SHORT_PAIRS[i + 1] = HEX_PAIRS[bytes[i]!]!;
  return SHORT_TEXT.toString('latin1', 0, 2 + 2 * length);
}

/** Formats a JSON-RPC quantity: `0x` and hex digits without leading zeros. */
export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** Decodes a trusted hex string, with or without `0x`. For untrusted input use the parsers in rpc/params instead. */
export function fromHex(text: string): Uint8Array {
  const bytes = text.length % 2 === 0 ? parseHex(text, text.startsWith('0x') ? 2 : 0) : null;
  if (bytes === null) throw new Error(`not hex: ${text.slice(0, 80)}`);
  return bytes;
}

/** Decodes trusted hex digits, an even number without `0x`, into `out` at offset `at`. */
export function decodeHexInto(digits: string, out: Buffer, at: number): void {
  if (digits.length > WRITTEN_SHORT_MAX) {
    out.write(digits, at, 'hex');
    return;
  }
  for (let i = 0, to = at; i < digits.length; i += 2, to++)
    out[to] = (digitAt(digits, i) << 4) | digitAt(digits, i + 1);
}

/**
 * Decodes the hex digits from `start` to the end of the text. Returns null if their number is odd or there is any other
 * character.
 */
export function parseHex(text: string, start: number): Uint8Array | null {
  if (text.length > SHORT_MAX) return parseLong(text.slice(start));
  const bytes = new Uint8Array((text.length - start) >> 1);
  let seen = 0;
  for (let i = 0, at = start; i < bytes.length; i++, at += 2) {
    const value = (digitAt(text, at) << 4) | digitAt(text, at + 1);
    bytes[i] = value;
    seen |= value;
  }
  return seen < NO_DIGIT ? bytes : null;
}

/**
 * Decodes long hex by Node.js, which stops at the first character that is not a digit, so that the result may be too
 * short.
 */
function parseLong(digits: string): Uint8Array | null {
  const bytes = Buffer.from(digits, 'hex');
  if (bytes.length !== digits.length >> 1) return null;
  // Short buffers are slices of Node.js's shared pool, so they are copied.
  return bytes.length < Buffer.poolSize
    ? new Uint8Array(bytes)
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Up to this many characters, a loop is faster: 110 ns for an address, where Buffer takes 210 ns. */
const SHORT_MAX = 140;
/**
 * Up to this many characters, a loop is faster if the bytes are written to existing memory, so that nothing is
 * allocated.
 */
const WRITTEN_SHORT_MAX = 32;
/** Marks a character that is no hex digit. It is larger than every byte, even if it is shifted by four bits. */
const NO_DIGIT = 0x100;
const DIGITS = Uint16Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? NO_DIGIT : digit;
});

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < DIGITS.length ? DIGITS[code]! : NO_DIGIT;
}
