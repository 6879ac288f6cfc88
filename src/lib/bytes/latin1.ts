// Bytes as strings of one character each: short byte strings (addresses, hashes, slots) as keys of Maps and Sets.
import { latin1Slice } from './decode-text.js';

/** One character of U+0000 to U+00FF for each byte; distinct bytes give distinct strings. */
export function latin1(bytes: Uint8Array): string {
  return latin1Slice(bytes, 0, bytes.byteLength);
}
