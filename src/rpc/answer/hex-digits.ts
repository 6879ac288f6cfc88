// Long bytes as the hexadecimal digits that stand in an answer, without a string in between: by the simdjson addon, or byte by
// byte where the addon could not be built. Runs on main.
import { HEX_PAIRS } from '../../lib/bytes/hex.js';
import { nativePart } from '../../native/load.js';

/** Fills the beginning of `digits` with two digits for each byte. */
export type WriteHex = (bytes: Uint8Array, digits: Uint8Array) => void;

/** Bytes whose digits are made in one go: they stay in the processor's cache. */
export const HEX_BYTES_MAX = 16 * 1024;
const SCRATCH = new Uint8Array(2 * HEX_BYTES_MAX);

/** The addon's function where it can be loaded; it takes a thirtieth of the time, which was most of that of a large answer. */
const writeHex: WriteHex = nativePart('json').part?.hex ?? writeHexEach;

/** The digits of at most HEX_BYTES_MAX bytes, lower case; overwritten by the next ones. */
export function hexDigits(bytes: Uint8Array): Uint8Array {
  writeHex(bytes, SCRATCH);
  return SCRATCH.subarray(0, 2 * bytes.length);
}

/** See WriteHex. */
export function writeHexEach(bytes: Uint8Array, digits: Uint8Array): void {
  const pairs = new DataView(digits.buffer, digits.byteOffset);
  for (let i = 0; i < bytes.length; i++) pairs.setUint16(2 * i, HEX_PAIRS[bytes[i]!]!, true);
}
