// Encodes RLP (yellow paper appendix B) backwards, from the last item to the first. When the prefix of a list is
// written, the length of the list is already known, so nothing is measured beforehand or copied.
import { decodeHexInto } from './hex.js';

/**
 * What can be encoded: byte strings, as a Uint8Array or as a string of hex digits without `0x`; unsigned integers,
 * without leading zeros; lists; and items that are already encoded.
 */
export type RlpInput = Uint8Array | string | number | bigint | EncodedRlp | readonly RlpInput[];

/** Items that are already encoded, one after another. */
export class EncodedRlp {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** The encoding of the empty string, which also represents zero and an absent trie node. */
export const RLP_EMPTY = Uint8Array.of(0x80);

/** Smallest first byte of an encoded list. A legacy transaction starts with such a byte, a typed one does not. */
export const RLP_LIST_PREFIX_MIN = 0xc0;

const CHUNK_BYTES = 6;
const CHUNK_BITS = 48n;
/** From this length on, the length of a payload is written in front of it as a number. */
const LONG_MIN = 56;
const FIRST_BYTES = 1024;
/** A buffer that has grown beyond this size is replaced by a new one. */
const KEPT_BYTES_MAX = 1024 * 1024;

/** Buffer for the encoding. It is filled from its end towards its start, and reused for every item. */
let bytes = new Uint8Array(FIRST_BYTES);
/** The same memory as a Buffer, for writing hex digits. */
let view = Buffer.from(bytes.buffer);
/** Offset in `bytes` at which the encoding so far starts. */
let start = FIRST_BYTES;

/** Encodes an item, into newly allocated memory. `type` is a byte in front of it (EIP-2718), or 0 for none. */
export function encodeRlp(item: RlpInput, type = 0): Uint8Array {
  if (bytes.length > KEPT_BYTES_MAX) use(new Uint8Array(FIRST_BYTES));
  start = bytes.length;
  prepend(item);
  if (type !== 0) prependByte(type);
  return bytes.slice(start);
}

/** Returns the number of bytes that the encoding of a byte string takes. */
export function rlpStringLength(string: Uint8Array): number {
  return string.length === 1 && string[0]! < 0x80 ? 1 : rlpListLength(string.length);
}

/** Returns the number of bytes that the encoding of a list takes if its encoded items take `payloadBytes`. */
export function rlpListLength(payloadBytes: number): number {
  if (payloadBytes < LONG_MIN) return 1 + payloadBytes;
  let prefix = 1;
  for (let rest = payloadBytes; rest > 0; rest = Math.floor(rest / 256)) prefix++;
  return prefix + payloadBytes;
}

function prepend(item: RlpInput): void {
  if (item instanceof Uint8Array) return prependString(item);
  if (typeof item === 'string') return prependDigits(item);
  if (typeof item === 'number' || typeof item === 'bigint') return prependInteger(item);
  if (item instanceof EncodedRlp) return prependBytes(item.bytes);
  const end = bytes.length - start;
  for (let index = item.length - 1; index >= 0; index--) prepend(item[index]!);
  prependPrefix(RLP_LIST_PREFIX_MIN, bytes.length - start - end);
}

function prependString(string: Uint8Array): void {
  prependBytes(string);
  if (string.length !== 1 || string[0]! >= 0x80) prependPrefix(0x80, string.length);
}

function prependBytes(added: Uint8Array): void {
  grow(added.length);
  start -= added.length;
  bytes.set(added, start);
}

function prependDigits(digits: string): void {
  const length = digits.length >> 1;
  grow(length);
  start -= length;
  decodeHexInto(digits, view, start);
  if (length !== 1 || bytes[start]! >= 0x80) prependPrefix(0x80, length);
}

function prependInteger(value: number | bigint): void {
  const end = bytes.length - start;
  let rest = value;
  for (; rest > Number.MAX_SAFE_INTEGER; rest = BigInt(rest) >> CHUNK_BITS)
    prependChunk(Number(BigInt.asUintN(CHUNK_BYTES * 8, BigInt(rest))), CHUNK_BYTES);
  prependChunk(Number(rest), 0);
  const length = bytes.length - start - end;
  if (length !== 1 || bytes[start]! >= 0x80) prependPrefix(0x80, length);
}

function prependPrefix(kind: 0x80 | typeof RLP_LIST_PREFIX_MIN, length: number): void {
  if (length < LONG_MIN) return prependByte(kind + length);
  const end = bytes.length - start;
  prependChunk(length, 0);
  prependByte(kind + LONG_MIN - 1 + bytes.length - start - end);
}

/** Writes a number before the encoding so far: without leading zeros, but with at least `leastBytes` bytes. */
function prependChunk(value: number, leastBytes: number): void {
  let rest = value;
  for (let count = 0; rest > 0 || count < leastBytes; count++, rest = Math.floor(rest / 256)) prependByte(rest % 256);
}

function prependByte(value: number): void {
  grow(1);
  bytes[--start] = value;
}

function grow(count: number): void {
  if (start >= count) return;
  const length = bytes.length - start;
  const larger = new Uint8Array(2 * (length + count));
  larger.set(bytes.subarray(start), larger.length - length);
  start = larger.length - length;
  use(larger);
}

function use(memory: Uint8Array<ArrayBuffer>): void {
  bytes = memory;
  view = Buffer.from(memory.buffer);
}
