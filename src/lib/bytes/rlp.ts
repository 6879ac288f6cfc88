// Builds RLP from items that are already encoded (yellow paper appendix B): trie nodes, receipts, whole blocks. Runs on
// every thread.

/** Encoding of the empty string, which also stands for zero and for an absent trie node. */
export const RLP_EMPTY = Uint8Array.of(0x80);

/** Encoding of a byte string. */
export function encodeBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && bytes[0]! < 0x80) return bytes;
  return bytes.length === 0 ? RLP_EMPTY : withPrefix(0x80, [bytes], bytes.length);
}

/** Encoding of an unsigned integer: big endian without leading zeros. */
export function encodeNumber(value: bigint): Uint8Array {
  if (value === 0n) return RLP_EMPTY;
  const digits = value.toString(16);
  return encodeBytes(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'));
}

/** Encoding of a list whose items are encoded already. */
export function encodeList(items: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const item of items) length += item.length;
  return withPrefix(0xc0, items, length);
}

/** Encoded size of a list whose encoded items have `payloadBytes` in total. */
export function listBytes(payloadBytes: number): number {
  return prefixBytes(payloadBytes) + payloadBytes;
}

function prefixBytes(length: number): number {
  if (length < 56) return 1;
  let bytes = 1;
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes++;
  return bytes;
}

function withPrefix(offset: 0x80 | 0xc0, items: readonly Uint8Array[], length: number): Uint8Array {
  const prefix = prefixBytes(length);
  const out = new Uint8Array(prefix + length);
  out[0] = prefix === 1 ? offset + length : offset + 54 + prefix;
  for (let i = prefix - 1, rest = length; i > 0; i--, rest = Math.floor(rest / 256)) out[i] = rest % 256;
  let at = prefix;
  for (const item of items) {
    out.set(item, at);
    at += item.length;
  }
  return out;
}
